// backend/sm90/turned_words.hpp: a right factor from its rows in shared memory to registers, as instructions want a left one.
//
// A word holds what lies in 4 bytes along the summed axis, for one column of the result; in shared memory, neighbouring columns
// are adjacent. Which columns meet in a thread is the layout's choice (`turned_bits`): neighbours, so that it reads several at once.
#pragma once

#include "tile2cpp/backend/sm90/operand_matrix.hpp"

namespace tile2cpp::backend {

/// `read(matrix, lane_place, first)` reads the words of `Blocks` blocks of 64 columns, for `Steps` steps of 32 bytes from `first` on.
/// `lane_place`: of this lane's first column in the first row that it reads of a step (`first_row_of_lane`).
template <class Matrix, int Blocks, int Steps, int Size = Matrix::size> struct turned_words;

/// Where a lane reads: what depends on it and what is known in advance have common bits only where addresses are swizzled.
T2C_FN unsigned joined_place(unsigned matrix, int lane_place, int constant_place) {
  return matrix + (lane_place ^ (constant_place & 0x70)) + (constant_place & ~0x70);
}

/// A lane's rows of a step are `lane % 4` and four more, or, of bytes, four from `lane % 4 * 4` on and as many 16 further down. Two
/// of these begin with the third row, so that the lanes read different banks.
template <class Matrix> T2C_FN int first_row_of_lane() {
  int const lane = thread() % 4;
  return Matrix::size == 4 ? lane : lane * 4 + (lane & 2);
}

/// Words are elements.
template <class Matrix, int Blocks, int Steps> struct turned_words<Matrix, Blocks, Steps, 4> {
  static constexpr bool fours = Blocks > 1;
  unsigned at[Steps][Blocks][4];

  T2C_FN void read(unsigned matrix, int lane_place, int first) {
    T2C_UNROLL
    for (int step = 0; step < Steps; ++step) {
      T2C_UNROLL
      for (int half = 0; half < 2; ++half) {
        T2C_UNROLL
        for (int block = 0; block < Blocks; block += fours ? 2 : 1)
          read_columns(joined_place(matrix, lane_place, Matrix::place((first + step) * 8 + half * 4, block / 2 * threads * 4)), step, block, 2 * half);
      }
    }
  }

 private:
  T2C_FN void read_columns(unsigned from, int step, int block, int word) {
    if constexpr (fours)
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(at[step][block][word]), "=r"(at[step][block][word + 1]), "=r"(at[step][block + 1][word]), "=r"(at[step][block + 1][word + 1])
                   : "r"(from) : "memory");
    else
      asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(at[step][block][word]), "=r"(at[step][block][word + 1]) : "r"(from) : "memory");
  }
};

/// Words are four bytes of four rows: squares of 4 by 4 bytes are transposed in registers.
template <class Matrix, int Blocks, int Steps> struct turned_words<Matrix, Blocks, Steps, 1> {
  unsigned at[Steps][Blocks][4];

  T2C_FN void read(unsigned matrix, int lane_place, int first) {
    bool const swapped = (thread() & 2) != 0;
    unsigned const lower = swapped ? 0x1054 : 0x5410, upper = swapped ? 0x3276 : 0x7632;
    T2C_UNROLL
    for (int step = 0; step < Steps; ++step) {
      T2C_UNROLL
      for (int half = 0; half < 2; ++half) {
        T2C_UNROLL
        for (int block = 0; block < Blocks; block += 2) {
          unsigned row[4];
          T2C_UNROLL
          for (int i = 0; i < 4; ++i) row[i] = load(joined_place(matrix, lane_place, Matrix::place((first + step) * 32 + half * 16, block / 2 * threads)), i);
          unsigned const pairs[4] = {__byte_perm(row[0], row[1], 0x5140), __byte_perm(row[0], row[1], 0x7362),
                                     __byte_perm(row[2], row[3], 0x5140), __byte_perm(row[2], row[3], 0x7362)};
          at[step][block][2 * half] = __byte_perm(pairs[0], pairs[2], lower);
          at[step][block][2 * half + 1] = __byte_perm(pairs[0], pairs[2], upper);
          at[step][block + 1][2 * half] = __byte_perm(pairs[1], pairs[3], lower);
          at[step][block + 1][2 * half + 1] = __byte_perm(pairs[1], pairs[3], upper);
        }
      }
    }
  }

 private:
  /// Row `i` of four, which are the swizzled ones of a block of 128 bytes.
  T2C_FN static unsigned load(unsigned first, int i) {
    unsigned value;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(value) : "r"(first ^ unsigned(i * 128 | i << 4)) : "memory");
    return value;
  }
};

}  // namespace tile2cpp::backend
