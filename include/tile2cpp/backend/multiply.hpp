// backend/multiply.hpp: products of tiles on the machine this build is for.
#pragma once

#include "tile2cpp/backend/host/multiply.hpp"
#include "tile2cpp/backend/simt/multiply.hpp"
#ifdef T2C_GPU
#include "tile2cpp/backend/sm80/slices.hpp"
#endif
#ifdef T2C_WARPGROUPS
#include "tile2cpp/backend/sm90/multiply.hpp"
#endif

namespace tile2cpp::backend {

/// c += a * b. One thread works on whole rows; several share the factors through scratch memory, and use matrix
/// instructions where there are some for these elements.
template <class A, class SA, class B, class SB, class C, class SC>
T2C_FN void multiply_add(tile<A, SA> const& a, tile<B, SB> const& b, tile<C, SC>& c) {
  if constexpr (threads == 1) multiply_rows(a, b, c);
#ifdef T2C_GPU
  else if constexpr (has_matrix_instruction<A, SA, B, SB, SC>()) multiply_matrices(a, b, c);
#endif
  else multiply_slabs(a, b, c);
}

}  // namespace tile2cpp::backend
