// backend/sm80/shared_matrix.hpp: where a factor of a product lies in shared memory.
//
// Rows of adjacent elements are cut into pieces of 16 bytes, and pieces are swizzled so that the same piece of
// eight rows, which is what ldmatrix reads at a time, lies in distinct banks.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/meta.hpp"

namespace tile2cpp::backend {

/// Whether rows hold the elements along the summed axis, or those along the other one.
enum class row_holds { summed_axis, outer_axis };

/// `Lines` rows or columns of the result, times `Depth` elements along the summed axis.
template <class E, int Lines, int Depth, row_holds Order> struct shared_matrix {
  using element = E;
  static constexpr row_holds order = Order;
  static constexpr int size = int(sizeof(E));
  static constexpr int bytes = Lines * Depth * size;
  static constexpr int rows = Order == row_holds::summed_axis ? Lines : Depth;
  static constexpr int row_bytes = (Order == row_holds::summed_axis ? Depth : Lines) * size;
  static constexpr int pieces = row_bytes < 16 ? 1 : row_bytes / 16;  // in a row

  /// Where byte `byte` of row `row` lies. For numbers without common bits place(a | b) == place(a) ^ place(b).
  T2C_BOTH static constexpr int place(int row, int byte) {
    // Words that are read one by one, eight of each of four rows: there the rows must lie 32 bytes apart.
    if (size == 4 && Order == row_holds::outer_axis && row_bytes >= 128) return row * row_bytes + (byte ^ (row & 3) << 5);
    constexpr int shift = pieces >= 8 ? meta::log2(pieces) : 3;
    int const linear = row * row_bytes + byte;
    return linear ^ (linear >> 4 >> shift & 7) << 4;
  }

  /// The same by line of the result and element along the summed axis.
  T2C_BOTH static constexpr int element_place(int line, int k) {
    return Order == row_holds::summed_axis ? place(line, k * size) : place(k, line * size);
  }
};

}  // namespace tile2cpp::backend
