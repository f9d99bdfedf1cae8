// Reductions and scans.
#include "prelude.hpp"

extern "C" {

// -> p[:32].reshape(4, 8).sum(1)
__tile_global__ void sum_of_rows(float* p) { put(p, ct::sum<1>(get<T<float, 4, 8>>(p))); }

// -> p[:32].reshape(4, 8).sum(0)
__tile_global__ void sum_of_columns(int* p) { put(p, ct::sum(get<T<int, 4, 8>>(p), 0_ic)); }

// -> p[:64].reshape(2, 4, 8).sum(1).reshape(-1)
__tile_global__ void sum_of_the_middle_axis(int* p) { put(p, ct::sum<1>(get<T<int, 2, 4, 8>>(p))); }

// -> [1, 4, 1]
__tile_global__ void sum_keeps_the_axis(int* p) {
  using X = decltype(ct::sum<0>(T<int, 8, 4>{}));
  p[0] = X::shape_type::static_extent(0);
  p[1] = X::shape_type::static_extent(1);
  p[2] = ct::same_as<X, T<int, 1, 4>>;
}

// -> [28]
__tile_global__ void sum_with_modes(float* p) { put(p, ct::sum(get<T<float, 8>>(p), 0_ic, ct::round_toward_zero_t{}, ct::round_subnormals_to_zero_t{})); }

// -> [0, 1]
__tile_global__ void sum_of_bool_is_parity(bool* p) {
  put(p, ct::sum<0>(ct::ones<T<bool, 4>>()));
  put(p + 1, ct::sum<0>(T<bool, 4>({true, false, true, true})));
}

// -> [-128]
__tile_global__ void sum_wraps_in_its_element(signed char* p) { put(p, ct::sum<0>(ct::full<T<signed char, 4>>(32))); }

// -> [120]
__tile_global__ void sum_of_half(__half* p) { put(p, ct::sum<0>(get<T<__half, 16>>(p))); }

// -> [24]
__tile_global__ void product_of_elements(int* p) { put(p, ct::prod<0>(ct::iota<T<int, 4>>() + 1)); }

// -> [7, 15, 0, 8]
__tile_global__ void largest_and_smallest(int* p) {
  auto x = get<T<int, 2, 8>>(p);
  put(p, ct::reduce_max<1>(x));
  put(p + 2, ct::reduce_min<1>(x));
}

// -> [3, np.nan]
__tile_global__ void reduce_max_and_nan(float* p) {
  auto x = T<float, 4>({1.0f, NAN, 3.0f, 2.0f});
  put(p, ct::reduce_max<0>(x));
  put(p + 1, ct::reduce_max(x, 0_ic, ct::propagate_nan_t{}));
}

// -> [1, 0]
__tile_global__ void position_of_extremes(unsigned* p) {
  auto x = T<int, 8>({1, 9, 3, 9, 1, 5, 9, 2});
  put(p, ct::max_element<0>(x));
  put(p + 1, ct::min_element(x, 0_ic));
}

// -> [2, 0]
__tile_global__ void position_along_rows(unsigned* p) { put(p, ct::max_element<1>(T<float, 2, 4>({{1, 2, 4, 3}, {8, 7, 6, 5}}))); }

// -> [0, 1]
__tile_global__ void all_and_any(int* p) {
  auto x = get<T<int, 8>>(p);
  put(p, ct::element_cast<int>(ct::all_of<0>(x)));
  put(p + 1, ct::element_cast<int>(ct::any_of<0>(x == 3)));
}

// -> [0, 15, 0]
__tile_global__ void bits_of_all(int* p) {
  auto x = get<T<int, 16>>(p);
  put(p, ct::reduce_bitand<0>(x));
  put(p + 1, ct::reduce_bitor<0>(x));
  put(p + 2, ct::reduce_bitxor<0>(x));
}

// -> np.cumsum(p[:32].reshape(4, 8), 1).reshape(-1)
__tile_global__ void partial_sum_of_rows(int* p) { put(p, ct::partial_sum<1>(get<T<int, 4, 8>>(p))); }

// -> np.cumsum(p[:32].reshape(4, 8), 0).reshape(-1)
__tile_global__ void partial_sum_of_columns(float* p) { put(p, ct::partial_sum<0>(get<T<float, 4, 8>>(p))); }

// -> np.cumsum(p[:16][::-1])[::-1]
__tile_global__ void partial_sum_from_the_end(int* p) { put(p, ct::partial_sum(get<T<int, 16>>(p), 0_ic, ct::scan_backward_t{})); }

// -> np.cumsum(p[:16][::-1])[::-1]
__tile_global__ void direction_by_template_argument(int* p) { put(p, ct::partial_sum<0, ct::scan_direction::backward>(get<T<int, 16>>(p))); }

// -> [1, 2, 6, 24]
__tile_global__ void partial_prod(float* p) {
  put(p, ct::partial_prod(ct::element_cast<float>(ct::iota<T<int, 4>>() + 1), 0_ic, ct::round_ties_to_even_t{}, {}, {}));
}

// -> [32640]
__tile_global__ void sum_over_two_axes(int* p) {
  auto x = ct::sum<0>(ct::sum<1>(get<T<int, 16, 16>>(p)));
  p[0] = int(x);
}

// -> [8]
__tile_global__ void reduction_of_one_element(int* p) { put(p, ct::sum<0>(ct::full<T<int, 1>>(8))); }

}  // extern "C"
