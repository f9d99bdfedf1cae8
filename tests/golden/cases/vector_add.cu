// vector_add.cu: written by tile2cpp from vector_add.py; edit that file instead.
//   vector_add(x: f32[?], y: f32[?], total: f32[?], TILE=1024)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Adds two vectors, one tile per block.
extern "C" __tile_global__ void vector_add(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ total_ptr, int total_shape0) {
  constexpr auto TILE = 1024_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  total_ptr = ct::assume_aligned(total_ptr, 16_ic);
  total_shape0 = ct::assume_bounded_below(total_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto total = ct::tensor_span{total_ptr, ct::extents{total_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{TILE}};
  auto y_tiles = ct::partition_view{y, ct::shape{TILE}};
  auto total_tiles = ct::partition_view{total, ct::shape{TILE}};

  int block = ct::bid().x;
  auto x_tile = x_tiles.load_masked(block);
  auto y_tile = y_tiles.load_masked(block);
  // The last tile may cross the end of the vectors.
  total_tiles.store_masked(x_tile + y_tile, block);
}
