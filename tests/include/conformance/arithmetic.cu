// Operators and arithmetic functions: results, promotion, modes.
#include "prelude.hpp"

extern "C" {

// -> p[:8] + p[:8]
__tile_global__ void add_tiles(int* p) { put(p, get<T<int, 8>>(p) + get<T<int, 8>>(p)); }

// -> np.add.outer(p[:4], p[:8]).reshape(-1)
__tile_global__ void add_broadcasts(float* p) { put(p, ct::reshape<ct::shape<4, 1>>(get<T<float, 4>>(p)) + get<T<float, 8>>(p)); }

// -> p[:8] + 2
__tile_global__ void integer_scalar_joins_floats(__half* p) { put(p, get<T<__half, 8>>(p) + 2); }

// -> [-1, -2, -3, -4]
__tile_global__ void scalar_on_the_left(long* p) { put(p, 0 - ct::iota<T<long, 4>>() - 1); }

// -> [200, -56]
__tile_global__ void no_integer_promotion(short* p) {
  T<unsigned char, 1> x = ct::full<T<unsigned char, 1>>(100);
  put(p, ct::element_cast<short>(x + x));
  put(p + 1, ct::element_cast<short>(ct::element_cast<signed char>(x + x)));
}

// -> [4294967295, 0]
__tile_global__ void unsigned_wraps(unsigned* p) {
  auto x = ct::zeros<T<unsigned, 1>>();
  put(p, x - 1u);
  put(p + 1, x - 1u + 1u);
}

// -> [2.5] * 4
__tile_global__ void long_and_half_meet_in_half(float* p) { put(p, T<float, 4>(ct::ones<T<long, 4>>() + ct::full<T<__half, 4>>(1.5))); }

// -> [3.25] * 4
__tile_global__ void rank_0_tile_promotes(double* p) { put(p, ct::tile{1.25} + ct::full<T<float, 4>>(2.0f)); }

// -> [0, 3] * 2
__tile_global__ void bool_times_float(float* p) { put(p, T<bool, 4>({false, true, false, true}) * ct::full<T<float, 4>>(3.0f)); }

// -> [2, -2, 2, -2]
__tile_global__ void division_truncates(int* p) { put(p, T<int, 4>({7, -7, -7, 7}) / T<int, 4>({3, 3, -3, -3})); }

// -> [1, -1, -1, 1]
__tile_global__ void remainder_has_the_sign_of_the_dividend(int* p) { put(p, T<int, 4>({7, -7, -7, 7}) % T<int, 4>({3, 3, -3, -3})); }

// -> [1.5, -1.5]
__tile_global__ void remainder_of_floats_truncates(float* p) { put(p, ct::remainder(T<float, 2>({5.5f, -5.5f}), 2)); }

// -> [3, -2, 2, -3]
__tile_global__ void ceildiv_and_floordiv(int* p) {
  put(p, ct::ceildiv(T<int, 2>({7, -7}), 3));
  put(p + 2, ct::floordiv(T<int, 2>({7, -7}), 3));
}

// -> [0, 4]
__tile_global__ void ceildiv_of_scalars(int* p) { p[1] = ct::ceildiv(*p + 13, 4); }

// -> [1, 2]
__tile_global__ void mulhi(unsigned* p) { put(p, ct::mulhi(T<unsigned, 2>({0x80000000u, 0xffffffffu}), T<unsigned, 2>({2u, 3u}))); }

// -> [10, 20, 30, 40]
__tile_global__ void fma_takes_the_shape_of_c(float* p) {
  put(p, ct::fma(ct::iota<T<int, 4>>() * ct::ones<T<__half, 4>>() + 1, ct::full<T<float, 1>>(8.0f), T<float, 4>({2, 4, 6, 8})));
}

// -> [2.0 ** -46]
__tile_global__ void fma_rounds_once(float* p) {
  float x = 1.0f + 0x1p-23f;
  *p = ct::fma(x, x, -(1.0f + 0x1p-22f));
}

// -> [1 + 2.0 ** -23, 1, 1, -1 - 2.0 ** -23]
__tile_global__ void add_in_each_direction(float* p) {
  auto one = ct::ones<T<float, 1>>(), tiny = ct::full<T<float, 1>>(0x1p-40f);
  put(p, ct::add(one, tiny, ct::round_toward_positive_t{}));
  put(p + 1, ct::add(one, tiny, ct::round_toward_negative_t{}));
  put(p + 2, ct::add<ct::rounding_mode::round_toward_zero>(one, tiny, {}));
  put(p + 3, ct::sub(-one, tiny, ct::round_toward_negative_t{}));
}

// -> [0, 2.0 ** -140]
__tile_global__ void subnormals_become_zero_on_request(float* p) {
  auto x = ct::full<T<float, 1>>(0x1p-70f);
  put(p, ct::mul(x, x, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}));
  put(p + 1, ct::mul(x, x, ct::round_ties_to_even_t{}));
}

// -> [2.5] * 4
__tile_global__ void approximate_division(float* p) { put(p, ct::div(ct::full<T<float, 4>>(5.0f), 2, ct::round_approximate_t{})); }

// -> [np.float32(1) / np.float32(3)]
__tile_global__ void division_is_correctly_rounded(float* p) { put(p, ct::ones<T<float, 1>>() / ct::full<T<float, 1>>(3.0f)); }

// -> [2, 2]
__tile_global__ void maximum_suppresses_nan(float* p) {
  put(p, ct::max(T<float, 2>({NAN, 2.0f}), T<float, 2>({2.0f, NAN})));
}

// -> [np.nan, 1]
__tile_global__ void minimum_propagates_nan_on_request(float* p) {
  put(p, ct::min(T<float, 2>({NAN, 2.0f}), T<float, 2>({2.0f, 1.0f}), ct::propagate_nan_t{}));
}

// -> [np.inf, -np.inf]
__tile_global__ void positive_zero_is_the_larger(float* p) {
  auto positive = ct::zeros<T<float, 1>>(), negative = ct::full<T<float, 1>>(-0.0f);
  put(p, 1 / ct::max(negative, positive));
  put(p + 1, 1 / ct::min(positive, negative));
}

// -> [4000000000, 5]
__tile_global__ void maximum_of_unsigned(unsigned* p) { put(p, ct::max(T<unsigned, 2>({4000000000u, 5u}), 3u)); }

// -> [3, 3]
__tile_global__ void functions_of_scalars(int* p) {
  p[0] = ct::max(2, ct::min(3, 9));
  p[1] = ct::abs(-3);
}

// -> [-1, 1]
__tile_global__ void negation_keeps_small_integers(signed char* p) {
  put(p, -ct::ones<T<signed char, 1>>());
  static_assert(ct::same_as<decltype(-T<short, 4>{}), T<short, 4>>);
}

// -> [1] * 2
__tile_global__ void plus_promotes_bool(int* p) { put(p, +ct::ones<T<bool, 2>>()); }

// -> p[:8] < 4
__tile_global__ void comparison_gives_bool(int* p) { put(p, ct::element_cast<int>(get<T<int, 8>>(p) < 4)); }

// -> p[:8] > 2.5
__tile_global__ void comparison_promotes_to_the_scalar(int* p) { put(p, ct::element_cast<int>(get<T<int, 8>>(p) > 2.5)); }

// -> [0, 1, 0]
__tile_global__ void nan_is_unequal(int* p) {
  auto x = ct::full<T<float, 1>>(NAN);
  put(p, ct::element_cast<int>(x == x));
  put(p + 1, ct::element_cast<int>(x != x));
  put(p + 2, ct::element_cast<int>(x >= x));
}

// -> [8, 14, 6, -13]
__tile_global__ void bits(int* p) {
  auto a = ct::full<T<int, 1>>(12), b = ct::full<T<int, 1>>(10);
  put(p, a & b);
  put(p + 1, a | b);
  put(p + 2, a ^ b);
  put(p + 3, ~a);
}

// -> [-4, 40]
__tile_global__ void shifts_keep_the_left_type(int* p) {
  put(p, ct::full<T<int, 1>>(-16) >> ct::full<T<unsigned char, 1>>(2));
  put(p + 1, ct::full<T<int, 1>>(5) << 3l);
}

// -> [0, 0, 1]
__tile_global__ void logic_of_numbers(int* p) {
  auto x = T<float, 1>({0.5f}), zero = ct::zeros<T<float, 1>>();
  put(p, ct::element_cast<int>(x && zero));
  put(p + 1, ct::element_cast<int>(!x));
  put(p + 2, ct::element_cast<int>(x || zero));
}

// -> [0, 1]
__tile_global__ void bool_sum_is_modulo_2(int* p) {
  auto yes = ct::ones<T<bool, 1>>();
  put(p, ct::element_cast<int>(yes + yes));
  put(p + 1, ct::element_cast<int>(yes * yes));
}

// -> [1, 0, 0, 1]
__tile_global__ void nan_and_infinity(int* p) {
  put(p, ct::element_cast<int>(ct::isnan(T<float, 2>({NAN, INFINITY}))));
  put(p + 2, ct::element_cast<int>(ct::isinf(T<double, 2>({1.0f, INFINITY}))));
}

// -> [1] * 4
__tile_global__ void equal_pointers(int* p) {
  auto at = p + ct::iota<T<int, 4>>();
  put(p, ct::element_cast<int>(at == at && at != nullptr));
}

// -> [0, 1, 2, 3]
__tile_global__ void pointer_difference_counts_elements(long* p) { put(p, p + ct::iota<T<int, 4>>() - ct::full<T<long*, 4>>(p)); }

}  // extern "C"
