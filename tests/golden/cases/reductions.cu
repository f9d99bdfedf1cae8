// reductions.cu: written by tile2cpp from reductions.py; edit that file instead.
//   reductions(x: f32[16,32], rows: f32[16], columns: f32[1,32], largest: f32[1], total: f32[1,1])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Sums and extremes: along an axis, along several, along all; with the axis kept or not.
extern "C" __tile_global__ void reductions(
    float const* __restrict__ x_ptr,
    float* __restrict__ rows_ptr,
    float* __restrict__ columns_ptr,
    float* __restrict__ largest_ptr,
    float* __restrict__ total_ptr) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  rows_ptr = ct::assume_aligned(rows_ptr, 16_ic);
  columns_ptr = ct::assume_aligned(columns_ptr, 16_ic);
  largest_ptr = ct::assume_aligned(largest_ptr, 16_ic);
  total_ptr = ct::assume_aligned(total_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{16_ic, 32_ic}};
  auto rows = ct::tensor_span{rows_ptr, ct::extents{16_ic}};
  auto columns = ct::tensor_span{columns_ptr, ct::extents{1_ic, 32_ic}};
  auto largest = ct::tensor_span{largest_ptr, ct::extents{1_ic}};
  auto total = ct::tensor_span{total_ptr, ct::extents{1_ic, 1_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{16_ic, 32_ic}};
  auto rows_tiles = ct::partition_view{rows, ct::shape{16_ic}};
  auto columns_tiles = ct::partition_view{columns, ct::shape{1_ic, 32_ic}};
  auto largest_elements = ct::partition_view{largest, ct::shape{1_ic}};
  auto total_elements = ct::partition_view{total, ct::shape{1_ic, 1_ic}};

  auto t = x_tiles.load(0, 0);
  rows_tiles.store(ct::reshape(ct::sum(t, 1_ic), ct::shape{16_ic}), 0);
  columns_tiles.store(ct::reduce_min(t, 0_ic), 0, 0);
  largest_elements.store(ct::full<ct::tile<float, ct::shape<1>>>(float(ct::reduce_max(ct::reduce_max(t, 1_ic), 0_ic))), 0);
  total_elements.store(ct::sum(ct::sum(t, 1_ic), 0_ic), 0, 0);
}
