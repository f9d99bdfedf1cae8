// loop_carried_tile.cu: written by tile2cpp from loop_carried_tile.py; edit that file instead.
//   loop_carried_tile(x: f32[?], out: f32[?], TILE=256)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// A tile is carried through a loop.
extern "C" __tile_global__ void loop_carried_tile(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  constexpr auto TILE = 256_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{TILE}};
  auto out_tiles = ct::partition_view{out, ct::shape{TILE}};

  auto acc = ct::zeros<ct::tile<float, ct::shape<TILE>>>();
  for (auto k : ct::irange(0, ct::ceildiv(x_shape0, int(TILE)))) {
    acc = acc + x_tiles.load_masked(k);
  }
  out_tiles.store_masked(acc, 0);
}
