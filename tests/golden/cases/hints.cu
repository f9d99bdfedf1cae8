// hints.cu: written by tile2cpp from hints.py; edit that file instead.
//   hints(x: f32[?], y: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Hints of a kernel, per target, and of single accesses.
extern "C" [[using cutile : hint(0, occupancy=2), hint(900, num_cta_in_cga=4), hint(1000, num_cta_in_cga=8)]] __tile_global__ void hints(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{256_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{256_ic}};

  int i = ct::bid().x;
  // This load is heavy on bandwidth.
  [[cutile::hint(0, latency=8)]] auto t = x_tiles.load_masked(i);
  [[cutile::hint(0, allow_tma=false)]] y_tiles.store_masked(t, i);
}
