// views_strided_gathered.cu: written by tile2cpp from views_strided_gathered.py; edit that file instead.
//   views_strided_gathered(x: f32[?,64], rows: i32[?], windows: f32[?,64], out: f32[?,64])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Tiles that overlap, and rows from anywhere.
extern "C" __tile_global__ void views_strided_gathered(
    float const* __restrict__ x_ptr, int x_shape0,
    int const* __restrict__ rows_ptr, int rows_shape0,
    float* __restrict__ windows_ptr, int windows_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  rows_ptr = ct::assume_aligned(rows_ptr, 16_ic);
  rows_shape0 = ct::assume_bounded_below(rows_shape0, 0_ic);
  windows_ptr = ct::assume_aligned(windows_ptr, 16_ic);
  windows_shape0 = ct::assume_bounded_below(windows_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto windows = ct::tensor_span{windows_ptr, ct::extents{windows_shape0, 64_ic}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 64_ic}};
  auto rows = ct::tensor_span{rows_ptr, ct::extents{rows_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0, 64_ic}};
  auto windows_tiles = ct::partition_view{windows, ct::shape{4_ic, 64_ic}};
  auto x_strided = ct::strided_view{x, ct::shape{4_ic, 64_ic}, ct::strides{2_ic, 64_ic}};
  auto rows_tiles = ct::partition_view{rows, ct::shape{16_ic}};
  auto x_gathered = ct::gather_scatter_view{x, ct::shape{16_ic, 64_ic}, 0_ic};
  auto out_gathered = ct::gather_scatter_view{out, ct::shape{16_ic, 64_ic}, 0_ic};

  int i = ct::bid().x;
  windows_tiles.store_masked(x_strided.load_masked(i, 0), i, 0);
  auto chosen = rows_tiles.load_masked(i);
  auto picked = x_gathered.load_masked(chosen, 0);
  out_gathered.store_masked(picked * 2.0f, chosen, 0);
}
