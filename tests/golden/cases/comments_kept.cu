// comments_kept.cu: written by tile2cpp from comments_kept.py; edit that file instead.
//   comments_kept(x: f32[?], y: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Comments above, beside, inside and after statements stay where they are.
extern "C" __tile_global__ void comments_kept(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{64_ic}};

  // Above the first statement,
  // in two lines.
  int i = ct::bid().x;  // beside it
  // After an empty line.
  // inside a call
  auto t = x_tiles.load_masked(i);
  if (i > 0) {  // beside a condition
    // First in a branch.
    t = t * 2.0f;
    // Last in a branch.
  } else {
    t = t + 1.0f;  // é, 中文, and a backslash at the end
  }
  y_tiles.store_masked(t, i);
  // The last word.
}
