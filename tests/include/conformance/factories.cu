// Factories, tiles made of scalars and arrays, and the ways out of a tile.
#include "prelude.hpp"

extern "C" {

// -> [7] * 8
__tile_global__ void full_tile(int* p) { put(p, ct::full<T<int, 2, 4>>(7)); }

// -> [3] * 4
__tile_global__ void full_converts_like_cpp(int* p) { put(p, ct::full<T<int, 4>>(3.5f)); }

// -> [2]
__tile_global__ void full_scalar(float* p) { *p = ct::full<float>(2); }

// -> [9] * 4
__tile_global__ void full_of_pointers(int* p) {
  auto there = ct::full<T<int*, 4>>(p + 9);
  put(p, ct::load(there));
}

// -> [0] * 16
__tile_global__ void zeros(float* p) { put(p, ct::zeros<T<float, 16>>()); }

// -> [0] * 4
__tile_global__ void zeros_of_restricted(float* p) { put(p, ct::element_cast<float>(ct::zeros<T<__nv_fp8_e4m3, 4>>())); }

// -> [1] * 4
__tile_global__ void ones_of_bool(bool* p) { put(p, ct::ones<T<bool, 4>>()); }

// -> [1] * 8
__tile_global__ void ones_of_half(__half* p) { put(p, ct::ones<T<__half, 8>>()); }

// -> np.arange(64)
__tile_global__ void iota_is_row_major(int* p) { put(p, ct::iota<T<int, 4, 2, 8>>()); }

// -> np.arange(128)
__tile_global__ void iota_of_bytes(signed char* p) { put(p, ct::iota<T<signed char, 128>>()); }

// -> [0]
__tile_global__ void iota_scalar(int* p) {
  p[0] = 5;
  p[0] = ct::iota<int>();
}

// -> [3, 1, 4, 1]
__tile_global__ void tile_from_array(int* p) { put(p, T<int, 4>({3, 1, 4, 1})); }

// -> [1, 2, 3, 4]
__tile_global__ void tile_deduced_from_matrix(int* p) {
  auto x = ct::tile{{{1, 2}, {3, 4}}};
  static_assert(ct::same_as<decltype(x), T<int, 2, 2>>);
  put(p, x);
}

// -> [2.5] * 4
__tile_global__ void scalar_makes_rank_0(float* p) {
  auto x = ct::tile{2.5f};
  static_assert(ct::tile_rank_v<decltype(x)> == 0);
  put(p, ct::broadcast<ct::shape<4>>(x));
}

// -> [6]
__tile_global__ void one_element_to_scalar(int* p) {
  T<int, 1, 1> x = ct::full<T<int, 1, 1>>(6);
  p[0] = int(x);
}

// -> [3]
__tile_global__ void one_element_casts_to_other_scalars(int* p) { p[0] = static_cast<int>(ct::full<T<float, 1>>(3.75f)); }

// -> [1, 0]
__tile_global__ void one_element_is_a_condition(int* p) {
  T<float, 1> x = ct::full<T<float, 1>>(0.5f);
  p[0] = x ? 1 : 0;
  if (ct::zeros<T<int>>()) p[1] = 1;
  else p[1] = 0;
}

// -> [1, 2, 3, 4]
__tile_global__ void widening_is_implicit(double* p) {
  T<float, 4> x({1, 2, 3, 4});
  T<double, 4> y = x;
  put(p, y);
}

// -> [1, 1, 2, 2]
__tile_global__ void narrowing_is_explicit(int* p) { put(p, T<int, 4>(T<float, 4>({1.0f, 1.9f, 2.1f, 2.9f}))); }

// -> [1, 2, 3, 4]
__tile_global__ void assignment_widens(float* p) {
  auto x = ct::zeros<T<float, 4>>();
  x = ct::element_cast<__half>(T<int, 4>({1, 2, 3, 4}));
  put(p, x);
}

// -> [16, 2, 4, 1, 0]
__tile_global__ void traits(int* p) {
  using X = T<float, 4, 4>;
  p[0] = ct::tile_size_v<X>;
  p[1] = ct::tile_rank_v<X>;
  p[2] = X::shape_type::static_extent(0);
  p[3] = ct::tile_size_v<float>;
  p[4] = ct::tile_rank_v<float>;
}

// -> [13, -1, 2, 3]
__tile_global__ void constants_compute(int* p) {
  p[0] = 3_ic * 4_ic + 1_ic;
  p[1] = -1_ic;
  p[2] = ct::shape{8_ic, 16_ic}.rank();
  p[3] = ct::extents{3, 8_ic}.extent(0);
}

}  // extern "C"
