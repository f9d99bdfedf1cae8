// gather_2d_mask.cu: written by tile2cpp from gather_2d_mask.py; edit that file instead.
//   gather_2d_mask(x: f32[?,?], y: f32[?,?], limit: i32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Reads single elements of a matrix under a mask.
extern "C" __tile_global__ void gather_2d_mask(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1,
    int limit) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);

  auto rows = int(ct::bid().x) * 16 + ct::iota<ct::tile<int, ct::shape<16>>>();
  auto columns = ct::iota<ct::tile<int, ct::shape<32>>>();
  // Only the lower triangle is read, and only above `limit`.
  auto live = (ct::reshape(columns, ct::shape{1_ic, 32_ic}) <= ct::reshape(rows, ct::shape{16_ic, 1_ic})) & (ct::reshape(rows, ct::shape{16_ic, 1_ic}) < limit);
  auto index0 = ct::reshape(rows, ct::shape{16_ic, 1_ic});
  auto index1 = ct::reshape(columns, ct::shape{1_ic, 32_ic});
  auto t = ct::load_masked(x_ptr + (index0 * x_shape1 + index1), index0 < x_shape0 && index1 < x_shape1 && live, 0.0f);
  ct::store_masked(y_ptr + (index0 * y_shape1 + index1), t * 2.0f, index0 < y_shape0 && index1 < y_shape1 && live);
}
