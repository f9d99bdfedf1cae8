// backend/simt/math.hpp: elementary functions of float and double, from the device library where it keeps to registers.
#pragma once

#include "tile2cpp/backend/simt/angles.hpp"

namespace tile2cpp::backend {

#define T2C_LIBRARY_FUNCTION(name)                              \
  T2C_FN float name(float x) { return ::name##f(x); }           \
  T2C_FN double name(double x) { return ::name(x); }
T2C_LIBRARY_FUNCTION(exp)
T2C_LIBRARY_FUNCTION(log)
T2C_LIBRARY_FUNCTION(log2)
T2C_LIBRARY_FUNCTION(sinh)
T2C_LIBRARY_FUNCTION(cosh)
T2C_LIBRARY_FUNCTION(tanh)
T2C_LIBRARY_FUNCTION(floor)
T2C_LIBRARY_FUNCTION(ceil)
#undef T2C_LIBRARY_FUNCTION

template <class F> T2C_FN F sin(F x) { return sine(x); }
template <class F> T2C_FN F cos(F x) { return cosine(x); }
template <class F> T2C_FN F tan(F x) { return tangent(x); }

T2C_FN float pow(float b, float e) { return ::powf(b, e); }
T2C_FN double pow(double b, double e) { return ::pow(b, e); }
T2C_FN float atan2(float y, float x) { return ::atan2f(y, x); }
T2C_FN double atan2(double y, double x) { return ::atan2(y, x); }

T2C_FN float exp_approximate(float x) { return ptx::exp2_approx(x * 1.4426950408889634f); }
T2C_FN float tanh_approximate(float x) { return ptx::tanh_approx(x); }

/// ex2.approx loses subnormal results, so small arguments are scaled up and their results down.
template <subnormals_rounding_mode S> T2C_FN float exp2(float x) {
  if constexpr (flushes<S>) {
    return ptx::exp2_approx_ftz(x);
  } else {
    bool const small = x < -126.0f;
    float const y = ptx::exp2_approx_ftz(small ? x + 24.0f : x);
    return small ? y * 5.9604644775390625e-8f : y;
  }
}
template <subnormals_rounding_mode S> T2C_FN double exp2(double x) { return ::exp2(x); }

template <subnormals_rounding_mode S> T2C_FN float rsqrt(float x) {
  if constexpr (flushes<S>) return ptx::rsqrt_approx_ftz(x);
  else return ptx::rsqrt_approx(x);
}
template <subnormals_rounding_mode S> T2C_FN double rsqrt(double x) { return ::rsqrt(x); }

}  // namespace tile2cpp::backend
