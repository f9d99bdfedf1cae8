// broadcasting.cu: written by tile2cpp from broadcasting.py; edit that file instead.
//   broadcasting(x: f32[8,32], row: f32[32], column: f32[8], stack: f32[4,1,32], out: f32[4,8,32])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// A matrix meets a row, a column and a stack of rows.
extern "C" __tile_global__ void broadcasting(
    float const* __restrict__ x_ptr,
    float const* __restrict__ row_ptr,
    float const* __restrict__ column_ptr,
    float const* __restrict__ stack_ptr,
    float* __restrict__ out_ptr) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  row_ptr = ct::assume_aligned(row_ptr, 16_ic);
  column_ptr = ct::assume_aligned(column_ptr, 16_ic);
  stack_ptr = ct::assume_aligned(stack_ptr, 16_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{8_ic, 32_ic}};
  auto row = ct::tensor_span{row_ptr, ct::extents{32_ic}};
  auto column = ct::tensor_span{column_ptr, ct::extents{8_ic}};
  auto stack = ct::tensor_span{stack_ptr, ct::extents{4_ic, 1_ic, 32_ic}};
  auto out = ct::tensor_span{out_ptr, ct::extents{4_ic, 8_ic, 32_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{8_ic, 32_ic}};
  auto row_tiles = ct::partition_view{row, ct::shape{32_ic}};
  auto column_tiles = ct::partition_view{column, ct::shape{8_ic}};
  auto stack_tiles = ct::partition_view{stack, ct::shape{4_ic, 1_ic, 32_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{4_ic, 8_ic, 32_ic}};

  auto t = x_tiles.load(0, 0);
  t = t + row_tiles.load(0);  // the row is read as 1x32
  t = t * ct::reshape(column_tiles.load(0), ct::shape{8_ic, 1_ic});
  auto deep = t - stack_tiles.load(0, 0, 0);
  out_tiles.store(deep, 0, 0, 0);
}
