// mma.hpp: matrix products of tiles, of rank 2 or in batches of rank 3.
//
// Products are exact in the type they are summed in: float for all narrower floating types, double, or 32-bit
// integers that wrap around. A half accumulator is rounded once per call.
#pragma once

#include "tile2cpp/backend/multiply.hpp"
#include "tile2cpp/create.hpp"
#include "tile2cpp/loaded.hpp"
#include "tile2cpp/mma_types.hpp"
#include "tile2cpp/scaled_mma.hpp"

namespace tile2cpp {

namespace meta {

template <class A, class B, class C> T2C_FN void multiply_tiles(A const& a, B const& b, C& c) { backend::multiply_add(a, b, c); }

#ifdef T2C_TENSOR_CORES
/// Factors straight from loads are fetched by the product itself.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC>
  requires(backend::streams<A, SA, SpanA, B, SB, SpanB, C, SC>())
T2C_FN void multiply_tiles(loaded_tile<A, SA, SpanA> const& a, loaded_tile<B, SB, SpanB> const& b, tile<C, SC>& c) {
  if (a.fresh() && b.fresh()) backend::multiply_streamed(a.source(), b.source(), c);
  else backend::multiply_add(a, b, c);
}
#endif

}  // namespace meta

/// a * b + c, in the type of `c`.
template <class A, class B, class C>
  requires mma_compatible<A, B, C>
[[nodiscard]] T2C_FN meta::remove_cv_t<C> mma(A const& a, B const& b, C const& c) {
  meta::remove_cv_t<C> result = c;
  meta::multiply_tiles(a, b, result);
  return result;
}

/// a * b, summed from zero; half and fp8 factors give half.
template <class A, class B>
  requires matmul_compatible<A, B>
[[nodiscard]] T2C_FN matmul_result_t<A, B> matmul(A const& a, B const& b) {
  return mma(a, b, zeros<matmul_result_t<A, B>>());
}

}  // namespace tile2cpp
