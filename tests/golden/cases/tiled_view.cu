// tiled_view.cu: written by tile2cpp from tiled_view.py; edit that file instead.
//   tiled_view(x: f32[?,?], y: f32[?,?], TM=16, TN=64)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Views fix the tile shape once.
extern "C" __tile_global__ void tiled_view(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  constexpr auto TM = 16_ic;
  constexpr auto TN = 64_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto y_tiles = ct::partition_view{y, ct::shape{TM, TN}};
  auto x_tiles = ct::partition_view{x, ct::shape{TM, TN}};

  int i = ct::bid().x;
  for (auto j : ct::irange(0, ct::ceildiv(x_shape1, int(TN)))) {
    y_tiles.store_masked(x_tiles.load_masked(i, j) * 2.0f, i, j);
  }
}
