// scan.cu: written by tile2cpp from scan.py; edit that file instead.
//   scan(x: f32[?,64], left: f32[?,64], right: f32[?,64])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Running sums of each row, from the left and from the right.
extern "C" __tile_global__ void scan(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ left_ptr, int left_shape0,
    float* __restrict__ right_ptr, int right_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  left_ptr = ct::assume_aligned(left_ptr, 16_ic);
  left_shape0 = ct::assume_bounded_below(left_shape0, 0_ic);
  right_ptr = ct::assume_aligned(right_ptr, 16_ic);
  right_shape0 = ct::assume_bounded_below(right_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 64_ic}};
  auto left = ct::tensor_span{left_ptr, ct::extents{left_shape0, 64_ic}};
  auto right = ct::tensor_span{right_ptr, ct::extents{right_shape0, 64_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{4_ic, 64_ic}};
  auto left_tiles = ct::partition_view{left, ct::shape{4_ic, 64_ic}};
  auto right_tiles = ct::partition_view{right, ct::shape{4_ic, 64_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i, 0);
  left_tiles.store_masked(ct::partial_sum(t, 1_ic), i, 0);
  right_tiles.store_masked(ct::partial_sum(t, 1_ic, ct::scan_backward_t{}), i, 0);
}
