// backend/sm80/matrix_rows.hpp: a factor of a product where it lies in an array.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// A matrix in an array, as rows of adjacent elements; what lies past `rows` or `columns` counts as zero.
template <class E> struct matrix_rows {
  E const* origin;
  long long row_stride, element_stride;
  int rows, columns;
  // Two elements of the array, the second one plus one: what lies between may be read. Null: only elements may.
  E const* array_begin = nullptr;
  E const* array_end = nullptr;

  /// Notes the first and the last element of the array.
  template <class Span> T2C_FN void lie_in(Span const& span) {
    long long last = 0;
    T2C_UNROLL
    for (int axis = 0; axis < int(Span::rank()); ++axis)
      last += (static_cast<long long>(span.extent(axis)) - 1) * static_cast<long long>(span.mapping().stride(axis));
    array_begin = span.data_handle();
    array_end = array_begin + last + 1;
  }
};

}  // namespace tile2cpp::backend
