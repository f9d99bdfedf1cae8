// divisible_extents.cu: written by tile2cpp from divisible_extents.py; edit that file instead.
//   divisible_extents(x: f16[?%16,?%16], y: f16[?%16,?%16])

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Extents that are multiples of 16 are said to be.
extern "C" __tile_global__ void divisible_extents(
    __half const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    __half* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(ct::assume_divisible(x_shape0, 16_ic), 0_ic);
  x_shape1 = ct::assume_bounded_below(ct::assume_divisible(x_shape1, 16_ic), 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(ct::assume_divisible(y_shape0, 16_ic), 0_ic);
  y_shape1 = ct::assume_bounded_below(ct::assume_divisible(y_shape1, 16_ic), 0_ic);
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto y_tiles = ct::partition_view{y, ct::shape{16_ic, 16_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{16_ic, 16_ic}};

  int i = ct::bid().x;
  int j = ct::bid().y;
  y_tiles.store_masked(x_tiles.load_masked(i, j), i, j);
}
