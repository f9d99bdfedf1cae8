// backend/sm80/fragments.hpp: factors from shared memory as matrix instructions want them.
//
// A step is 32 bytes of the summed axis. Positions of lines and steps are split: what the lane decides is computed
// once, what the position decides is a constant, and the two are joined by one exclusive or.
#pragma once

#include "tile2cpp/backend/sm80/ldmatrix.hpp"
#include "tile2cpp/backend/sm80/shared_matrix.hpp"

namespace tile2cpp::backend {

/// Reads the 16 rows of a, or 16 or 8 columns of b, that belong to one step.
template <class Matrix, bool IsA> struct fragment_reader {
  using element = typename Matrix::element;
  static constexpr int size = Matrix::size;
  static constexpr int step = 32 / size;
  static constexpr bool turned = Matrix::order == row_holds::outer_axis;
  static constexpr bool by_blocks = size == 2 || (size < 8 && !turned);

  unsigned address;  // of the whole matrix
  int lane_place;    // what this lane adds

  /// `line`: where this warp's lines begin.
  T2C_FN fragment_reader(unsigned matrix, int line, int lane) : address(matrix) {
    if constexpr (by_blocks) {
      // a comes as rows 0-7, 8-15 of the first half step, then of the second; b as both halves of columns 0-7, then 8-15.
      bool const lines_first = IsA;
      int const inner = lane & 7, low = lane >> 3 & 1, high = lane >> 4 & 1;
      int const line_block = lines_first ? low : high, half = lines_first ? high : low;
      if constexpr (turned) lane_place = Matrix::place(half * 8 + inner, (line + line_block * 8) * size);
      else lane_place = Matrix::place(line + line_block * 8 + inner, half * 16);
    } else {
      lane_place = Matrix::element_place(line + lane / 4, size == 8 ? lane % 4 : size == 4 ? lane % 4 : lane % 4 * 4);
    }
  }

  /// Computes it now, above all that is volatile further down.
  T2C_FN void settle() { asm volatile("" : "+r"(address), "+r"(lane_place)); }

  /// `constant_place`: of the lines past the warp's first, and of the step.
  /// Only the swizzled bits need the exclusive or; the others are added by the instruction that reads.
  T2C_FN unsigned at(int constant_place) const {
    return address + (lane_place ^ (constant_place & 0x70)) + (constant_place & ~0x70);
  }

  T2C_FN static unsigned load_word(unsigned from) {
    unsigned value;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
    return value;
  }
  T2C_FN static unsigned load_byte(unsigned from) {
    unsigned value;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
    return value;
  }
  T2C_FN static double load_double(unsigned from) {
    double value;
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(from) : "memory");
    return value;
  }

  /// Two registers' worth or more of elements that no ldmatrix can pick: word by word, byte by byte.
  T2C_FN unsigned word(int place) const {
    if constexpr (size == 4) {
      return load_word(at(place));
    } else {
      unsigned bytes = 0;
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) bytes |= load_byte(at(place ^ Matrix::element_place(0, i))) << 8 * i;
      return bytes;
    }
  }

  /// 16 lines: for a the four registers of its rows, for b two registers for each 8 columns.
  T2C_FN void sixteen(unsigned (&to)[4], int place) const {
    if constexpr (by_blocks) {
      load_four_blocks<turned>(to, at(place));
      round_words(to);
    } else {
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) {
        int const block = IsA ? i & 1 : i >> 1, half = IsA ? i >> 1 : i & 1;
        to[i] = word(place ^ Matrix::element_place(8 * block, half * step / 2));
      }
      round_words(to);
    }
  }
  T2C_FN void eight(unsigned (&to)[2], int place) const {
    if constexpr (by_blocks) {
      load_two_blocks<turned>(to, at(place));
    } else {
      T2C_UNROLL
      for (int i = 0; i < 2; ++i) to[i] = word(place ^ Matrix::element_place(0, i * step / 2));
    }
    round_words(to);
  }

  /// Single precision becomes tf32.
  template <int N> T2C_FN static void round_words(unsigned (&words)[N]) {
    if constexpr (meta::is_same<element, float>) {
      T2C_UNROLL
      for (int i = 0; i < N; ++i) words[i] = meta::nearest_tf32(words[i]);
    }
  }

  // The same for double, whose blocks have 8 lines.
  T2C_FN void sixteen(double (&to)[2], int place) const {
    to[0] = load_double(at(place));
    to[1] = load_double(at(place ^ Matrix::element_place(8, 0)));
  }
  T2C_FN void eight(double (&to)[1], int place) const { to[0] = load_double(at(place)); }
};

}  // namespace tile2cpp::backend
