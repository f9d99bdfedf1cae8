// mma.hpp: matrix products of tiles, of rank 2 or in batches of rank 3.
//
// Products are exact in the type they are summed in: float for all narrower floating types, double, or 32-bit
// integers that wrap around. A half accumulator is rounded once per call.
#pragma once

#include "tile2cpp/backend/multiply.hpp"
#include "tile2cpp/cast.hpp"
#include "tile2cpp/create.hpp"
#include "tile2cpp/loaded.hpp"
#include "tile2cpp/mma_types.hpp"
#include "tile2cpp/scaled_mma.hpp"

namespace tile2cpp {

namespace meta {

template <class A, class B, class C> T2C_FN void multiply_tiles(A const& a, B const& b, C& c) { backend::multiply_add(a, b, c); }

#if defined(T2C_TENSOR_CORES) && !defined(T2C_WARPGROUPS)
/// Factors straight from loads are fetched by the product itself.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC>
  requires(backend::streams<A, SA, SpanA, B, SB, SpanB, C, SC>())
T2C_FN void multiply_tiles(loaded_tile<A, SA, SpanA> const& a, loaded_tile<B, SB, SpanB> const& b, tile<C, SC>& c) {
  if (a.fresh() && b.fresh()) backend::multiply_streamed(a.source(), b.source(), c);
  else backend::multiply_add(a, b, c);
}
template <class SA, class SpanA, class SB, class SpanB, class SC>
  requires(backend::streams<__nv_tf32, SA, SpanA, __nv_tf32, SB, SpanB, float, SC>())
T2C_FN void multiply_tiles(rounded_tile<SA, SpanA> const& a, rounded_tile<SB, SpanB> const& b, tile<float, SC>& c) {
  if (a.fresh() && b.fresh()) backend::multiply_streamed(a.source(), b.source(), c);
  else backend::multiply_add(a, b, c);
}
#endif

#ifdef T2C_WARPGROUPS
/// On warpgroups, if the factors are still those of the arrays that the product would fetch them from.
template <class A, class B, class C> T2C_FN auto multiply_running(A const& a, B const& b, C const& c, bool overtaken) {
  using running = running_tile<tile_element_t<C>, tile_shape_t<C>>;
  running result = as_running(c);
#if T2C_FIXED_LOADS
  backend::multiply_on_warpgroups(a, b, result);
  if constexpr (!backend::has_narrow_sums<tile_element_t<A>>) result.run(overtaken);
  if constexpr (keeps_sums) result.settled();
#else
  bool fresh = b.fresh();
  if constexpr (is_placed<A>) fresh = fresh && a.fresh();
  if (fresh) {
    backend::multiply_on_warpgroups(a, b, result);
    if constexpr (!backend::has_narrow_sums<tile_element_t<A>>) result.run(overtaken);
    if constexpr (keeps_sums) result.settled();
  } else {
    auto sums = result.settled();
    backend::multiply_add(tile<tile_element_t<A>, tile_shape_t<A>>(settled(a)), tile<tile_element_t<B>, tile_shape_t<B>>(settled(b)), sums);
    result = sums;
  }
#endif
  return result;
}

/// Whether the product has too few rows for warpgroups, but is fed as theirs are.
template <class A, class B, class C> T2C_BOTH constexpr bool is_flat() {
#if T2C_FLAT
  return backend::has_flat_product<A, B, C>();
#else
  return false;
#endif
}
template <class A, class B, class C> T2C_FN void multiply_flat(A const& a, B const& b, C& c) {
#if T2C_FLAT
  backend::multiply_flat(a, b, c);
#endif
}
#endif

}  // namespace meta

/// a * b + c, in the type of `c`.
#ifdef T2C_WARPGROUPS
template <class A, class B, class C>
  requires mma_compatible<A, B, C>
[[nodiscard]] T2C_FN auto mma(A const& a, B const& b, C const& c, [[maybe_unused]] int line = __builtin_LINE()) {
  if constexpr (backend::has_warpgroup_product<A, B, C>()) {
    return meta::multiply_running(a, b, c, overtaken_lines.has(line));
  } else if constexpr (backend::has_warpgroup_product<A, B, meta::wide_sums<C>>()) {
    auto const sums = meta::multiply_running(a, b, element_cast<float>(meta::settled(c)), false);
    return element_cast<tile_element_t<C>>(sums.settled());
  } else {
    meta::remove_cv_t<C> result = meta::settled(c);
    if constexpr (meta::is_flat<A, B, C>()) meta::multiply_flat(a, b, result);
    else meta::multiply_tiles(meta::settled(a), meta::settled(b), result);
    return result;
  }
}
#else
template <class A, class B, class C>
  requires mma_compatible<A, B, C>
[[nodiscard]] T2C_FN meta::remove_cv_t<C> mma(A const& a, B const& b, C const& c) {
  meta::remove_cv_t<C> result = c;
  meta::multiply_tiles(a, b, result);
  return result;
}
#endif

/// a * b, summed from zero; half and fp8 factors give half.
template <class A, class B>
  requires matmul_compatible<A, B>
[[nodiscard]] T2C_FN matmul_result_t<A, B> matmul(A const& a, B const& b) {
#ifdef T2C_WARPGROUPS
  using wide = meta::wide_sums<matmul_result_t<A, B>>;
  if constexpr (backend::has_warpgroup_product<A, B, wide>()) return element_cast<tile_element_t<matmul_result_t<A, B>>>(meta::settled(mma(a, b, zeros<wide>())));
  else
#endif
    return mma(a, b, zeros<matmul_result_t<A, B>>());
}

}  // namespace tile2cpp
