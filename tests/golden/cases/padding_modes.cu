// padding_modes.cu: written by tile2cpp from padding_modes.py; edit that file instead.
//   padding_modes(x: f32[?], zero: f32[?], low: f32[?], high: f32[?], none: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// What a load finds outside of the array.
extern "C" __tile_global__ void padding_modes(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ zero_ptr, int zero_shape0,
    float* __restrict__ low_ptr, int low_shape0,
    float* __restrict__ high_ptr, int high_shape0,
    float* __restrict__ none_ptr, int none_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  zero_ptr = ct::assume_aligned(zero_ptr, 16_ic);
  zero_shape0 = ct::assume_bounded_below(zero_shape0, 0_ic);
  low_ptr = ct::assume_aligned(low_ptr, 16_ic);
  low_shape0 = ct::assume_bounded_below(low_shape0, 0_ic);
  high_ptr = ct::assume_aligned(high_ptr, 16_ic);
  high_shape0 = ct::assume_bounded_below(high_shape0, 0_ic);
  none_ptr = ct::assume_aligned(none_ptr, 16_ic);
  none_shape0 = ct::assume_bounded_below(none_shape0, 0_ic);
  auto zero = ct::tensor_span{zero_ptr, ct::extents{zero_shape0}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto low = ct::tensor_span{low_ptr, ct::extents{low_shape0}};
  auto high = ct::tensor_span{high_ptr, ct::extents{high_shape0}};
  auto none = ct::tensor_span{none_ptr, ct::extents{none_shape0}};
  auto zero_tiles = ct::partition_view{zero, ct::shape{64_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};
  auto low_tiles = ct::partition_view{low, ct::shape{64_ic}};
  auto high_tiles = ct::partition_view{high, ct::shape{64_ic}};
  auto none_tiles = ct::partition_view{none, ct::shape{64_ic}};

  int i = ct::bid().x;
  zero_tiles.store_masked(x_tiles.load_masked(i), i);
  low_tiles.store_masked(x_tiles.load_masked(ct::view_padding_negative_inf_t{}, i), i);
  high_tiles.store_masked(x_tiles.load_masked(ct::view_padding_positive_inf_t{}, i), i);
  none_tiles.store_masked(x_tiles.load_masked(ct::view_padding_nan_t{}, i), i);
}
