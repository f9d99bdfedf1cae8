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

/// e8m0 holds powers of two from 2^-127 to 2^127 and NaN.
template <rounding_mode M> T2C_FN unsigned char narrow_to_e8m0(float x) {
  unsigned const bits = bit_cast<unsigned>(x), size = bits & 0x7fffffffu;
  if (size > 0x7f800000u || (bits >> 31 && size != 0)) return 0xff;
  unsigned const up = M == rounding_mode::round_toward_positive && (size & 0x7fffffu) != 0 ? 1 : 0;
  unsigned const power = (size >> 23) + up;
  return static_cast<unsigned char>(power > 254 ? 254 : power);
}

}  // namespace tile2cpp::meta
