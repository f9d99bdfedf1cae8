// cat_extract.cu: written by tile2cpp from cat_extract.py; edit that file instead.
//   cat_extract(x: f32[?,16], y: f32[?,16], joined: f32[?,32], halves: f32[?,16])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Joins two tiles and takes them apart again.
extern "C" __tile_global__ void cat_extract(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ joined_ptr, int joined_shape0,
    float* __restrict__ halves_ptr, int halves_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  joined_ptr = ct::assume_aligned(joined_ptr, 16_ic);
  joined_shape0 = ct::assume_bounded_below(joined_shape0, 0_ic);
  halves_ptr = ct::assume_aligned(halves_ptr, 16_ic);
  halves_shape0 = ct::assume_bounded_below(halves_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 16_ic}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, 16_ic}};
  auto joined = ct::tensor_span{joined_ptr, ct::extents{joined_shape0, 32_ic}};
  auto halves = ct::tensor_span{halves_ptr, ct::extents{halves_shape0, 16_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{8_ic, 16_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{8_ic, 16_ic}};
  auto joined_tiles = ct::partition_view{joined, ct::shape{8_ic, 32_ic}};
  auto halves_tiles = ct::partition_view{halves, ct::shape{8_ic, 16_ic}};

  int i = ct::bid().x;
  auto t = ct::cat(x_tiles.load_masked(i, 0), y_tiles.load_masked(i, 0), 1_ic);
  joined_tiles.store_masked(t, i, 0);
  // The index counts sub-tiles: this is the right half.
  halves_tiles.store_masked(ct::extract(t, ct::shape{8_ic, 16_ic}, 0, 1), i, 0);
}
