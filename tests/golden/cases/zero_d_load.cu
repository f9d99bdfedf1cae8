// zero_d_load.cu: written by tile2cpp from zero_d_load.py; edit that file instead.
//   zero_d_load(starts: i32[?], factors: f32[?], x: f32[?], y: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Single elements are scalars: they index, compare and multiply.
extern "C" __tile_global__ void zero_d_load(
    int const* __restrict__ starts_ptr, int starts_shape0,
    float const* __restrict__ factors_ptr, int factors_shape0,
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0) {
  starts_ptr = ct::assume_aligned(starts_ptr, 16_ic);
  starts_shape0 = ct::assume_bounded_below(starts_shape0, 0_ic);
  factors_ptr = ct::assume_aligned(factors_ptr, 16_ic);
  factors_shape0 = ct::assume_bounded_below(factors_shape0, 0_ic);
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto starts = ct::tensor_span{starts_ptr, ct::extents{starts_shape0}};
  auto factors = ct::tensor_span{factors_ptr, ct::extents{factors_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto starts_elements = ct::partition_view{starts, ct::shape{1_ic}};
  auto factors_elements = ct::partition_view{factors, ct::shape{1_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{64_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};

  int i = ct::bid().x;
  int start = int(starts_elements.load_masked(i));
  float factor = float(factors_elements.load_masked(i));
  if (start >= 0 && factor != 0.0f) {
    y_tiles.store_masked(x_tiles.load_masked(start) * factor, i);
  }
}
