// persistent_loop.cu: written by tile2cpp from persistent_loop.py; edit that file instead.
//   persistent_loop(x: f32[?,?], out: f32[?,?], TILE=256)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Fewer blocks than rows: each block takes every n-th row.
extern "C" __tile_global__ void persistent_loop(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ out_ptr, int out_shape0, int out_shape1) {
  constexpr auto TILE = 256_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  out_shape1 = ct::assume_bounded_below(out_shape1, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0, out_shape1}};
  auto x_tiles = ct::partition_view{x, ct::shape{1_ic, TILE}};
  auto out_tiles = ct::partition_view{out, ct::shape{1_ic, TILE}};

  for (auto row : ct::irange(int(ct::bid().x), x_shape0, int(ct::num_blocks().x))) {
    auto t = x_tiles.load_masked(row, 0);
    out_tiles.store_masked(t * t, row, 0);
  }
}
