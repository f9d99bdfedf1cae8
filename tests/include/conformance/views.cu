// Spans, layouts, and the three views.
#include "prelude.hpp"

extern "C" {

// -> np.where((np.arange(128) // 64 == 1) & (np.arange(128) % 16 // 8 == 1), -1, p[:128])
__tile_global__ void partition_view_coordinates_count_tiles(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{8, 16}}, ct::shape{4_ic, 8_ic}};
  auto x = view.load(1, 1);
  view.store(x - x - 1, 1, 1);
}

// -> p[:8].tolist() + [p[8], p[9], 0, 0, 0, 0, 0, 0]
__tile_global__ void load_masked_of_a_view_pads_with_zero(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{10}}, ct::shape<8>{}};
  auto x = view.load_masked(1);
  put(p + 8, x);
}

// -> [8, 9, np.nan, np.nan, np.inf, -np.inf]
__tile_global__ void paddings(float* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{10}}, ct::shape<4>{}};
  auto a = view.load_masked<ct::view_padding::nan>(2);
  auto b = view.load_masked(ct::view_padding_positive_inf_t{}, 2);
  auto c = view.load_masked(ct::view_padding_negative_inf_t{}, 2);
  put(p, a);
  p[4] = float(ct::extract(b, ct::shape<1>{}, 3));
  p[5] = float(ct::extract(c, ct::shape<1>{}, 3));
}

// -> np.where((np.add.outer(8 * np.arange(8), np.arange(8)) % 8 < 5) & (np.arange(64).reshape(8, 8) < 40), -1, np.arange(64).reshape(8, 8))
__tile_global__ void store_masked_drops_the_outside(int* p) {
  auto span = ct::tensor_span{p, ct::layout_strided_mapping{ct::extents{5, 5}, ct::extents{8, 1}}};
  ct::partition_view{span, ct::shape<8, 8>{}}.store_masked(ct::full<T<int, 8, 8>>(-1), 0, 0);
}

// -> p[:32].reshape(4, 8).T
__tile_global__ void layout_left(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{8, 4}, ct::layout_left{}}, ct::shape<8, 4>{}};
  put(p, view.load(0, 0));
}

// -> p[:32].reshape(4, 8)
__tile_global__ void layout_right_mapping(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::layout_right_mapping{ct::extents{4_ic, 8}}}, ct::shape<4, 8>{}};
  put(p, view.load(0, 0));
}

// -> p[:64].reshape(4, 16)[:, :8:2]
__tile_global__ void strided_mapping_with_inner_stride(int* p) {
  auto mapping = ct::layout_strided_mapping{ct::extents{4, 4}, ct::strides{16, 2_ic}};
  put(p, ct::partition_view{ct::tensor_span{p, mapping}, ct::shape<4, 4>{}}.load(0, 0));
}

// -> p[:32].reshape(4, 8)[:, :5].sum(1)
__tile_global__ void padded_layouts(int* p) {
  auto mapping = ct::layout_right_padded_mapping{ct::extents{4, 5}, 8_ic};
  put(p, ct::sum<1>(ct::partition_view{ct::tensor_span{p, mapping}, ct::shape<4, 8>{}}.load_masked(0, 0)));
}

// -> [8, 1, 10, 5, 2, 1]
__tile_global__ void members_of_spans(int* p) {
  auto span = ct::tensor_span{p, ct::layout_strided_mapping{ct::extents{10, 5_ic}, ct::extents{8, 1}}};
  p[0] = span.mapping().stride(0);
  p[1] = span.mapping().stride(1);
  p[2] = span.extent(0);
  p[3] = span.static_extent(1);
  p[4] = span.rank();
  p[5] = span.rank_dynamic();
}

// -> p[2:10].tolist()
__tile_global__ void strided_view_chunks_overlap(int* p) {
  auto view = ct::strided_view{ct::tensor_span{p, ct::extents{64}}, ct::shape<8>{}, ct::strides{2_ic}};
  put(p, view.load(1));
}

// -> [60, 61, 62, 63, 0, 0, 0, 0]
__tile_global__ void strided_view_pads(int* p) {
  auto view = ct::strided_view{ct::tensor_span{p, ct::extents{64}}, ct::shape<8>{}, ct::strides{20_ic}};
  put(p, view.load_masked(3));
}

// -> p[:64].reshape(8, 8)[[5, 1, 1, 7]][:, 2:6]
__tile_global__ void gather_view_takes_rows(int* p) {
  auto view = ct::gather_scatter_view{ct::tensor_span{p, ct::extents{8, 8}}, ct::shape<4, 4>{}, 0_ic};
  put(p, view.load(T<int, 4>({5, 1, 1, 7}), 2));
}

// -> np.where(np.isin(np.arange(64) % 8, [6, 0]), -1, np.arange(64))
__tile_global__ void scatter_view_writes_columns(int* p) {
  auto view = ct::gather_scatter_view{ct::tensor_span{p, ct::extents{8, 8}}, ct::shape<8, 2>{}, 1_ic};
  view.store(ct::full<T<int, 8, 2>>(-1), 0, T<int, 2>({6, 0}));
}

// -> p[:16] + 3
// grid 3
__tile_global__ void atomic_add_through_a_view(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{16}}, ct::shape<8>{}};
  view.atomic_add(ct::ones<T<int, 8>>(), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
  view.atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(ct::ones<T<int, 8>>(), {}, {}, 1);
}

// -> np.where(np.arange(16) < 12, np.maximum(np.arange(16), 9), np.arange(16))
__tile_global__ void atomic_max_masked_through_a_view(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{12}}, ct::shape<8>{}};
  for (int i = 0; i < 2; ++i)
    view.atomic_max_masked(ct::full<T<int, 8>>(9), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, i);
}

// -> p[8:16]
__tile_global__ void atomic_load_and_store_through_a_view(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{16}}, ct::shape<8>{}};
  view.atomic_store(view.atomic_load(ct::memory_order_relaxed_t{}, 1), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
}

// -> np.arange(128).reshape(4, 32)[:, 8:24]
__tile_global__ void constant_extents(unsigned char* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{4_ic, 32_ic}}, ct::shape<4, 8>{}};
  auto both = ct::cat<1>(view.load(0, 1), view.load(0, 2));
  put(p, both);
}

// -> np.arange(64).reshape(4, 4, 4)[1:3, :, 2:4]
__tile_global__ void view_of_rank_3(float* p) {
  auto view = ct::strided_view{ct::tensor_span{p, ct::extents{4, 4, 4}}, ct::shape<2, 4, 2>{}, ct::strides{1_ic, 4_ic, 2_ic}};
  put(p, view.load(1, 0, 1));
}

// -> [5] * 4
__tile_global__ void view_store_widens(float* p) {
  ct::partition_view{ct::tensor_span{p, ct::extents{4}}, ct::shape<4>{}}.store(ct::full<T<__half, 4>>(5), 0);
}

}  // extern "C"
