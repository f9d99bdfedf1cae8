// scalar_parameters.cu: written by tile2cpp from scalar_parameters.py; edit that file instead.
//   scalar_parameters(x: f32[?], y: f32[?], scale: f32, shift: i32, negate: bool, POWER=2)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Run-time scalars of three kinds, and a constant.
extern "C" __tile_global__ void scalar_parameters(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0,
    float scale,
    int shift,
    bool negate) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{128_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{128_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i) * scale + ct::element_cast<float>(shift);
  if (negate) {
    t = -t;
  }
  y_tiles.store_masked(ct::pow(t, 2.0f), i);
}
