// while_loop.cu: written by tile2cpp from while_loop.py; edit that file instead.
//   while_loop(x: i32[?], out: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Counts halvings until nothing is left.
extern "C" __tile_global__ void while_loop(
    int const* __restrict__ x_ptr, int x_shape0,
    int* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_elements = ct::partition_view{x, ct::shape{1_ic}};
  auto out_elements = ct::partition_view{out, ct::shape{1_ic}};

  int i = ct::bid().x;
  int n = int(x_elements.load_masked(i));
  int steps = 0;
  while (n > 0) {
    n = ct::floordiv(n, 2);
    steps = steps + 1;
  }
  out_elements.store_masked(ct::full<ct::tile<int, ct::shape<1>>>(steps), i);
}
