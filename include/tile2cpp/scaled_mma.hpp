// scaled_mma.hpp: products of narrow floating tiles whose elements share a scale in blocks along the summed axis.
#pragma once

#include "tile2cpp/backend/multiply.hpp"
#include "tile2cpp/exchange.hpp"
#include "tile2cpp/mma_types.hpp"

namespace tile2cpp {
namespace meta {

/// Whether factors of type E may have scales of type S that each serve `block` elements.
template <class E, class S> T2C_BOTH constexpr bool scales(size_t block) {
  if constexpr (is_one_of<E, __nv_fp8_e4m3, __nv_fp8_e5m2>) return is_same<S, __nv_fp8_e8m0> && block == 32;
  else if constexpr (!is_same<E, __nv_fp4_e2m1>) return false;
  else if constexpr (is_same<S, __nv_fp8_e4m3>) return block == 16;
  else return is_one_of<S, __nv_fp8_e8m0, __nv_fp8_ue5m3> && (block == 16 || block == 32);
}

/// How many elements along `axis_from_end` share one scale; 0 unless everything else of the shapes agrees.
template <class Factor, class Scale> T2C_BOTH constexpr size_t block_along(size_t axis_from_end) {
  if (Factor::rank() != Scale::rank()) return 0;
  for (size_t k = 0; k < Factor::rank(); ++k)
    if (k != axis_from_end && extent_from_end<Factor>(k) != extent_from_end<Scale>(k)) return 0;
  size_t const many = extent_from_end<Factor>(axis_from_end), few = extent_from_end<Scale>(axis_from_end);
  return many % few == 0 ? many / few : 0;
}

/// Which scale an element of a factor takes: elements along the axis share one in blocks.
template <class Factor, class Scale, size_t AxisFromEnd> struct scale_map {
  static constexpr bool linear = true;
  T2C_BOTH constexpr int operator()(int target) const {
    constexpr int inner = AxisFromEnd == 0 ? 1 : static_cast<int>(extent_from_end<Factor>(0));
    constexpr int many = static_cast<int>(extent_from_end<Factor>(AxisFromEnd));
    constexpr int few = static_cast<int>(extent_from_end<Scale>(AxisFromEnd));
    int const along = target / inner % many / (many / few);
    return (target / inner / many * few + along) * inner + target % inner;
  }
};

/// A factor times its scales, in float, which holds all of these products.
template <size_t AxisFromEnd, class E, class SF, class S, class SS>
T2C_FN tile<float, SF> with_scales(tile<E, SF> const& factor, tile<S, SS> const& scale) {
  auto const all = exchange<SF>(scale, scale_map<SF, SS, AxisFromEnd>{});
  tile<float, SF> result;
  T2C_UNROLL
  for (int s = 0; s < layout<SF>::slots; ++s) result.own[s] = convert<float>(factor.own[s]) * convert<float>(all.own[s]);
  return result;
}

template <class A, class SA, class B, class SB>
concept scaled_factors = same_as<tile_element_t<A>, tile_element_t<B>> && same_as<tile_element_t<SA>, tile_element_t<SB>> &&
                         scales<tile_element_t<A>, tile_element_t<SA>>(block_along<tile_shape_t<A>, tile_shape_t<SA>>(0)) &&
                         scales<tile_element_t<B>, tile_element_t<SB>>(block_along<tile_shape_t<B>, tile_shape_t<SB>>(1));

}  // namespace meta

/// (a times its scales) * (b times its scales) + c. Scales run along the summed axis: (M, K / V) and (K / V, N).
template <class A, class SA, class B, class SB, class C>
  requires(meta::is_tile<A> && meta::is_tile<SA> && meta::is_tile<B> && meta::is_tile<SB> && meta::is_tile<C> &&
           meta::scaled_factors<A, SA, B, SB> && same_as<tile_element_t<C>, float> &&
           meta::shapes_multiply<tile_shape_t<A>, tile_shape_t<B>, tile_shape_t<C>>())
[[nodiscard]] T2C_FN meta::remove_cv_t<C> scaled_mma(A a, SA a_scale, B b, SB b_scale, C c) {
  meta::remove_cv_t<C> sums = meta::settled(c);
  backend::multiply_add(meta::with_scales<0>(meta::settled(a), meta::settled(a_scale)),
                        meta::with_scales<1>(meta::settled(b), meta::settled(b_scale)), sums);
  return sums;
}

}  // namespace tile2cpp
