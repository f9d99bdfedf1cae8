// element_cast with its modes, element_bitcast, repack.
#include "prelude.hpp"

extern "C" {

// -> [1, -1, 2, -2]
__tile_global__ void float_to_int_truncates(int* p) { put(p, ct::element_cast<int>(T<float, 4>({1.9f, -1.9f, 2.5f, -2.5f}))); }

// -> [16777216, 16777220]
__tile_global__ void int_to_float_rounds_to_even(float* p) { put(p, ct::element_cast<float>(T<int, 2>({16777217, 16777219}))); }

// -> [-1, 255]
__tile_global__ void signedness_of_the_source_decides(int* p) {
  put(p, ct::element_cast<int>(T<signed char, 1>({static_cast<signed char>(-1)})));
  put(p + 1, ct::element_cast<int>(T<unsigned char, 1>({static_cast<unsigned char>(255)})));
}

// -> [1, 0, 1]
__tile_global__ void number_to_bool(bool* p) {
  put(p, ct::element_cast<bool>(T<float, 1>({0.25f})));
  put(p + 1, ct::element_cast<bool>(T<float, 1>({-0.0f})));
  put(p + 2, ct::element_cast<bool>(T<float, 1>({NAN})));
}

// -> [1]
__tile_global__ void pointer_to_bool(bool* p) { put(p, ct::element_cast<bool>(ct::full<T<bool*, 1>>(p))); }

// -> [2048, 2052, np.inf]
__tile_global__ void float_to_half_ties_to_even(__half* p) {
  put(p, ct::element_cast<__half>(T<float, 1>({2049.0f})));
  put(p + 1, ct::element_cast<__half>(T<float, 1>({2051.0f})));
  put(p + 2, ct::element_cast<__half>(T<float, 1>({70000.0f})));
}

// -> [2050, 65504]
__tile_global__ void float_to_half_toward_zero(__half* p) {
  put(p, ct::element_cast<__half>(T<float, 2>({2051.0f, 70000.0f}), ct::round_toward_zero_t{}));
}

// -> [256, 258]
__tile_global__ void float_to_bfloat16(__nv_bfloat16* p) { put(p, ct::element_cast<__nv_bfloat16>(T<float, 2>({257.0f, 257.5f}))); }

// -> [1 + 2.0 ** -23, 1]
__tile_global__ void double_to_float_in_a_direction(float* p) {
  auto x = ct::full<T<double, 1>>(1 + 0x1p-40);
  put(p, ct::element_cast<float>(x, ct::round_toward_positive_t{}));
  put(p + 1, ct::element_cast<float>(x, ct::round_toward_negative_t{}));
}

// -> [1.125, 448, -448, 2.0 ** -9]
__tile_global__ void float_to_e4m3(float* p) {
  put(p, ct::element_cast<float>(ct::element_cast<__nv_fp8_e4m3>(T<float, 4>({1.1f, 1000.0f, -1000.0f, 0x1p-9f}))));
}

// -> [1.25, 57344]
__tile_global__ void float_to_e5m2(float* p) {
  put(p, ct::element_cast<float>(ct::element_cast<__nv_fp8_e5m2>(T<float, 2>({1.2f, 60000.0f}))));
}

// -> [1, 1 + 2.0 ** -10]
__tile_global__ void float_to_tf32(float* p) {
  put(p, ct::element_cast<float>(ct::element_cast<__nv_tf32>(T<float, 1>({1 + 0x1p-11f}))));
  put(p + 1, ct::element_cast<float>(ct::element_cast<__nv_tf32>(T<float, 1>({1 + 0x1p-11f}), ct::round_ties_to_away_t{})));
}

// -> [127, -128, 5]
__tile_global__ void saturating_cast(signed char* p) {
  put(p, ct::element_cast<signed char>(T<float, 1>({1000.0f}), ct::saturate_finite_t{}));
  put(p + 1, ct::element_cast<signed char>(T<float, 1>({-1000.0f}), ct::saturate_finite_t{}));
  put(p + 2, ct::element_cast<signed char>(T<float, 1>({5.5f}), ct::saturate_finite_t{}));
}

// -> [0x3f800000]
__tile_global__ void bitcast_of_a_scalar(int* p) { *p = ct::element_bitcast<int>(1.0f); }

// -> [0x3c00, 0xc000]
__tile_global__ void bitcast_of_half(unsigned short* p) { put(p, ct::element_bitcast<unsigned short>(ct::element_cast<__half>(T<int, 2>({1, -2})))); }

// -> [1]
__tile_global__ void bitcast_of_pointers(int* p) {
  auto at = ct::full<T<int*, 1>>(p);
  put(p, ct::element_cast<int>(ct::element_bitcast<int*>(ct::element_bitcast<long>(at)) == at));
}

// -> [0x03020100, 0x07060504]
__tile_global__ void repack_bytes_to_words(int* p) { put(p, ct::repack<int>(ct::iota<T<unsigned char, 8>>(), 0_ic)); }

// -> [1, 0, 2, 0]
__tile_global__ void repack_words_to_halves(short* p) { put(p, ct::repack<short, 0>(T<int, 2>({1, 2}))); }

}  // extern "C"
