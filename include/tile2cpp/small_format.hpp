// small_format.hpp: floating formats narrower than float, and conversion by integer arithmetic on the bits.
#pragma once

#include "tile2cpp/meta.hpp"
#include "tile2cpp/tags.hpp"

namespace tile2cpp::meta {

/// A format with a sign bit on top. `overflow` is what numbers beyond `largest` become: infinity, or
/// `largest` again where the format has none or its conversion saturates.
struct small_format {
  int exponent, fraction;
  unsigned largest, overflow, nan;
  T2C_BOTH constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
};

inline constexpr small_format half_format{5, 10, 0x7bff, 0x7c00, 0x7fff};
inline constexpr small_format bfloat16_format{8, 7, 0x7f7f, 0x7f80, 0x7fff};
inline constexpr small_format tf32_format{8, 10, 0x3fbff, 0x3fc00, 0x3ffff};
inline constexpr small_format e4m3_format{4, 3, 0x7e, 0x7e, 0x7f};
inline constexpr small_format e5m2_format{5, 2, 0x7b, 0x7b, 0x7f};
inline constexpr small_format ue5m3_format{5, 3, 0xfe, 0xfe, 0xff};
inline constexpr small_format e2m1_format{2, 1, 0x7, 0x7, 0x7};

T2C_BOTH constexpr bool rounds_up(rounding_mode mode, bool negative, bool odd, unsigned rest, unsigned half) {
  switch (mode) {
    case rounding_mode::round_toward_zero: return false;
    case rounding_mode::round_toward_negative: return negative && rest != 0;
    case rounding_mode::round_toward_positive: return !negative && rest != 0;
    case rounding_mode::round_ties_to_away: return rest >= half;
    default: return rest > half || (rest == half && odd);
  }
}

/// Whether a number beyond the largest finite one stops there.
T2C_BOTH constexpr bool stops_at_largest(rounding_mode mode, bool negative) {
  if (mode == rounding_mode::round_toward_negative) return !negative;
  if (mode == rounding_mode::round_toward_positive) return negative;
  return mode == rounding_mode::round_toward_zero;
}

/// The bits of `x` in format F, rounded once in direction M.
template <small_format F, rounding_mode M = rounding_mode::round_ties_to_even>
T2C_BOTH constexpr unsigned narrow_bits(float x) {
  unsigned const bits = __builtin_bit_cast(unsigned, x), size = bits & 0x7fffffffu;
  bool const negative = bits >> 31;
  unsigned const sign = (bits >> 31) << (F.exponent + F.fraction);
  if (size > 0x7f800000u) return F.exponent == 2 ? F.nan : sign | F.nan;
  if (size == 0x7f800000u) return sign | F.overflow;

  int const biased = static_cast<int>(size >> 23);
  int const power = (biased == 0 ? 1 : biased) - 127;
  unsigned const digits = (size & 0x7fffffu) | (biased == 0 ? 0u : 0x800000u);
  bool const subnormal = power < 1 - F.bias();
  int shift = 23 - F.fraction + (subnormal ? 1 - F.bias() - power : 0);
  if (shift > 25) shift = 25;
  unsigned kept = digits >> shift;
  unsigned const rest = digits & ((1u << shift) - 1), half = 1u << (shift - 1);
  if (rounds_up(M, negative, kept & 1, rest, half)) ++kept;
  // A carry out of the fraction moves into the exponent, which is what the format wants.
  unsigned result = kept;
  if (!subnormal && biased != 0) result += static_cast<unsigned>(power + F.bias() - 1) << F.fraction;
  if (result > F.largest) result = stops_at_largest(M, negative) ? F.largest : F.overflow;
  return sign | result;
}

/// The bits of a float rounded to tf32, ties to even, as `narrow_bits` would: the exponents are the same, so a carry is right by itself.
T2C_BOTH constexpr unsigned nearest_tf32(unsigned bits) {
  if ((bits & 0x7fffffffu) > 0x7f800000u) return bits | 0x7fffe000u;
  return bits + 0xfffu + (bits >> 13 & 1);  // whose last 13 bits do not count
}

/// float holds every value of the narrower formats; scaling by a power of two also brings subnormals in place.
template <small_format F> T2C_BOTH constexpr float widen_bits(unsigned bits) {
  constexpr unsigned sign_bit = 1u << (F.exponent + F.fraction);
  constexpr float scale = __builtin_bit_cast(float, static_cast<unsigned>(254 - F.bias()) << 23);
  unsigned const size = bits & (sign_bit - 1);
  unsigned const sign = bits & sign_bit ? 0x80000000u : 0u;
  unsigned wide = __builtin_bit_cast(unsigned, __builtin_bit_cast(float, size << (23 - F.fraction)) * scale);
  if (F.overflow > F.largest && size >= F.overflow) wide = 0x7f800000u | (size & ~F.overflow) << (23 - F.fraction);
  if (F.exponent == 4 && size == F.nan) wide = 0x7fffffffu;
  if (F.exponent == 5 && F.fraction == 2 && size >= 0x7c) wide = size == 0x7c ? 0x7f800000u : 0x7fffffffu;
  return __builtin_bit_cast(float, sign | wide);
}

/// e8m0 holds powers of two from 2^-127 to 2^127, as their exponent plus 127, and NaN as 0xff. It has no sign: the
/// magnitude counts, rounded up, or down when M says so.
template <rounding_mode M = rounding_mode::round_toward_positive> T2C_BOTH constexpr unsigned char narrow_to_e8m0(float x) {
  unsigned const size = __builtin_bit_cast(unsigned, x) & 0x7fffffffu;
  if (size > 0x7f800000u) return 0xff;
  unsigned const fraction = size & 0x7fffffu;
  bool const exact = fraction == 0 || size <= 0x400000u;  // 0x400000 is 2^-127, a subnormal float
  unsigned const power = (size >> 23) + (M == rounding_mode::round_toward_positive && !exact ? 1 : 0);
  return static_cast<unsigned char>(power > 254 ? 254 : power);
}

/// double to float such that a second rounding, to a format of fewer digits, gives what one rounding would:
/// toward zero, with the last digit set when anything was lost.
T2C_BOTH constexpr float round_to_odd(double x) {
  float near = static_cast<float>(x);
  double const back = static_cast<double>(near);
  if (back == x || x != x || back - back != 0) return near;
  unsigned bits = __builtin_bit_cast(unsigned, near);
  bool const too_large = (back > x) == (x > 0);
  if (too_large) --bits;
  return __builtin_bit_cast(float, bits | 1u);
}

}  // namespace tile2cpp::meta
