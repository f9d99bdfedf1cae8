// Values: what operators, functions, casts and the small floating types compute, on the host.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include "check.hpp"

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E, size_t... N> using T = ct::tile<E, ct::shape<N...>>;
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan_ = std::numeric_limits<float>::quiet_NaN();

void check_integers() {
  T<int, 4> const a({-7, 7, -7, 7}), b({2, 2, -2, -2});
  T<int, 4> const quotient({-4, 3, 3, -4}), up({-3, 4, 4, -3}), rest({-1, 1, -1, 1});
  for (int i = 0; i < 4; ++i) {
    CHECK_EQUAL(ct::floordiv(a, b).own[i], quotient.own[i]);
    CHECK_EQUAL(ct::ceildiv(a, b).own[i], up.own[i]);
    CHECK_EQUAL((a % b).own[i], rest.own[i]);
    CHECK_EQUAL(ct::remainder(a, b).own[i], rest.own[i]);
  }
  CHECK_EQUAL((T<signed char, 1>({127}) + T<signed char, 1>({1})).own[0], -128);
  CHECK_EQUAL((T<int, 1>({1 << 30}) * 4).own[0], 0);
  CHECK_EQUAL((-T<short, 1>({-32768})).own[0], -32768);
  CHECK_EQUAL(ct::abs(T<short, 1>({-5})).own[0], 5);
  CHECK_EQUAL((T<int, 1>({1}) / 0).own[0], -1);
  CHECK_EQUAL((T<int, 1>({-2147483647 - 1}) / -1).own[0], -2147483647 - 1);
  CHECK_EQUAL((T<bool, 1>({true}) + T<bool, 1>({true})).own[0], false);
  CHECK_EQUAL(ct::sum<0>(T<bool, 4>({true, true, true, false})).own[0], true);
  CHECK_EQUAL((T<int, 1>({-16}) >> 2).own[0], -4);
  CHECK_EQUAL((T<int, 1>({-16}) >> 40).own[0], -1);
  CHECK_EQUAL((T<unsigned, 1>({16u}) >> 32).own[0], 0u);
  CHECK_EQUAL((T<unsigned char, 1>({200}) << 1).own[0], 144);
  CHECK_EQUAL(ct::mulhi(T<int, 1>({1 << 30}), T<int, 1>({8})).own[0], 2);
  CHECK_EQUAL(ct::mulhi(T<unsigned long long, 1>({~0ull}), T<unsigned long long, 1>({2ull})).own[0], 1ull);
  CHECK_EQUAL(ct::mulhi(-4ll, 1ll), -1ll);
  CHECK_EQUAL((~T<bool, 1>({true})).own[0], false);
  CHECK_EQUAL(ct::powi(T<float, 1>({2.0f}), T<int, 1>({-3})).own[0], 0.125f);
  CHECK_EQUAL(ct::max(short{3}, short{4}), 4);
}

void check_extremes() {
  CHECK_EQUAL(ct::max(nan_, 1.0f), 1.0f);
  CHECK_EQUAL(ct::min(1.0, double(nan_)), 1.0);
  CHECK(std::isnan(ct::max(nan_, 1.0f, ct::propagate_nan_t{})));
  CHECK(!std::signbit(ct::max(-0.0f, 0.0f)) && !std::signbit(ct::max(0.0f, -0.0f)));
  CHECK(std::signbit(ct::min(-0.0f, 0.0f)) && std::signbit(ct::min(0.0f, -0.0f)));
  T<float, 4> const x({3.0f, nan_, 7.0f, -1.0f});
  CHECK_EQUAL(ct::reduce_max<0>(x).own[0], 7);
  CHECK(std::isnan(ct::reduce_min(x, 0_ic, ct::propagate_nan_t{}).own[0]));
  CHECK_EQUAL(ct::max_element<0>(T<int, 8>({1, 9, 3, 9, 0, 0, 9, 2})).own[0], 1u);
  CHECK_EQUAL(ct::min_element<0>(T<int, 8>({1, 9, 3, 9, 0, 0, 9, 2})).own[0], 4u);
  CHECK((T<float, 1>({nan_}) != 1.0f).own[0] && !(T<float, 1>({nan_}) == T<float, 1>({nan_})).own[0]);
  CHECK(ct::isnan(x).own[1] && !ct::isnan(x).own[0] && ct::isinf(T<float, 1>({-inf})).own[0]);
}

void check_rounding() {
  constexpr float third = 1.0f / 3;
  CHECK(ct::div(1.0f, 3.0f, ct::round_toward_positive_t{}) > ct::div(1.0f, 3.0f, ct::round_toward_zero_t{}));
  CHECK_EQUAL(ct::div(1.0f, 3.0f), third);
  CHECK_EQUAL(ct::add(1.0f, 1e-10f, ct::round_toward_positive_t{}), 1.0f + 0x1p-23f);
  CHECK_EQUAL(ct::add(1.0f, -1e-10f, ct::round_toward_zero_t{}), 1.0f - 0x1p-24f);
  CHECK_EQUAL(ct::mul(1e-30f, 1e-10f, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}), 0.0f);
  CHECK(ct::mul(1e-30f, 1e-10f) != 0.0f);
  CHECK_EQUAL(ct::fma(1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1.0f), 0x1p-22f + 0x1p-46f);
  CHECK_EQUAL(ct::sqrt(2.0, ct::round_toward_negative_t{}), 0x1.6a09e667f3bccp+0);
  CHECK_EQUAL(ct::sqrt(2.0, ct::round_toward_positive_t{}), 0x1.6a09e667f3bcdp+0);
  CHECK_EQUAL(float(ct::add(__half(1.0f), __half(0x1p-14f), ct::round_toward_positive_t{})), 1.0f + 0x1p-10f);
  CHECK_EQUAL(float(ct::sub(__half(1.0f), __half(0x1p-14f), ct::round_toward_zero_t{})), 1.0f - 0x1p-11f);
  CHECK_EQUAL(ct::element_cast<float>(1.0 + 0x1p-40, ct::round_toward_positive_t{}), 1.0f + 0x1p-23f);
  CHECK_EQUAL(ct::element_cast<float>(-1.0 - 0x1p-40, ct::round_toward_negative_t{}), -1.0f - 0x1p-23f);
  CHECK_EQUAL(float(ct::element_cast<__half>(65519.0f)), 65504.0f);
  CHECK_EQUAL(float(ct::element_cast<__half>(65520.0f)), inf);
  CHECK_EQUAL(float(ct::element_cast<__half>(70000.0f, ct::round_toward_zero_t{})), 65504.0f);
  // Once rounded, not twice: the double lies just above a tie that float would fall onto.
  CHECK_EQUAL(float(ct::element_cast<__half>(1.0 + 0x1p-11 + 0x1p-40)), 1.0f + 0x1p-10f);
  CHECK_EQUAL(float(ct::element_cast<__nv_tf32>(1.0f + 0x1p-11f)), 1.0f);
  CHECK_EQUAL(float(ct::element_cast<__nv_tf32>(1.0f + 0x1p-11f, ct::round_ties_to_away_t{})), 1.0f + 0x1p-10f);
}

void check_casts() {
  CHECK_EQUAL(ct::element_cast<int>(-2.9f), -2);
  CHECK_EQUAL(ct::element_cast<bool>(nan_), true);
  CHECK_EQUAL(ct::element_cast<bool>(0.5f), true);
  CHECK_EQUAL(ct::element_cast<float>(true), 1.0f);
  CHECK_EQUAL(ct::element_cast<unsigned char>(300), 44);
  CHECK_EQUAL(ct::element_cast<long>(short{-1}), -1l);
  CHECK_EQUAL(ct::element_cast<signed char>(1000.0f, ct::saturate_finite_t{}), 127);
  CHECK_EQUAL(ct::element_cast<signed char>(-inf, ct::saturate_finite_t{}), -128);
  CHECK_EQUAL(ct::element_cast<unsigned>(-3.0, ct::saturate_finite_t{}), 0u);
  CHECK_EQUAL(ct::element_cast<unsigned long long>(1e30, ct::saturate_finite_t{}), ~0ull);
  CHECK_EQUAL(ct::element_cast<int>(2147483000.0f, ct::saturate_finite_t{}), 2147483008);
  CHECK_EQUAL(ct::element_cast<int>(__half(-7.7f), ct::saturate_finite_t{}), -7);
  CHECK_EQUAL(ct::element_bitcast<int>(1.0f), 0x3f800000);
  int x = 0;
  CHECK_EQUAL(ct::element_cast<bool>(&x), true);
  CHECK(ct::element_bitcast<int*>(ct::element_bitcast<long>(&x)) == &x);
}

template <class Small> void check_small_type(int bits, float largest) {
  for (int i = 0; i < 1 << bits; ++i) {
    Small const x = ct::meta::bit_cast<Small>(static_cast<ct::meta::unsigned_of<Small>>(i));
    float const wide = ct::element_cast<float>(x);
    if (wide != wide) {
      CHECK(ct::isnan(x));
    } else {
      Small const back = ct::element_cast<Small>(wide);
      if (std::isfinite(wide)) CHECK_EQUAL(ct::meta::bit_cast<ct::meta::unsigned_of<Small>>(back), i);
      CHECK(std::fabs(wide) <= largest || std::isinf(wide));
    }
  }
}

void check_small_types() {
  check_small_type<__half>(16, 65504.0f);
  check_small_type<__nv_bfloat16>(16, 3.3895314e38f);
  check_small_type<__nv_fp8_e4m3>(8, 448.0f);
  check_small_type<__nv_fp8_e5m2>(8, 57344.0f);
  check_small_type<__nv_fp4_e2m1>(4, 6.0f);
  CHECK_EQUAL(float(__nv_fp8_e4m3(1000.0f)), 448.0f);
  CHECK_EQUAL(float(__nv_fp8_e4m3(464.0f)), 448.0f);
  CHECK_EQUAL(float(__nv_fp8_e5m2(1e9f)), 57344.0f);
  CHECK_EQUAL(float(__nv_fp8_e4m3(0.0009765625f)), 0.0f);
  CHECK_EQUAL(float(__nv_fp8_e4m3(0.001f)), 0.001953125f);
  CHECK_EQUAL(float(__nv_fp8_e8m0(3.0f)), 4.0f);
  CHECK_EQUAL(float(ct::element_cast<__nv_fp8_e8m0>(3.0f, ct::round_toward_zero_t{})), 2.0f);
  CHECK_EQUAL(float(__nv_fp4_e2m1(5.0f)), 4.0f);
#if defined(__FLT16_MAX__)
  for (int i = 0; i < 1 << 16; ++i)
    for (float step : {0.0f, 0.3f, 0.5f, 0.7f}) {
      _Float16 const native = __builtin_bit_cast(_Float16, static_cast<unsigned short>(i));
      if (native != native) continue;
      float const near = float(native) * (1 + step * 0x1p-10f);
      CHECK_EQUAL(float(__half(near)), float(static_cast<_Float16>(near)));
      CHECK_EQUAL(float(__half_raw{static_cast<unsigned short>(i)}.x), float(i));
    }
#endif
  __half h(2.5f);
  h += __half(1);
  CHECK(h == __half(3.5f) && -h < h && float(__hfma(h, h, h)) == 15.75f && static_cast<int>(h) == 3);
}

void check_math() {
  T<float, 8> const x({-2.0f, -0.5f, 0.0f, 0.25f, 1.0f, 2.0f, 10.0f, 80.0f});
  for (int i = 0; i < 8; ++i) {
    float const v = x.own[i];
    CHECK_NEAR(ct::exp(x).own[i], std::exp(double(v)), 1e-6);
    CHECK_NEAR(ct::tanh(x).own[i], std::tanh(double(v)), 1e-6);
    CHECK_NEAR(ct::exp2(x).own[i], std::exp2(double(v)), 1e-6);
    CHECK_NEAR(ct::atan2(x, 2).own[i], std::atan2(double(v), 2.0), 1e-6);
    CHECK_EQUAL(ct::floor(x).own[i], std::floor(v));
    if (v > 0) CHECK_NEAR(ct::rsqrt(x).own[i], 1 / std::sqrt(double(v)), 1e-7);
    if (v > 0) CHECK_NEAR(ct::pow(x, 1.5f).own[i], std::pow(double(v), 1.5), 1e-6);
    CHECK_EQUAL(float(ct::exp(ct::element_cast<__half>(ct::min(x, 4))).own[i]), float(__half(std::exp(std::min(v, 4.0f)))));
  }
  CHECK_EQUAL(ct::remainder(-7.5f, 2.0f), -1.5f);
  CHECK_EQUAL(ct::sqrt(4.0f), 2.0f);
}

void check_half_sums() {
  // 2048 ones: adding one by one in half would stop at 2048, and so would pairs of 1.0009765625.
  auto ones = ct::full<T<__half, 4096>>(__half(1.0009765625f));
  CHECK_EQUAL(float(ct::sum<0>(ones).own[0]), 4100.0f);
  auto running = ct::partial_sum<0>(ct::full<T<__nv_bfloat16, 512>>(__nv_bfloat16(1)));
  CHECK_EQUAL(float(running.own[511]), 512.0f);
  CHECK_EQUAL(ct::prod<0>(T<double, 4>({1.0, 2.0, 3.0, 4.0})).own[0], 24.0);
}

void check_scalars() {
  auto t = ct::sum<0>(ct::iota<T<int, 16>>());
  CHECK_EQUAL(int(t), 120);
  CHECK(t ? true : false);
  float column[4] = {0, 1, 2, 3};
  auto p = &column[0] + ct::iota<T<int, 4>>();
  CHECK_EQUAL(*p.own[3], 3.0f);
  CHECK_EQUAL((p - &column[0]).own[2], 2);
  CHECK((p != nullptr).own[0] && (p < p + 1).own[1]);
  auto chosen = ct::select(ct::iota<T<int, 4>>() > 1, ct::full<T<float, 2, 4>>(1), ct::zeros<T<float, 2, 4>>());
  CHECK_EQUAL(chosen.own[5], 0.0f);
  CHECK_EQUAL(chosen.own[6], 1.0f);
  CHECK_EQUAL(ct::full<float>(2), 2.0f);
}

int main() {
  check_integers();
  check_extremes();
  check_rounding();
  check_casts();
  check_small_types();
  check_math();
  check_half_sums();
  check_scalars();
  return failures() != 0;
}
