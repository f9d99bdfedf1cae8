// break_continue.cu: written by tile2cpp from break_continue.py; edit that file instead.
//   break_continue(x: i32[?,?], out: i32[?], limit: i32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Leaves a loop, and skips parts of it.
extern "C" __tile_global__ void break_continue(
    int const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    int* __restrict__ out_ptr, int out_shape0,
    int limit) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_elements = ct::partition_view{x, ct::shape{1_ic, 1_ic}};
  auto out_elements = ct::partition_view{out, ct::shape{1_ic}};

  int row = ct::bid().x;
  int found = -1;
  for (auto j : ct::irange(0, x_shape1, 2)) {
    int value = int(x_elements.load_masked(row, j));
    if (value < 0) {
      continue;  // negative values do not count
    }
    if (value > limit) {
      found = j;
      break;
    }
  }
  out_elements.store_masked(ct::full<ct::tile<int, ct::shape<1>>>(found), row);
}
