// backend/sm90/operand_matrix.hpp: a factor of a product in shared memory, as the instructions of a warpgroup read it.
//
// Rows of adjacent elements are cut into blocks of at most 128 bytes, and the rows of a block lie one below the other. Pieces
// of 16 bytes are swizzled with bits of the row, so that a piece of eight rows lies in distinct banks.
#pragma once

#include "tile2cpp/backend/sm80/shared_matrix.hpp"

namespace tile2cpp::backend {

T2C_FN unsigned long long descriptor(unsigned lower, unsigned upper) {
  unsigned long long both;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(lower), "r"(upper));
  return both;
}

/// `Lines` rows or columns of the result, times `Depth` elements along the summed axis.
template <class E, int Lines, int Depth, row_holds Order> struct operand_matrix {
  using element = E;
  static constexpr row_holds order = Order;
  static constexpr bool turned = Order == row_holds::outer_axis;
  static constexpr int size = int(sizeof(E));
  static constexpr int bytes = Lines * Depth * size;
  static constexpr int rows = turned ? Depth : Lines;
  static constexpr int row_bytes = (turned ? Lines : Depth) * size;
  static constexpr int pieces = row_bytes < 16 ? 1 : row_bytes / 16;  // in a row
  static constexpr int width = row_bytes < 128 ? row_bytes : 128;    // of a block, in bytes
  static constexpr bool exists = width >= 32 && rows >= 8;
  static constexpr int steps = Depth * size / 32;  // an instruction sums over 32 bytes of each line

  /// Where byte `byte` of row `row` lies. For numbers without common bits place(a | b) == place(a) ^ place(b).
  T2C_BOTH static constexpr int place(int row, int byte) {
    int const linear = byte / width * (rows * width) + row * width + byte % width;
    return linear ^ (linear >> 7 & (width / 16 - 1)) << 4;
  }

  /// The same by line of the result and element along the summed axis.
  T2C_BOTH static constexpr int element_place(int line, int k) { return turned ? place(k, line * size) : place(line, k * size); }

  /// What is added to the address for the instruction that begins at `line` and sums over step `step`.
  T2C_BOTH static constexpr int start(int line, int step) {
    if (turned) return line * size / width * (rows * width) + line * size % width + step * (32 / size) * width;
    return step * 32 / width * (rows * width) + step * 32 % width + line * width;
  }

  /// The two words of the descriptor of a matrix at `address`, a multiple of 1024; a start is added to the first.
  T2C_FN static unsigned describe(unsigned address) {
    constexpr unsigned between_blocks = rows * width / 16;
    return (address & 0x3ffff) >> 4 | between_blocks << 16;
  }
  static constexpr unsigned swizzle = width == 128 ? 1 : width == 64 ? 2 : 3;
  static constexpr unsigned upper = 8 * width / 16 | swizzle << 30;
};

}  // namespace tile2cpp::backend
