// mma and matmul: which elements meet, which accumulate, batches, small and ragged extents.
#include "prelude.hpp"

/// Rows of `p` as a tile of small numbers, exact in every type.
template <class X, class E> __tile__ X small(E* p) {
  return ct::element_cast<ct::tile_element_t<X>>(ct::element_cast<float>(get<ct::tile_with_element_t<X, int>>(p) % 3) - 1.0f);
}

extern "C" {

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void half_in_float(int* p) {
  auto x = small<T<__half, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::mma(x, x, ct::zeros<T<float, 16, 16>>())));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1) + 1
__tile_global__ void half_in_half(int* p) {
  auto x = small<T<__half, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::mma(x, x, ct::ones<T<__half, 16, 16>>())));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void half_matmul_is_half(int* p) {
  auto x = small<T<__half, 16, 16>>(p);
  static_assert(ct::same_as<decltype(ct::matmul(x, x)), T<__half, 16, 16>>);
  put(p, ct::element_cast<int>(ct::matmul(x, x)));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void bfloat16_matmul_is_float(int* p) {
  auto x = small<T<__nv_bfloat16, 16, 16>>(p);
  static_assert(ct::same_as<decltype(ct::matmul(x, x)), T<float, 16, 16>>);
  put(p, ct::element_cast<int>(ct::matmul(x, x)));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void tf32_in_float(int* p) {
  auto x = small<T<__nv_tf32, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::matmul(x, x)));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void e4m3_in_float(int* p) {
  auto x = small<T<__nv_fp8_e4m3, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::mma(x, x, ct::zeros<T<float, 16, 16>>())));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void e5m2_matmul_is_half(int* p) {
  auto x = small<T<__nv_fp8_e5m2, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::matmul(x, x)));
}

// -> (p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1)
__tile_global__ void doubles(int* p) {
  auto x = small<T<double, 16, 16>>(p);
  put(p, ct::element_cast<int>(ct::matmul(x, x)));
}

// -> [1 + 2.0 ** -22]
__tile_global__ void floats_keep_all_digits(float* p) {
  auto x = ct::full<T<float, 1, 1>>(1.0f + 0x1p-23f);
  put(p, ct::matmul(x, x));
}

// -> p[:256].reshape(16, 16) @ p[:256].reshape(16, 16)
__tile_global__ void unsigned_bytes(int* p) {
  auto x = ct::element_cast<unsigned char>(get<T<int, 16, 16>>(p));
  put(p, ct::matmul(x, x));
}

// -> p[:256].reshape(16, 16).astype("int8").astype("int32") @ p[:256].reshape(16, 16)
__tile_global__ void signedness_of_each_factor(int* p) {
  auto x = get<T<int, 16, 16>>(p);
  put(p, ct::mma(ct::element_cast<signed char>(x), ct::element_cast<unsigned char>(x), ct::zeros<T<int, 16, 16>>()));
}

// -> (p[:32].reshape(2, 16) % 3 - 1) @ (p[:128].reshape(16, 8) % 3 - 1)
__tile_global__ void small_extents(int* p) {
  put(p, ct::element_cast<int>(ct::matmul(small<T<float, 2, 16>>(p), small<T<float, 16, 8>>(p))));
}

// -> np.matmul(p[:64].reshape(4, 4, 4) % 3 - 1, p[:16].reshape(1, 4, 4) % 3 - 1)
__tile_global__ void batch_of_one_factor(int* p) {
  put(p, ct::element_cast<int>(ct::matmul(small<T<float, 4, 4, 4>>(p), small<T<float, 1, 4, 4>>(p))));
}

// -> 2 + np.matmul(p[:32].reshape(2, 4, 4) % 3 - 1, p[:32].reshape(2, 4, 4) % 3 - 1)
__tile_global__ void batches_add_to_the_accumulator(int* p) {
  auto x = small<T<float, 2, 4, 4>>(p);
  put(p, ct::element_cast<int>(ct::mma(x, x, ct::full<T<float, 2, 4, 4>>(2))));
}

// -> 4 * ((p[:256].reshape(16, 16) % 3 - 1) @ (p[:256].reshape(16, 16) % 3 - 1))
__tile_global__ void accumulates_in_a_loop(int* p) {
  auto x = small<T<__half, 16, 16>>(p);
  auto acc = ct::zeros<T<float, 16, 16>>();
  for (auto i : ct::irange(0, 4)) acc = ct::mma(x, x, acc);
  put(p, ct::element_cast<int>(acc));
}

}  // extern "C"
