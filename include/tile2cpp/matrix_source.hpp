// matrix_source.hpp: where in an array a matrix was read: a tile of a view, two axes of which are its rows and columns.
#pragma once

#include "tile2cpp/backend/sm80/fetch.hpp"
#include "tile2cpp/tile_source.hpp"
#include "tile2cpp/window.hpp"

namespace tile2cpp {

/// A tile of a partition view with tiles of `Shape`: its index along each axis. Rows of the matrix follow axis `Row`,
/// columns axis `Column`; the tile is one element long along all others.
template <class E, class Shape, class Span, int Row, int Column>
struct matrix_source {
  using element = E;
  using span_type = Span;
  using shape = Shape;
  static constexpr int rank = int(Shape::rank()), row_axis = Row, column_axis = Column;
  static constexpr int rows = int(Shape::static_extent(Row)), columns = int(Shape::static_extent(Column));
  Span span;
  unsigned long long identity;  // of the array
  int index[rank];

  /// Whether columns are adjacent in memory, not rows.
  static constexpr bool mirrored = layout_mapping_static_stride<typename Span::mapping_type>{}(Row) == 1 &&
                                   layout_mapping_static_stride<typename Span::mapping_type>{}(Column) != 1;
  static constexpr int storage_row = mirrored ? Column : Row, storage_column = mirrored ? Row : Column;

  T2C_FN long long storage_stride() const { return static_cast<long long>(span.mapping().stride(storage_row)); }

  /// Elements between neighbouring tiles along an axis.
  T2C_FN long long tile_distance(int axis) const {
    return static_cast<long long>(Shape::static_extent(axis)) * static_cast<long long>(span.mapping().stride(axis));
  }

  /// Tiles that lie whole in the array along an axis, from this one on.
  T2C_FN int tiles_left(int axis) const {
    long long const left = static_cast<long long>(span.extent(axis)) / static_cast<long long>(Shape::static_extent(axis)) - index[axis];
    return left < 0 || index[axis] < 0 ? 0 : left > 0x3fffffff ? 0x3fffffff : static_cast<int>(left);
  }

  /// The tile as a window for registers, in another shape of the same elements.
  template <class To> T2C_FN window<E const, To> locate() const {
    constexpr int last = int(To::rank()) - 1, lines = meta::matrix_axis<To>(0);
    window<E const, To> w{};
    auto const rows = storage_rows(index);
    constexpr bool along = !mirrored;  // rows of the matrix are rows in memory
    w.origin = rows.origin;
    w.bits = w.low_bits(rows.origin);
    T2C_UNROLL
    for (int axis = 0; axis < last; ++axis) w.stride[axis] = 0, w.valid[axis] = w.left[axis] = 1;
    w.stride[lines] = along ? rows.row_stride : rows.element_stride;
    w.stride[last] = along ? rows.element_stride : rows.row_stride;
    w.valid[lines] = w.left[lines] = rows.rows == 0 || rows.columns == 0 ? 0 : along ? rows.rows : rows.columns;
    w.valid[last] = w.left[last] = along ? rows.columns : rows.rows;
    w.cuts_runs = w.valid[last] % w.vector != 0;
    return w;
  }

  /// The matrix at another index as rows of adjacent elements; what lies outside counts as zero.
  T2C_FN backend::matrix_rows<E> storage_rows(int const (&place)[rank]) const {
    long long distance = 0;
    int valid[rank];
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) {
      long long const start = static_cast<long long>(place[axis]) * static_cast<long long>(Shape::static_extent(axis));
      long long const left = start < 0 ? 0 : static_cast<long long>(span.extent(axis)) - start;
      int const tile = static_cast<int>(Shape::static_extent(axis));
      valid[axis] = left >= tile ? tile : left > 0 ? static_cast<int>(left) : 0;
      distance += start * static_cast<long long>(span.mapping().stride(axis));
    }
    bool inside = true;
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) inside = inside && (axis == Row || axis == Column || valid[axis] > 0);
    backend::matrix_rows<E> found{span.data_handle() + distance, static_cast<long long>(span.mapping().stride(storage_row)),
                                  static_cast<long long>(span.mapping().stride(storage_column)), inside ? valid[storage_row] : 0,
                                  valid[storage_column]};
    found.lie_in(span);
    return found;
  }
};

}  // namespace tile2cpp
