// transpose.cu: written by tile2cpp from transpose.py; edit that file instead.
//   transpose(x: f32[?,?], y: f32[?,?], TM=64, TN=32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Turns a matrix: the tile, and its place in the result.
extern "C" __tile_global__ void transpose(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  constexpr auto TM = 64_ic;
  constexpr auto TN = 32_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x_tiles = ct::partition_view{x, ct::shape{TM, TN}};
  auto y_tiles = ct::partition_view{y, ct::shape{TN, TM}};

  int i = ct::bid().x;
  int j = ct::bid().y;
  auto t = x_tiles.load_masked(i, j);
  y_tiles.store_masked(ct::transpose(t), j, i);
}
