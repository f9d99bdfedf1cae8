// wide_array.cu: written by tile2cpp from wide_array.py; edit that file instead.
//   wide_array(x: f32[?,?,?%16]w, n: f32[?]W, y: f32[?,?]:(?%16,1)w)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Arrays that span more than 2^31 elements: offsets in 64 bits, extents only where the signature says so.
extern "C" __tile_global__ void wide_array(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1, int x_shape2,
    float const* __restrict__ n_ptr, long long n_shape0,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1, long long y_stride0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  x_shape2 = ct::assume_bounded_below(ct::assume_divisible(x_shape2, 16_ic), 0_ic);
  n_ptr = ct::assume_aligned(n_ptr, 16_ic);
  n_shape0 = ct::assume_bounded_below(n_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  y_stride0 = ct::assume_bounded_below(ct::assume_divisible(y_stride0, 16_ic), 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents<long long, ct::dynamic_extent, ct::dynamic_extent, ct::dynamic_extent>{x_shape0, x_shape1, x_shape2}};
  auto y = ct::tensor_span{y_ptr, ct::layout_strided_mapping{ct::extents<long long, ct::dynamic_extent, ct::dynamic_extent>{y_shape0, y_shape1}, ct::extents<long long, ct::dynamic_extent, 1>{y_stride0}}};
  auto x_tiles = ct::partition_view{x, ct::shape{1_ic, 1_ic, 64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{1_ic, 64_ic}};

  int i = ct::bid().x;
  int j = ct::bid().y;
  auto columns = ct::iota<ct::tile<int, ct::shape<64>>>();
  long long index0 = ct::element_cast<long long>(i);
  long long index1 = ct::element_cast<long long>(j);
  auto index2 = ct::element_cast<long long>(columns);
  auto t = ct::reshape(x_tiles.load_masked(i, j, 0), ct::shape{64_ic}) + ct::load_masked(x_ptr + (index0 * ((long long)(x_shape1) * x_shape2) + index1 * (long long)(x_shape2) + index2), index0 < x_shape0 && index1 < x_shape1 && index2 < x_shape2, 0.0f);
  y_tiles.store_masked(ct::reshape(t * ct::element_cast<float>(n_shape0 - 1ll), ct::shape{1_ic, 64_ic}), i, 0);
}
