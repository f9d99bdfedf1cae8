// backend/simt/angles.hpp: sine, cosine and tangent of float and double, in registers alone.
//
// The device library keeps the reduction of large angles on the stack of the thread, which every kernel with a sine
// then pays for. An angle is reduced to at most an eighth of a turn either way, and the quarter turns taken away decide
// which of two polynomials follows. Results are within 2 units in the last place, of a tangent 3.
#pragma once

#include "tile2cpp/arithmetic.hpp"

namespace tile2cpp::backend {

/// An angle without its quarter turns: what is left, in radians, and how many were taken away, modulo 4.
template <class F> struct reduced_angle {
  F rest;
  int quarters;
};

/// Constants of one floating type. `part`: pi / 2 as a sum, to three times the precision; `round` added rounds to
/// integers; above `most` the parts no longer suffice. `sine` and `cosine` are polynomials of rest^2, without their
/// first term, made to be exact at Chebyshev's points.
template <class F> struct angle_numbers;
template <> struct angle_numbers<float> {
  static constexpr int terms = 4, mantissa_bits = 23, bias = 127;
  float per_radian = 0x1.45f306p-1f, round = 0x1.8p23f, most = 0x1p17f;
  float part[3] = {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f};
  float sine[terms] = {-0x1.555552p-3f, 0x1.110c28p-7f, -0x1.9ac9bp-13f, 0.0f};
  float cosine[terms] = {-0.5f, 0x1.555554p-5f, -0x1.6c12d2p-10f, 0x1.9bd89cp-16f};
};
template <> struct angle_numbers<double> {
  static constexpr int terms = 7, mantissa_bits = 52, bias = 1023;
  double per_radian = 0x1.45f306dc9c883p-1, round = 0x1.8p52, most = 0x1p30;
  double part[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
  double sine[terms] = {-0x1.5555555555555p-3,  0x1.111111111111p-7,   -0x1.a01a01a019938p-13, 0x1.71de3a546095bp-19,
                        -0x1.ae645412c560cp-26, 0x1.61217f0b800d5p-33, -0x1.ab17d404de5b3p-41};
  double cosine[terms] = {-0.5,                  0x1.5555555555555p-5,  -0x1.6c16c16c16967p-10, 0x1.a01a019f4eb01p-16,
                          -0x1.27e4fa17da09ep-22, 0x1.1eeb68e93b64cp-29, -0x1.907da367a37cbp-37};
};

template <class F> T2C_FN F fused_angle(F a, F b, F c) { return fma<meta::to_nearest, meta::keep_subnormals>(a, b, c); }

template <class F> T2C_FN reduced_angle<F> reduce_small(F x) {
  constexpr angle_numbers<F> n{};
  F const shifted = fused_angle(x, n.per_radian, n.round), quarters = shifted - n.round;
  F rest = x;
  T2C_UNROLL
  for (int i = 0; i < 3; ++i) rest = fused_angle(-quarters, n.part[i], rest);
  return {quarters == 0 ? x : rest, static_cast<int>(meta::bit_cast<meta::unsigned_of<F>>(shifted) & 3)};  // -0 stays
}

/// 64 bits of 2 / pi; the point is in front of bit 64.
T2C_FN unsigned long long bits_of_two_by_pi(int first) {
  static constexpr unsigned long long words[] = {
      0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
      0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
      0x56033046fc7b6bab};
  int const word = first >> 6, shift = first & 63;
  return words[word] << shift | words[word + 1] >> 1 >> (63 - shift);
}

T2C_FN int leading_zeros(unsigned long long x) {
#ifdef T2C_GPU
  return __clzll(static_cast<long long>(x));
#else
  return __builtin_clzll(x);
#endif
}

/// |x| = m * 2^e is multiplied by those bits of 2 / pi that count modulo 4; the result has 2 bits in front of the point
/// and 126 behind it. No double comes closer to a whole number of quarter turns than 2^-62 of one.
template <class F> T2C_FN reduced_angle<F> reduce_large(F x) {
  using bits = meta::unsigned_of<F>;
  constexpr int mantissa_bits = angle_numbers<F>::mantissa_bits, bias = angle_numbers<F>::bias;
  constexpr bits one = bits{1} << mantissa_bits, sign = bits{1} << (8 * sizeof(F) - 1);
  bits const magnitude = static_cast<bits>(meta::bit_cast<bits>(x) & ~sign);
  unsigned long long const m = (magnitude & (one - 1)) | one;
  int const first = static_cast<int>(magnitude >> mantissa_bits) - bias - mantissa_bits - 2 + 64;
  unsigned long long const a = bits_of_two_by_pi(first), b = bits_of_two_by_pi(first + 64), c = bits_of_two_by_pi(first + 128);
  unsigned long long low = m * b + high_product(m, c);
  unsigned long long high = m * a + high_product(m, b) + (low < m * b ? 1 : 0);
  int const quarters = static_cast<int>((high + (1ull << 61)) >> 62);
  high -= static_cast<unsigned long long>(quarters) << 62;
  bool const behind = high >> 63;
  if (behind) {
    low = 0 - low;
    high = ~high + (low == 0 ? 1 : 0);
  }
  int const zeros = leading_zeros(high);
  unsigned long long const scaled = high_product(high << zeros | low >> 1 >> (63 - zeros), 0xc90fdaa22168c235ull);  // by pi / 4
  F const rest = static_cast<F>(scaled) * meta::bit_cast<F>(static_cast<bits>(bias - 61 - zeros) << mantissa_bits);
  bool const negative = meta::bit_cast<bits>(x) & sign, finite = magnitude >> mantissa_bits <= 2 * bias;
  return {finite ? (behind != negative ? -rest : rest) : x - x, negative ? -quarters : quarters};
}

template <class F> T2C_FN reduced_angle<F> reduce(F x) {
  constexpr F most = angle_numbers<F>{}.most;
  return x <= most && x >= -most ? reduce_small(x) : reduce_large(x);
}

/// Sine of a reduced angle; `quarters` more make it a cosine, or turn its sign.
template <class F> T2C_FN F wave(F rest, int quarters) {
  constexpr angle_numbers<F> n{};
  bool const odd = quarters & 1;
  F const square = rest * rest, first = odd ? F(1) : rest;
  F sum = odd ? n.cosine[n.terms - 1] : n.sine[n.terms - 1];
  T2C_UNROLL
  for (int k = n.terms - 2; k >= 0; --k) sum = fused_angle(sum, square, odd ? n.cosine[k] : n.sine[k]);
  F const value = square == 0 ? first : fused_angle(square * first, sum, first);  // keeps the sign of zero
  return quarters & 2 ? -value : value;
}

template <class F> T2C_FN F sine(F x) {
  auto const angle = reduce(x);
  return wave(angle.rest, angle.quarters);
}
template <class F> T2C_FN F cosine(F x) {
  auto const angle = reduce(x);
  return wave(angle.rest, angle.quarters + 1);
}
template <class F> T2C_FN F tangent(F x) {
  auto const angle = reduce(x);
  F const s = wave(angle.rest, 0), c = wave(angle.rest, 1);
  bool const odd = angle.quarters & 1;
  return div<meta::to_nearest, meta::keep_subnormals>(odd ? -c : s, odd ? s : c);
}

}  // namespace tile2cpp::backend
