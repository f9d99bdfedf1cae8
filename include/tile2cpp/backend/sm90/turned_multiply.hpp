// backend/sm90/turned_multiply.hpp: products whose right factor lies in rows along the result's columns, of elements that the
// instructions want along the summed axis.
//
// The instruction reads only its left factor from registers, where any lane may have fetched any element. So warpgroups compute the
// result with rows and columns swapped: the right factor goes through registers, and the left one, which lies as the
// instructions want it, stays in shared memory.
#pragma once

#include "tile2cpp/backend/sm90/turned_words.hpp"
#include "tile2cpp/backend/sm90/wgmma_turned.hpp"

namespace tile2cpp::backend {

/// The steps of a product go in two parts: while one is multiplied, the fragments of the other are read.
template <int Steps> inline constexpr int steps_of_part = Steps > 1 ? Steps / 2 : 1;

/// Steps `First` to `First + Steps` of a product.
template <class Plan, class Instruction, int First, int Steps, class Words, class C, class SC>
T2C_FN void issue_turned_steps(Words const& words, unsigned from_a, C* sums, bool counts) {
  using a_matrix = typename Plan::a::matrix;
  constexpr int rows = int(SC::static_extent(0)), n = rows < 256 ? rows : 256;
  constexpr int blocks = int(SC::static_extent(1)) / (threads / 2);
  constexpr bool fours = blocks > 1;
  T2C_UNROLL
  for (int step = 0; step < Steps; ++step) {
    T2C_UNROLL
    for (int block = 0; block < blocks; ++block) {
      T2C_UNROLL
      for (int row = 0; row < rows; row += n) {
        C* const part = sums + (fours ? (block & 1) << 1 | (block >> 1) * rows : 0) + (row >> 3 << (fours ? 3 : 2));
        unsigned long long const left = descriptor(from_a + (a_matrix::start(row, First + step) >> 4), a_matrix::upper);
        Instruction::template run<n, fours>(part, left, words.at[step][block], counts || First + step > 0);
      }
    }
  }
}

/// The parts of a product from step `First` on.
template <class Plan, class Instruction, int First, class C, class SC, class Meanwhile>
T2C_FN void issue_turned_parts(unsigned from_a, unsigned from_b, int lane_place, running_tile<C, SC>& c, bool counts, Meanwhile const& meanwhile) {
  using matrix = typename Plan::b::matrix;
  constexpr int columns = int(SC::static_extent(1)), blocks = columns / (threads / 2);
  constexpr int all = Plan::a::matrix::steps, steps = steps_of_part<all>;
  turned_words<matrix, blocks, steps> words;
  words.read(from_b, lane_place, First);
  open_products();
  issue_turned_steps<Plan, Instruction, First, steps, decltype(words), C, SC>(words, from_a, c.sums(), counts);
  close_products();
  await_products<1>();
  if constexpr (First == 0) meanwhile();
  if constexpr (First + steps < all) issue_turned_parts<Plan, Instruction, First + steps>(from_a, from_b, lane_place, c, counts, meanwhile);
}

/// Issues a product; `meanwhile` is called when all older ones are complete. At its end the last part is under way, unless it
/// is the only one: the next product may read its fragments to the same registers.
template <class Plan, class A, class B, class C, class SC, class Meanwhile>
T2C_FN void issue_turned_product(unsigned a_place, unsigned b_place, running_tile<C, SC>& c, Meanwhile const& meanwhile) {
  using matrix = typename Plan::b::matrix;
  constexpr int columns = int(SC::static_extent(1)), steps = Plan::a::matrix::steps;
  int const lane_place = matrix::place(first_row_of_lane<matrix>(), layout<SC>::base(thread()) % columns * matrix::size);
  bool const counts = c.counts();
  c.pin();
  issue_turned_parts<Plan, turned_instruction<A, B>, 0>(Plan::a::matrix::describe(a_place), b_place, lane_place, c, counts, meanwhile);
  if constexpr (steps_of_part<steps> == steps) await_products<0>();
}

}  // namespace tile2cpp::backend
