// where.cu: written by tile2cpp from where.py; edit that file instead.
//   where(x: f32[?], y: f32[?], out: f32[?], positive: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Chooses element by element; constants take the dtype of the tile.
extern "C" __tile_global__ void where(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ out_ptr, int out_shape0,
    int* __restrict__ positive_ptr, int positive_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  positive_ptr = ct::assume_aligned(positive_ptr, 16_ic);
  positive_shape0 = ct::assume_bounded_below(positive_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto positive = ct::tensor_span{positive_ptr, ct::extents{positive_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{128_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{128_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{128_ic}};
  auto positive_tiles = ct::partition_view{positive, ct::shape{128_ic}};

  int i = ct::bid().x;
  auto a = x_tiles.load_masked(i);
  auto b = y_tiles.load_masked(i);
  out_tiles.store_masked(ct::select(a > b, a, ct::full<ct::tile<float, ct::shape<128>>>(-INFINITY)), i);
  positive_tiles.store_masked(ct::select((a > 0.0f) & !(b > 0.0f), ct::full<ct::tile<int, ct::shape<128>>>(1), ct::full<ct::tile<int, ct::shape<128>>>(0)), i);
}
