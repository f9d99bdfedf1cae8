// backend/host/math.hpp: elementary functions of float and double, from the C library.
#pragma once

#include "tile2cpp/backend/host/floating.hpp"

namespace tile2cpp::backend {

#define T2C_LIBRARY_FUNCTION(name)                                   \
  inline float name(float x) { return __builtin_##name##f(x); }      \
  inline double name(double x) { return __builtin_##name(x); }
T2C_LIBRARY_FUNCTION(exp)
T2C_LIBRARY_FUNCTION(log)
T2C_LIBRARY_FUNCTION(log2)
T2C_LIBRARY_FUNCTION(sin)
T2C_LIBRARY_FUNCTION(cos)
T2C_LIBRARY_FUNCTION(tan)
T2C_LIBRARY_FUNCTION(sinh)
T2C_LIBRARY_FUNCTION(cosh)
T2C_LIBRARY_FUNCTION(tanh)
T2C_LIBRARY_FUNCTION(floor)
T2C_LIBRARY_FUNCTION(ceil)
#undef T2C_LIBRARY_FUNCTION

inline float pow(float b, float e) { return __builtin_powf(b, e); }
inline double pow(double b, double e) { return __builtin_pow(b, e); }
inline float atan2(float y, float x) { return __builtin_atan2f(y, x); }
inline double atan2(double y, double x) { return __builtin_atan2(y, x); }

// The approximate forms are allowed to be exact.
inline float exp_approximate(float x) { return exp(x); }
inline float tanh_approximate(float x) { return tanh(x); }

template <subnormals_rounding_mode S> float exp2(float x) { return flush<S>(__builtin_exp2f(flush<S>(x))); }
template <subnormals_rounding_mode S> double exp2(double x) { return __builtin_exp2(x); }
template <subnormals_rounding_mode S> float rsqrt(float x) {
  x = flush<S>(x);
  return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
}
template <subnormals_rounding_mode S> double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }

}  // namespace tile2cpp::backend
