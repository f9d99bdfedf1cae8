// backend/sm90/multiply.hpp: products by warpgroups, which run on while the threads go on.
#pragma once

#include "tile2cpp/backend/factor.hpp"
#include "tile2cpp/backend/sm90/factor_places.hpp"
#if T2C_FED
#include "tile2cpp/backend/sm90/fed_rings.hpp"
#include "tile2cpp/backend/sm90/flat_multiply.hpp"
#else
#include "tile2cpp/backend/sm90/product_ring.hpp"
#endif
#include "tile2cpp/backend/sm90/narrow_sums.hpp"
#include "tile2cpp/backend/sm90/turned_multiply.hpp"
#include "tile2cpp/placed.hpp"
#include "tile2cpp/running.hpp"

namespace tile2cpp::backend {

/// The same where rows and columns of results are swapped.
template <class A, class B, class C> T2C_BOTH constexpr bool has_turned_product() {
  using a = tile_element_t<A>;
  using b = tile_element_t<B>;
  using plan = warpgroup_plan<A, B>;
  if constexpr (!turned_instruction<a, b>::exists || plan::held || !plan::complete) return false;
  else
    return meta::is_same<typename turned_instruction<a, b>::sum, tile_element_t<C>> && tile_shape_t<C>::static_extent(1) >= threads / 2 &&
           int(tile_shape_t<A>::static_extent(1) * sizeof(a)) >= 32 && plan::a::form.turned == 0 && plan::b::form.turned != 0;
}

/// Whether warpgroups multiply such tiles.
template <class A, class B, class C> T2C_BOTH constexpr bool has_warpgroup_product() {
  using a = tile_element_t<A>;
  using b = tile_element_t<B>;
  using shape = tile_shape_t<C>;
  if constexpr (!meta::may_run<tile<tile_element_t<C>, shape>> || tile_rank_v<A> != 2 || tile_rank_v<B> != 2) return false;
  else if constexpr (!warpgroup_instruction<a, b>::exists) return false;
  else if constexpr (!factor_of<A, role::a>::usable || !meta::is_placed<B> || !factor_of<B, role::b>::usable) return false;
  else if constexpr (this_schedule.turned) return has_turned_product<A, B, C>();
  else {
    constexpr bool turns = warpgroup_instruction<a, b>::turns;
    return meta::is_same<typename warpgroup_instruction<a, b>::sum, tile_element_t<C>> && this_schedule.column_threads == 4 &&
           warpgroup_plan<A, B>::complete && tile_shape_t<C>::static_extent(0) >= threads / 2 &&
           int(tile_shape_t<A>::static_extent(1) * sizeof(a)) >= 32 &&
           (turns || (warpgroup_plan<A, B>::b::form.turned == 0 && warpgroup_plan<A, B>::a::form.turned == 0 && !warpgroup_plan<A, B>::held));
  }
}

/// The words of a factor in registers, as the instructions take them: four for each step and block of rows.
template <class A, int Blocks, int Steps> struct held_words {
  unsigned at[Blocks * Steps][4];

  T2C_FN explicit held_words(A const& a) {
    using E = tile_element_t<A>;
    struct pair {
      E at[2];
    };
    T2C_UNROLL
    for (int n = 0; n < Blocks * Steps; ++n) {
      T2C_UNROLL
      for (int i = 0; i < 4; ++i) at[n][i] = meta::bit_cast<unsigned>(pair{{a.own[8 * n + 2 * i], a.own[8 * n + 2 * i + 1]}});
      pin(&at[n][0]);  // before the products are opened
    }
  }
};
struct no_words {
  template <class A> T2C_FN explicit no_words(A const&) {}
};

/// Issues all instructions of a product; the steps of 32 bytes along the summed axis follow each other.
template <class Plan, class A, class B, class C, class SC>
T2C_FN void issue_product(A const& a, unsigned a_place, unsigned b_place, running_tile<C, SC>& c) {
  using instruction = warpgroup_instruction<tile_element_t<A>, tile_element_t<B>>;
  using b_matrix = typename Plan::b::matrix;
  constexpr int columns = int(SC::static_extent(1)), n = columns < 256 ? columns : 256, steps = b_matrix::steps;
  constexpr int blocks = int(SC::static_extent(0)) / (threads / 2);
  unsigned from_a = 0;
  if constexpr (!Plan::held) from_a = Plan::a::matrix::describe(a_place + Plan::a::matrix::start(warpgroup() * 64, 0));
  unsigned const from_b = b_matrix::describe(b_place);
  meta::conditional_t<Plan::held, held_words<A, blocks, steps>, no_words> const words(a);
  bool const counts = c.counts();
  c.pin();
  C* const sums = c.sums();
  open_products();
  T2C_UNROLL
  for (int step = 0; step < steps; ++step) {
    T2C_UNROLL
    for (int block = 0; block < blocks; ++block) {
      T2C_UNROLL
      for (int column = 0; column < columns; column += n) {
        C* const part = sums + block * (columns / 2) + column / 2;
        bool const keep = counts || step > 0;
        unsigned long long const right = descriptor(from_b + (b_matrix::start(column, step) >> 4), b_matrix::upper);
        if constexpr (Plan::held) {
          instruction::template run<n, b_matrix::turned>(part, words.at[block * steps + step], right, keep);
        } else {
          using a_matrix = typename Plan::a::matrix;
          unsigned long long const left = descriptor(from_a + (a_matrix::start(block * (threads / 2), step) >> 4), a_matrix::upper);
          instruction::template run<n, a_matrix::turned, b_matrix::turned>(part, left, right, keep);
        }
      }
    }
  }
  close_products();
}

/// Whether a product waits for its own end, not only for that of the one before: with a factor in registers ptxas needs that (C7514), but
/// for loops that the translator has turned. Narrow sums are added at once.
template <class Plan, class A> inline constexpr bool waits_for_own = has_narrow_sums<A> || (Plan::held && !overtaken_lines.some);

/// Products whose narrow sums are added at once need complete ones. Where other products add to the same, that takes a wait on every path,
/// whatever is known of the sums: without, ptxas runs all products one by one (C7515).
template <class C, class SC> T2C_FN void complete_sums(running_tile<C, SC>& c) {
  if constexpr (has_factors_of_other_sizes()) c.settled();
  c.settled_sums();
}

#if T2C_FED
/// Issues a product and waits for the one before it, whose stage is free then.
template <class Plan, class A, class B, class C, class SC, class Finish>
T2C_FN void run_product(A const& a, unsigned a_place, unsigned b_place, running_tile<C, SC>& c, Finish const& finish) {
  if constexpr (this_schedule.turned) {
    issue_turned_product<Plan, tile_element_t<A>, tile_element_t<B>>(a_place, b_place, c, finish);
  } else if constexpr (has_narrow_sums<tile_element_t<A>>) {
    add_narrow_product<Plan, tile_element_t<A>, tile_element_t<B>>(a_place, b_place, c, finish);
  } else {
    issue_product<Plan, A, B>(a, a_place, b_place, c);
    await_products<waits_for_own<Plan, tile_element_t<A>> ? 0 : 1>();
    finish();
  }
}

/// c += a * b, without waiting for it.
template <class A, class B, class C, class SC>
T2C_FN void multiply_on_warpgroups(A const& a, B const& b, running_tile<C, SC>& c) {
  using plan = warpgroup_plan<A, B>;
  // Before the turn, which notes the stage that is still to be freed: this may free it.
  if constexpr (has_narrow_sums<tile_element_t<A>>) complete_sums(c);
  unsigned a_place = 0, b_place = 0;
  if constexpr (plan::a_resident >= 0) a_place = acquire_resident<plan::a_resident, typename plan::a>(a.source());
  if constexpr (plan::b_resident >= 0) b_place = acquire_resident<plan::b_resident, typename plan::b>(b.source());
  if constexpr (plan::ring >= 0) {
    product_turn<plan::ring> turn;
    unsigned const stage = turn.acquire();
    if constexpr (plan::a_in_ring) a_place = stage;
    if constexpr (plan::b_in_ring) b_place = stage + rings[plan::ring].a.bytes();
    run_product<plan, A, B>(a, a_place, b_place, c, [&] { turn.template finish<waits_for_own<plan, tile_element_t<A>>>(); });
  } else {
    run_product<plan, A, B>(a, a_place, b_place, c, [] {});
  }
}

template <class C, class A, class B, class MapA, class MapB> T2C_FN void feeder::give(A const& a, B const& b, MapA a_map, MapB b_map) {
  if constexpr (has_warpgroup_product<A, B, meta::wide_sums<C>>() || has_flat_product<A, B, C>()) {
    using plan = warpgroup_plan<A, B>;
    if constexpr (plan::ring >= 0) {
      using a_part = meta::conditional_t<plan::a_in_ring, typename plan::a, absent_factor>;
      using b_part = meta::conditional_t<plan::b_in_ring, typename plan::b, absent_factor>;
      if constexpr (plan::a_in_ring) fill<plan::ring, a_part, b_part>(a.source(), b.source(), a_map, b_map);
      else fill<plan::ring, a_part, b_part>(a, b.source(), a_map, b_map);
    }
    // Behind the turn, which may begin while the old one is still needed.
    if constexpr (plan::a_resident >= 0) keep<plan::a_resident, typename plan::a>(a.source(), a_map);
    if constexpr (plan::b_resident >= 0) keep<plan::b_resident, typename plan::b>(b.source(), b_map);
  }
}
#else
/// c += a * b, without waiting for it.
template <class A, class B, class C, class SC>
T2C_FN void multiply_on_warpgroups(A const& a, B const& b, running_tile<C, SC>& c) {
  using plan = warpgroup_plan<A, B>;
  if constexpr (has_narrow_sums<tile_element_t<A>>) complete_sums(c);
  __syncwarp();  // what follows was written by one lane
  int products = 0;
  if constexpr (counts_products) products = memory_of_rings().products[warp()];
  unsigned a_place = 0, b_place = 0;
  if constexpr (plan::a_resident >= 0) a_place = acquire_resident<plan::a_resident, typename plan::a>(a.source());
  if constexpr (plan::b_resident >= 0) b_place = acquire_resident<plan::b_resident, typename plan::b>(b.source());
  if constexpr (plan::ring >= 0) {
    using a_part = meta::conditional_t<plan::a_in_ring, typename plan::a, absent_factor>;
    using b_part = meta::conditional_t<plan::b_in_ring, typename plan::b, absent_factor>;
    auto const& a_source = [&]() -> auto const& {
      if constexpr (plan::a_in_ring) return a.source();
      else return a;
    }();
    product_ring<plan::ring, a_part, b_part, meta::remove_cvref_t<decltype(a_source)>, typename B::source_type> turn(a_source, b.source());
    unsigned const stage = turn.acquire(products);
    if constexpr (plan::a_in_ring) a_place = stage;
    if constexpr (plan::b_in_ring) b_place = stage + a_part::form.bytes();
    if constexpr (has_narrow_sums<tile_element_t<A>>) add_narrow_product<plan, tile_element_t<A>, tile_element_t<B>>(a_place, b_place, c, [] {});
    else issue_product<plan, A, B>(a, a_place, b_place, c);
    turn.fetch_ahead();
    await_products<waits_for_own<plan, tile_element_t<A>> ? 0 : 1>();
    turn.finish(products);
  } else {
    if constexpr (has_narrow_sums<tile_element_t<A>>) add_narrow_product<plan, tile_element_t<A>, tile_element_t<B>>(a_place, b_place, c, [] {});
    else issue_product<plan, A, B>(a, a_place, b_place, c);
    await_products<1>();
  }
  if (counts_products && leads_warp()) memory_of_rings().products[warp()] = products + 1;
}
#endif

}  // namespace tile2cpp::backend
