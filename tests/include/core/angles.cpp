// Sine, cosine and tangent as GPUs compute them: within 2 units in the last place, tangents within 3, for angles of any size.
#include <cuda_tile.h>
#include <random>
#include "tile2cpp/backend/simt/angles.hpp"

#include "check.hpp"

namespace backend = tile2cpp::backend;

/// How many units in the last place of a float or double `got` is from `wanted`.
template <class F> double units(F got, long double wanted) {
  int exponent;
  std::frexp(wanted, &exponent);
  return double(std::fabs((got - wanted) / std::ldexp(1.0L, exponent - std::numeric_limits<F>::digits)));
}

template <class F> void check_angle(F x) {
  long double const exact = x;
  CHECK(units(backend::sine(x), std::sin(exact)) <= 2);
  CHECK(units(backend::cosine(x), std::cos(exact)) <= 2);
  CHECK(units(backend::tangent(x), std::tan(exact)) <= 3);
}

template <class F> void check_angles(int last_exponent) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  for (int exponent = -30; exponent < last_exponent; ++exponent)
    for (int i = 0; i < 2000; ++i) check_angle(std::ldexp(F(mantissa(random)), exponent));
  for (int k = 1; k < 200000; k += 7) check_angle(F(k * 1.5707963267948966));  // where one of them is nearly 0
}

template <class F> void check_special() {
  F const infinity = std::numeric_limits<F>::infinity(), smallest = std::numeric_limits<F>::denorm_min();
  CHECK(std::signbit(backend::sine(F(-0.0))) && std::signbit(backend::tangent(F(-0.0))) && !std::signbit(backend::sine(F(0))));
  CHECK_EQUAL(backend::cosine(F(-0.0)), 1);
  CHECK_EQUAL(backend::sine(-smallest), -smallest);
  for (F x : {infinity, -infinity, std::numeric_limits<F>::quiet_NaN()})
    CHECK(std::isnan(backend::sine(x)) && std::isnan(backend::cosine(x)) && std::isnan(backend::tangent(x)));
}

int main() {
  check_angles<float>(128);
  check_angles<double>(62);  // larger angles are no better known to the host's library
  check_special<float>();
  check_special<double>();
  double const closest = std::ldexp(6381956970095103.0, 797);  // of all doubles, to a whole number of quarter turns
  CHECK_EQUAL(backend::cosine(closest), -0x1.14ae72e6ba22fp-61);
  CHECK_EQUAL(backend::sine(closest), 1);
  CHECK_EQUAL(backend::tangent(closest), -0x1.d9ba9a7975636p+60);
  return failures();
}
