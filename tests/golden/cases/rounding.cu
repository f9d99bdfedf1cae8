// rounding.cu: written by tile2cpp from rounding.py; edit that file instead.
//   rounding(x: f32[?], y: f32[?], out: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Arithmetic with a chosen rounding, and subnormals flushed to zero.
extern "C" __tile_global__ void rounding(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{64_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{64_ic}};

  int i = ct::bid().x;
  auto a = x_tiles.load_masked(i);
  auto b = y_tiles.load_masked(i);
  // Fast division is good enough for weights.
  auto quick = ct::div(a, b, ct::round_approximate_t{}, ct::round_subnormals_to_zero_t{});
  out_tiles.store_masked(quick + ct::exp2(a, ct::round_subnormals_to_zero_t{}), i);
}
