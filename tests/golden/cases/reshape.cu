// reshape.cu: written by tile2cpp from reshape.py; edit that file instead.
//   reshape(x: i32[32], flat: i32[32], matrix: i32[4,8], column: i32[32,1])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// The same elements in other shapes.
extern "C" __tile_global__ void reshape(
    int const* __restrict__ x_ptr,
    int* __restrict__ flat_ptr,
    int* __restrict__ matrix_ptr,
    int* __restrict__ column_ptr) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  flat_ptr = ct::assume_aligned(flat_ptr, 16_ic);
  matrix_ptr = ct::assume_aligned(matrix_ptr, 16_ic);
  column_ptr = ct::assume_aligned(column_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{32_ic}};
  auto matrix = ct::tensor_span{matrix_ptr, ct::extents{4_ic, 8_ic}};
  auto flat = ct::tensor_span{flat_ptr, ct::extents{32_ic}};
  auto column = ct::tensor_span{column_ptr, ct::extents{32_ic, 1_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{32_ic}};
  auto matrix_tiles = ct::partition_view{matrix, ct::shape{4_ic, 8_ic}};
  auto flat_tiles = ct::partition_view{flat, ct::shape{32_ic}};
  auto column_tiles = ct::partition_view{column, ct::shape{32_ic, 1_ic}};

  auto t = ct::reshape(x_tiles.load(0), ct::shape{4_ic, 8_ic});
  matrix_tiles.store(t, 0, 0);
  flat_tiles.store(ct::reshape(t * 2, ct::shape{32_ic}), 0);
  column_tiles.store(ct::reshape(ct::reshape(t, ct::shape{32_ic}), ct::shape{32_ic, 1_ic}), 0, 0);
}
