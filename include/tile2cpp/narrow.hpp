// narrow.hpp: float to narrower formats in a given rounding direction, by integer arithmetic on the bits.
#pragma once

#include "tile2cpp/arithmetic.hpp"

namespace tile2cpp::meta {

/// Bits of the fraction and of the exponent of a format with a sign.
template <class E> struct format;
template <> struct format<__half> { static constexpr int exponent = 5, fraction = 10; };
template <> struct format<__nv_bfloat16> { static constexpr int exponent = 8, fraction = 7; };
template <> struct format<__nv_tf32> { static constexpr int exponent = 8, fraction = 10; };

T2C_BOTH constexpr bool rounds_up(rounding_mode mode, bool negative, bool odd, unsigned rest, unsigned half) {
  switch (mode) {
    case rounding_mode::round_toward_zero: return false;
    case rounding_mode::round_toward_negative: return negative && rest != 0;
    case rounding_mode::round_toward_positive: return !negative && rest != 0;
    case rounding_mode::round_ties_to_away: return rest >= half;
    default: return rest > half || (rest == half && odd);
  }
}

/// Whether a number beyond the largest finite one becomes infinity.
T2C_BOTH constexpr bool overflows_to_infinity(rounding_mode mode, bool negative) {
  if (mode == rounding_mode::round_toward_zero) return false;
  if (mode == rounding_mode::round_toward_negative) return negative;
  if (mode == rounding_mode::round_toward_positive) return !negative;
  return true;
}

/// The bits of `x` in a format of `Exponent` and `Fraction` bits, below them a sign bit on top.
template <int Exponent, int Fraction, rounding_mode M> T2C_BOTH constexpr unsigned narrow_bits(float x) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  constexpr unsigned infinity = ((1u << Exponent) - 1) << Fraction;
  unsigned const bits = bit_cast<unsigned>(x), size = bits & 0x7fffffffu;
  bool const negative = bits >> 31;
  unsigned const sign = (bits >> 31) << (Exponent + Fraction);
  if (size > 0x7f800000u) return sign | infinity | 1u << (Fraction - 1);
  if (size == 0x7f800000u) return sign | infinity;

  int const biased = static_cast<int>(size >> 23);
  int const power = (biased == 0 ? 1 : biased) - 127;
  unsigned const digits = (size & 0x7fffffu) | (biased == 0 ? 0u : 0x800000u);
  bool const subnormal = power < 1 - bias;
  int shift = 23 - Fraction + (subnormal ? 1 - bias - power : 0);
  if (shift > 25) shift = 25;
  unsigned kept = digits >> shift;
  unsigned const rest = digits & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (rounds_up(M, negative, kept & 1, rest, half)) ++kept;
  // A carry out of the fraction moves into the exponent, which is what the format wants.
  unsigned result = kept;
  if (!subnormal && biased != 0) result = kept + (static_cast<unsigned>(power + bias - 1) << Fraction);
  if (result >= infinity) result = overflows_to_infinity(M, negative) ? infinity : infinity - 1;
  return sign | result;
}

template <class E, rounding_mode M> T2C_FN E narrow(float x) {
  unsigned const bits = narrow_bits<format<E>::exponent, format<E>::fraction, M>(x);
  if constexpr (sizeof(E) == 4) return bit_cast<E>(bits << (23 - format<E>::fraction));
  else return bit_cast<E>(static_cast<unsigned short>(bits));
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
