// Elementary functions. Results that are not exact are compared with a tolerance.
#include "prelude.hpp"

extern "C" {

// ~> np.exp(p[:8] / 4)
__tile_global__ void exp_of_floats(float* p) { put(p, ct::exp(get<T<float, 8>>(p) / 4)); }

// ~> np.exp(p[:8] / 4)
__tile_global__ void exp_approximate(float* p) { put(p, ct::exp(get<T<float, 8>>(p) / 4, ct::round_approximate_t{})); }

// ~> np.exp(p[:4])
__tile_global__ void exp_of_half(__half* p) { put(p, ct::exp(get<T<__half, 4>>(p))); }

// ~> [np.exp(1.5)]
__tile_global__ void exp_of_a_scalar(double* p) { *p = ct::exp(1.5); }

// -> 2.0 ** p[:8]
__tile_global__ void exp2_of_integers(float* p) { put(p, ct::exp2(get<T<float, 8>>(p))); }

// -> [0]
__tile_global__ void exp2_without_subnormals(float* p) { put(p, ct::exp2(T<float, 1>({-140.0f}), ct::round_subnormals_to_zero_t{})); }

// ~> np.log(p[:8] + 1)
__tile_global__ void log_of_doubles(double* p) { put(p, ct::log(get<T<double, 8>>(p) + 1)); }

// -> [0, 1, 2, 10]
__tile_global__ void log2_of_powers(float* p) { put(p, ct::log2(T<float, 4>({1, 2, 4, 1024}))); }

// -> np.sqrt(p[:8])
__tile_global__ void sqrt_is_correctly_rounded(float* p) { put(p, ct::sqrt(get<T<float, 8>>(p))); }

// ~> np.sqrt(p[:8])
__tile_global__ void sqrt_approximate(float* p) { put(p, ct::sqrt(get<T<float, 8>>(p), ct::round_approximate_t{})); }

// ~> 1 / np.sqrt(p[:8] + 1)
__tile_global__ void rsqrt_of_floats(float* p) { put(p, ct::rsqrt(get<T<float, 8>>(p) + 1)); }

// ~> np.sin(p[:8])
__tile_global__ void sine(float* p) { put(p, ct::sin(get<T<float, 8>>(p))); }

// ~> np.cos(p[:8])
__tile_global__ void cosine(double* p) { put(p, ct::cos(get<T<double, 8>>(p))); }

// ~> np.tan(p[:4] / 4)
__tile_global__ void tangent(float* p) { put(p, ct::tan(get<T<float, 4>>(p) / 4)); }

// ~> np.concatenate([np.sinh(p[:4]), np.cosh(p[:4]), np.tanh(p[:4])])
__tile_global__ void hyperbolic(float* p) {
  auto x = get<T<float, 4>>(p);
  put(p, ct::sinh(x));
  put(p + 4, ct::cosh(x));
  put(p + 8, ct::tanh(x));
}

// ~> np.arctan2(p[:4], -2)
__tile_global__ void arctangent_of_two(float* p) { put(p, ct::atan2(get<T<float, 4>>(p), -2)); }

// ~> p[:4] ** 1.5
__tile_global__ void power(float* p) { put(p, ct::pow(get<T<float, 4>>(p), 1.5f)); }

// -> p[:4] ** 3
__tile_global__ void power_with_integral_exponent(float* p) { put(p, ct::pow(get<T<float, 4>>(p), 3)); }

// -> [8, 0.25]
__tile_global__ void powi(float* p) { put(p, ct::powi(T<float, 2>({2, 2}), T<int, 2>({3, -2}))); }

// -> [1, 2, -2, -1]
__tile_global__ void floor_and_ceil(float* p) {
  put(p, ct::floor(T<float, 1>({1.5f})));
  put(p + 1, ct::ceil(T<float, 1>({1.5f})));
  put(p + 2, ct::floor(T<float, 1>({-1.5f})));
  put(p + 3, ct::ceil(T<float, 1>({-1.5f})));
}

}  // extern "C"
