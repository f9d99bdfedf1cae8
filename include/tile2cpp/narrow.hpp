// narrow.hpp: float to narrower elements in a given rounding direction.
#pragma once

#include "tile2cpp/arithmetic.hpp"
#include "tile2cpp/small_format.hpp"

namespace tile2cpp::meta {

template <class E> inline constexpr small_format format_of = half_format;
template <> inline constexpr small_format format_of<__nv_bfloat16> = bfloat16_format;

/// `x` as an element of a narrower type, rounded in direction M.
template <class E, rounding_mode M> T2C_FN E narrow(float x) {
  if constexpr (is_same<E, __nv_tf32>) return bit_cast<E>(narrow_bits<tf32_format, M>(x) << 13);
  else return bit_cast<E>(static_cast<unsigned short>(narrow_bits<format_of<E>, M>(x)));
}

}  // namespace tile2cpp::meta
