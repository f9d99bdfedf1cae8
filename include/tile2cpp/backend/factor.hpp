// backend/factor.hpp: the type in which products are summed.
#pragma once

#include "tile2cpp/mma_types.hpp"

namespace tile2cpp::backend {

/// Sums of integers are unsigned here, so that they wrap around.
template <class C>
using sum_t = meta::conditional_t<integral<C>, unsigned, meta::conditional_t<meta::is_same<C, double>, double, float>>;

/// A factor, or an accumulator, as a number of the type in which products are summed.
template <class Sum, class E>
T2C_FN Sum as_factor(E const& value) {
  if constexpr (integral<E>) return static_cast<Sum>(static_cast<int>(value));
  else return meta::convert<Sum>(value);
}

template <class C, class Sum>
T2C_FN C from_sum(Sum sum) {
  if constexpr (integral<C>) return static_cast<C>(static_cast<int>(sum));
  else return meta::convert<C>(sum);
}

}  // namespace tile2cpp::backend
