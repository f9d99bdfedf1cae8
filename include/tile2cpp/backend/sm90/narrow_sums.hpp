// backend/sm90/narrow_sums.hpp: products whose instructions add in fewer bits than the sums have.
//
// Of 8-bit floats they line up what they add by its largest exponent and keep about 14 bits. So each product begins with zero, in
// registers of its own, and is added to the sums in full when it is complete: the rounding does not grow with the length of the sums.
#pragma once

#include "tile2cpp/backend/sm90/wgmma.hpp"
#include "tile2cpp/meta.hpp"
#include "tile2cpp/running.hpp"

namespace tile2cpp::backend {

template <class E> inline constexpr bool has_narrow_sums = meta::is_one_of<E, __nv_fp8_e4m3, __nv_fp8_e5m2>;

inline constexpr int narrow_columns = 128;  // at once: more would leave no registers beside the sums

/// c += a * b, complete; `c` is settled. `finish` is called when the factors have been read.
template <class Plan, class A, class B, class C, class SC, class Finish>
T2C_FN void add_narrow_product(unsigned a_place, unsigned b_place, running_tile<C, SC>& c, Finish const& finish) {
  using instruction = warpgroup_instruction<A, B>;
  using a_matrix = typename Plan::a::matrix;
  using b_matrix = typename Plan::b::matrix;
  constexpr int columns = int(SC::static_extent(1)), n = columns < narrow_columns ? columns : narrow_columns;
  constexpr int blocks = int(SC::static_extent(0)) / (threads / 2);
  unsigned const from_a = a_matrix::describe(a_place + a_matrix::start(warpgroup() * 64, 0)), from_b = b_matrix::describe(b_place);
  C* const all_sums = c.sums();
  T2C_UNROLL
  for (int block = 0; block < blocks; ++block) {
    T2C_UNROLL
    for (int column = 0; column < columns; column += n) {
      C part[n / 2];
      open_products();
      T2C_UNROLL
      for (int step = 0; step < b_matrix::steps; ++step) {
        unsigned long long const left = descriptor(from_a + (a_matrix::start(block * (threads / 2), step) >> 4), a_matrix::upper);
        unsigned long long const right = descriptor(from_b + (b_matrix::start(column, step) >> 4), b_matrix::upper);
        instruction::template run<n, false, false>(part, left, right, step > 0);
      }
      close_products();
      await_products<0>();
      T2C_UNROLL
      for (int i = 0; i < n / 2; i += 4) pin(&part[i]);
      if (block + 1 == blocks && column + n == columns) finish();
      C* const sums = all_sums + block * (columns / 2) + column / 2;
      T2C_UNROLL
      for (int i = 0; i < n / 2; ++i) sums[i] += part[i];
    }
  }
}

}  // namespace tile2cpp::backend
