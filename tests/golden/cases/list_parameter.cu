// list_parameter.cu: written by tile2cpp from list_parameter.py; edit that file instead.
//   list_parameter(xs: [f32[?%16]], ys: [f32[?]:(?)@4], y: f32[?], T=256)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ ct::tile<float, ct::shape<256>> block_of(
    float const* const* arrays_ptr,
    int const* arrays_shape0,
    int arrays_length,
    int i) {
  constexpr auto T = 256_ic;

  auto arrays_item = ct::tensor_span{ct::assume_aligned(arrays_ptr[i], 16_ic), ct::extents{ct::assume_bounded_below(ct::assume_divisible(arrays_shape0[i], 16_ic), 0_ic)}};
  auto arrays_item_tiles = ct::partition_view{arrays_item, ct::shape{T}};
  return arrays_item_tiles.load_masked(ct::bid().x);
}

// A list of arrays: a table for each thing that an array has as parameters.
extern "C" __tile_global__ void list_parameter(
    float const* const* __restrict__ xs_ptr, int const* __restrict__ xs_shape0, int xs_length,
    float* const* __restrict__ ys_ptr, int const* __restrict__ ys_shape0, int const* __restrict__ ys_stride0, int ys_length,
    float* __restrict__ y_ptr, int y_shape0) {
  constexpr auto T = 256_ic;
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto y_tiles = ct::partition_view{y, ct::shape{T}};

  auto total = ct::zeros<ct::tile<float, ct::shape<T>>>();
  for (auto i : ct::irange(0, xs_length)) {
    auto x = ct::tensor_span{ct::assume_aligned(xs_ptr[i], 16_ic), ct::extents{ct::assume_bounded_below(ct::assume_divisible(xs_shape0[i], 16_ic), 0_ic)}};
    auto x_tiles = ct::partition_view{x, ct::shape{T}};
    total = total + x_tiles.load_masked(ct::bid().x) / ct::element_cast<float>(int(x.extent(0)));
  }
  // The last one counts twice.
  total = total + block_of(xs_ptr, xs_shape0, xs_length, xs_length - 1);
  y_tiles.store_masked(total, ct::bid().x);
  int ys_index = ys_length - 1;
  auto ys_item = ct::tensor_span{ys_ptr[ys_index], ct::layout_strided_mapping{ct::extents{ct::assume_bounded_below(ys_shape0[ys_index], 0_ic)}, ct::extents{ct::assume_bounded_below(ys_stride0[ys_index], 0_ic)}}};
  auto ys_item_tiles = ct::partition_view{ys_item, ct::shape{T}};
  ys_item_tiles.store_masked(total, ct::bid().x);
}
