// backend/sm90/flat_multiply.hpp: products of fewer rows than warpgroups compute, from factors that the feeder fetches.
//
// Few rows mean few operations for each element that is fetched, so what counts is that factors are always on their way. Single warps
// multiply, each some columns of the result, by the instructions of sm80/; the rings and the feeder are those of warpgroups.
#pragma once

#include "tile2cpp/backend/sm80/multiply.hpp"
#include "tile2cpp/backend/sm90/factor_places.hpp"
#include "tile2cpp/backend/sm90/fed_rings.hpp"

namespace tile2cpp::backend {

/// A left factor in registers, on its way through scratch memory: every warp needs all of it.
template <class A> struct passed_factor {
  using element = tile_element_t<A>;
  using shape = tile_shape_t<A>;
  static constexpr int lines = int(shape::static_extent(0)), depth = int(shape::static_extent(1));
  using matrix = shared_matrix<element, lines, depth, row_holds::summed_axis>;

  T2C_FN static unsigned write(A const& a) {
    unsigned char* const shared = scratch();
    fill_matrix<element, 2, layout<shape>>(shared, a.own, 0, [](int) { return 0; }, [](int i) { return matrix::element_place(i / depth, i % depth); });
    sync();
    return shared_address(shared);
  }
};

template <class Plan, class A> struct left_matrix {
  using type = typename Plan::a::matrix;
};
template <class Plan, class A>
  requires(Plan::held)
struct left_matrix<Plan, A> {
  using type = typename passed_factor<A>::matrix;
};

/// Whether the feeder fetches for such a product.
template <class A, class B, class C> T2C_BOTH constexpr bool has_flat_product() {
  using a = tile_element_t<A>;
  if constexpr (!T2C_FLAT || tile_rank_v<A> != 2 || tile_rank_v<B> != 2 || tile_rank_v<C> != 2) return false;
  else if constexpr (sizeof(a) != 2 || !matrix_instruction<a, tile_element_t<B>>::exists || !meta::is_same<tile_element_t<C>, float>) return false;
  else if constexpr (!factor_of<A, role::a>::usable || !meta::is_placed<B> || !factor_of<B, role::b>::usable) return false;
  else {
    using plan = warpgroup_plan<A, B>;
    constexpr int rows = int(tile_shape_t<C>::static_extent(0)), depth = int(tile_shape_t<A>::static_extent(1));
    return plan::complete && plan::ring >= 0 && rows >= 16 && rows < 64 && int(tile_shape_t<C>::static_extent(1)) >= 8 && depth >= 16 &&
           (!plan::held || rows * depth * 2 <= scratch_bytes);
  }
}

/// c += a * b.
template <class A, class B, class SC> T2C_FN void multiply_flat(A const& a, B const& b, tile<float, SC>& c) {
  using plan = warpgroup_plan<A, B>;
  using a_matrix = typename left_matrix<plan, A>::type;
  using b_matrix = typename plan::b::matrix;
  unsigned a_place = 0, b_place = 0;
  if constexpr (plan::held) a_place = passed_factor<A>::write(a);
  if constexpr (plan::a_resident >= 0) a_place = acquire_resident<plan::a_resident, typename plan::a>(a.source());
  if constexpr (plan::b_resident >= 0) b_place = acquire_resident<plan::b_resident, typename plan::b>(b.source());
  product_turn<plan::ring> turn;
  unsigned const stage = turn.acquire();
  if constexpr (plan::a_in_ring) a_place = stage;
  if constexpr (plan::b_in_ring) b_place = stage + rings[plan::ring].a.bytes();
  no_hooks none;
  multiply_shared<warp_share<tile_shape_t<A>, tile_shape_t<B>, SC>, a_matrix, b_matrix, int(tile_shape_t<A>::static_extent(1))>(&c.own[0], a_place, b_place, none);
  __syncwarp();  // all lanes have read their parts
  turn.template finish<true>();
  if constexpr (plan::held) sync();
}

}  // namespace tile2cpp::backend
