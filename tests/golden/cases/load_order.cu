// load_order.cu: written by tile2cpp from load_order.py; edit that file instead.
//   load_order(x: f32[?,?], y: f32[?,?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Reads tiles of the turned array: tile axis 0 runs along array axis 1.
extern "C" __tile_global__ void load_order(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto x_transposed = ct::tensor_span{x_ptr, ct::extents{x_shape1, x_shape0}, ct::layout_left{}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x_transposed_tiles = ct::partition_view{x_transposed, ct::shape{32_ic, 16_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{32_ic, 16_ic}};

  int i = ct::bid().x;
  int j = ct::bid().y;
  auto t = x_transposed_tiles.load_masked(i, j);
  y_tiles.store_masked(t, i, j);
}
