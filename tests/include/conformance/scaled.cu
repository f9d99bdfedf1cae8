// Formats of four bits and of bare exponents, and scaled products: NVIDIA's compiler has them from sm_100 on.
#include "prelude.hpp"
#include <cuda_fp4.h>

extern "C" {

// -> [128, 128, 127, 254]
__tile_global__ void float_to_e8m0_goes_up(unsigned char* p) {
  put(p, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 4>({1.5f, 2.0f, 1.0f, 0x1p127f}))));
}

// -> [127, 128]
__tile_global__ void float_to_e8m0_toward_zero(unsigned char* p) {
  put(p, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 2>({1.5f, 2.0f}), ct::round_toward_zero_t{})));
}

// -> [4, 2.0 ** -3]
__tile_global__ void e8m0_to_float(float* p) {
  put(p, ct::element_cast<float>(ct::element_bitcast<__nv_fp8_e8m0>(T<unsigned char, 2>({129, 124}))));
}

// -> [1.5, 6, -0.5, 0]
__tile_global__ void float_to_e2m1(float* p) {
  put(p, ct::element_cast<float>(ct::element_cast<__nv_fp4_e2m1>(T<float, 4>({1.4f, 100.0f, -0.6f, 0.25f}))));
}

// -> [0, 1, 0, 0]
__tile_global__ void e8m0_of_the_smallest(unsigned char* p) {
  put(p, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 2>({0x1p-127f, 0x1p-126f}))));
  put(p + 2, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 2>({0x1p-130f, 0.0f}))));
}

// -> [1] * 4
__tile_global__ void ones_of_e8m0(float* p) { put(p, ct::element_cast<float>(ct::ones<T<__nv_fp8_e8m0, 4>>())); }

// -> [2, -1.5]
__tile_global__ void e2m1_pairs_lie_in_bytes(float* p) {
  put(p, ct::element_cast<float>(ct::repack<__nv_fp4_e2m1, 0>(T<unsigned char, 1>({static_cast<unsigned char>(0xb4)}))));
}

// -> [32 * 4 * 0.5 + 1] * 256
__tile_global__ void scaled_product_of_e4m3(float* p) {
  auto x = ct::ones<T<__nv_fp8_e4m3, 16, 32>>();
  auto left = ct::element_cast<__nv_fp8_e8m0>(ct::full<T<float, 16, 1>>(4.0f));
  auto right = ct::element_cast<__nv_fp8_e8m0>(ct::full<T<float, 1, 16>>(0.5f));
  put(p, ct::scaled_mma(x, left, ct::transpose(x), right, ct::ones<T<float, 16, 16>>()));
}

// -> [128, 129, 254, 254, 255]
__tile_global__ void e8m0_has_no_sign(unsigned char* p) {
  put(p, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 2>({-2.0f, -3.0f}))));
  put(p + 2, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 2>({INFINITY, -INFINITY}))));
  put(p + 4, ct::element_bitcast<unsigned char>(ct::element_cast<__nv_fp8_e8m0>(T<float, 1>({NAN}))));
}

}  // extern "C"
