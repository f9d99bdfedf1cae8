// softmax.cu: written by tile2cpp from softmax.py; edit that file instead.
//   softmax(x: f32[?,?], y: f32[?,?], TILE=1024)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Softmax over the rows of a matrix, one block per row.
extern "C" __tile_global__ void softmax(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  constexpr auto TILE = 1024_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x_tiles = ct::partition_view{x, ct::shape{1_ic, TILE}};
  auto y_tiles = ct::partition_view{y, ct::shape{1_ic, TILE}};

  int row = ct::bid().x;
  // Columns past the edge read as -inf, so they add nothing to the sum.
  auto t = x_tiles.load_masked(ct::view_padding_negative_inf_t{}, row, 0);
  auto e = ct::exp(t - ct::reduce_max(t, 1_ic));
  y_tiles.store_masked(e / ct::sum(e, 1_ic), row, 0);
}
