// mma.hpp: matrix products of tiles, of rank 2 or in batches of rank 3.
//
// Products are exact in the type they are summed in: float for all narrower floating types, double, or 32-bit
// integers that wrap around. A half accumulator is rounded once per call.
#pragma once

#include "tile2cpp/backend/multiply.hpp"
#include "tile2cpp/create.hpp"
#include "tile2cpp/mma_types.hpp"
#include "tile2cpp/scaled_mma.hpp"

namespace tile2cpp {

/// a * b + c, in the type of `c`.
template <class A, class B, class C>
  requires mma_compatible<A, B, C>
[[nodiscard]] T2C_FN C mma(A a, B b, C c) {
  backend::multiply_add(a, b, c);
  return c;
}

/// a * b, summed from zero; half and fp8 factors give half.
template <class A, class B>
  requires matmul_compatible<A, B>
[[nodiscard]] T2C_FN matmul_result_t<A, B> matmul(A a, B b) {
  return mma(a, b, zeros<matmul_result_t<A, B>>());
}

}  // namespace tile2cpp
