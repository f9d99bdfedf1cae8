// Shapes: reshape, broadcast, permute, cat, extract, insert, select.
#include "prelude.hpp"

extern "C" {

// -> p[:32] * 2
__tile_global__ void reshape_keeps_row_major_order(int* p) {
  auto x = ct::reshape<ct::shape<4, 8>>(get<T<int, 32>>(p));
  put(p, ct::reshape(x + x, ct::shape<2, 16>{}));
}

// -> [7]
__tile_global__ void reshape_to_rank_0(int* p) { put(p, ct::reshape<ct::shape<>>(ct::full<T<int, 1, 1>>(7))); }

// -> np.repeat(p[:4], 8)
__tile_global__ void broadcast_columns(float* p) { put(p, ct::broadcast<ct::shape<4, 8>>(get<T<float, 4, 1>>(p))); }

// -> np.tile(p[:8], 4)
__tile_global__ void broadcast_rows(float* p) { put(p, ct::broadcast(get<T<float, 8>>(p), ct::shape<4, 8>{})); }

// -> p[:64].reshape(2, 4, 8).transpose(2, 0, 1).reshape(-1)
__tile_global__ void permute_by_map(int* p) { put(p, ct::permute(get<T<int, 2, 4, 8>>(p), ct::dimension_map<2, 0, 1>{})); }

// -> p[:32].reshape(4, 8).T.reshape(-1)
__tile_global__ void permute_by_template_argument(int* p) { put(p, ct::permute<ct::dimension_map<1, 0>>(get<T<int, 4, 8>>(p))); }

// -> p[:32].reshape(4, 8).T.reshape(-1)
__tile_global__ void permute_by_constants(int* p) { put(p, ct::permute(get<T<int, 4, 8>>(p), ct::dimension_map{1_ic, 0_ic})); }

// -> p[:64].reshape(2, 4, 8).transpose(1, 0, 2).reshape(-1)
__tile_global__ void transpose_swaps_the_first_two_axes(int* p) { put(p, ct::transpose(get<T<int, 2, 4, 8>>(p))); }

// -> p[:8]
__tile_global__ void transpose_of_rank_1(int* p) { put(p, ct::transpose(get<T<int, 8>>(p))); }

// -> np.concatenate([p[:8], p[8:16]])
__tile_global__ void cat_rows(int* p) { put(p, ct::cat<0>(get<T<int, 2, 4>>(p), get<T<int, 2, 4>>(p + 8))); }

// -> np.hstack([p[:8].reshape(2, 4), p[8:16].reshape(2, 4)]).reshape(-1)
__tile_global__ void cat_columns(int* p) { put(p, ct::cat(get<T<int, 2, 4>>(p), get<T<int, 2, 4>>(p + 8), 1_ic)); }

// -> p[:64].reshape(8, 8)[4:6, 4:8].reshape(-1)
__tile_global__ void extract_takes_slice_numbers(int* p) { put(p, ct::extract(get<T<int, 8, 8>>(p), ct::shape<2, 4>{}, 2, 1_ic)); }

// -> [5]
__tile_global__ void extract_one_element_at_run_time(int* p) {
  int where = p[5];
  p[0] = int(ct::extract(get<T<int, 8>>(p), ct::shape<1>{}, where));
}

// -> np.block([[p[:16].reshape(4, 4)[:2, :2], -np.ones((2, 2))], [p[:16].reshape(4, 4)[2:, :2], p[:16].reshape(4, 4)[2:, 2:]]]).reshape(-1)
__tile_global__ void insert_replaces_a_slice(int* p) { put(p, ct::insert(get<T<int, 4, 4>>(p), ct::full<T<int, 2, 2>>(-1), 0, 1)); }

// -> np.where(p[:8] < 4, p[:8], -p[:8])
__tile_global__ void select_by_condition(int* p) {
  auto x = get<T<int, 8>>(p);
  put(p, ct::select(x < 4, x, -x));
}

// -> np.where(np.arange(32) % 8 < 4, 1, 2)
__tile_global__ void select_broadcasts_the_condition(int* p) {
  put(p, ct::select(ct::iota<T<int, 8>>() < 4, ct::ones<T<int, 4, 8>>(), ct::full<T<int, 4, 8>>(2)));
}

// -> [0, 4]
__tile_global__ void select_of_scalars(int* p) { p[1] = ct::select(p[0] == 0, 4, 5); }

// -> p[:2].tolist() + [0, 0]
__tile_global__ void select_of_pointers(int* p) {
  auto at = p + ct::iota<T<int, 4>>();
  put(p, ct::load(ct::select(ct::iota<T<int, 4>>() < 2, at, ct::full<T<int*, 4>>(p))));
}

// -> p[:16].reshape(4, 4).T.reshape(-1)
__tile_global__ void transpose_of_half(__half* p) { put(p, ct::transpose(get<T<__half, 4, 4>>(p))); }

// -> np.arange(256).reshape(16, 16).T.reshape(-1)
__tile_global__ void transpose_of_bytes(unsigned char* p) { put(p, ct::transpose(get<T<unsigned char, 16, 16>>(p))); }

}  // extern "C"
