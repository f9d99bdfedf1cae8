// layer_norm.cu: written by tile2cpp from layer_norm.py; edit that file instead.
//   layer_norm(x: f32[?,?], weight: f32[?], bias: f32[?], y: f32[?,?], eps: f32, TILE=1024)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Layer normalisation of matrix rows: two reductions, a mask, and a row of weights.
extern "C" __tile_global__ void layer_norm(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float const* __restrict__ weight_ptr, int weight_shape0,
    float const* __restrict__ bias_ptr, int bias_shape0,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1,
    float eps) {
  constexpr auto TILE = 1024_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  weight_ptr = ct::assume_aligned(weight_ptr, 16_ic);
  weight_shape0 = ct::assume_bounded_below(weight_shape0, 0_ic);
  bias_ptr = ct::assume_aligned(bias_ptr, 16_ic);
  bias_shape0 = ct::assume_bounded_below(bias_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto weight = ct::tensor_span{weight_ptr, ct::extents{weight_shape0}};
  auto bias = ct::tensor_span{bias_ptr, ct::extents{bias_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto x_tiles = ct::partition_view{x, ct::shape{1_ic, TILE}};
  auto weight_tiles = ct::partition_view{weight, ct::shape{TILE}};
  auto bias_tiles = ct::partition_view{bias, ct::shape{TILE}};
  auto y_tiles = ct::partition_view{y, ct::shape{1_ic, TILE}};

  int row = ct::bid().x;
  int columns = x_shape1;
  auto t = x_tiles.load_masked(row, 0);
  auto mean = ct::sum(t, 1_ic) / ct::element_cast<float>(columns);
  // Padding is 0, but 0 - mean is not: keep it out of the variance.
  auto inside = ct::iota<ct::tile<int, ct::shape<TILE>>>() < columns;
  auto centred = ct::select(inside, t - mean, ct::full<ct::tile<float, ct::shape<1, TILE>>>(0.0f));
  auto variance = ct::sum(centred * centred, 1_ic) / ct::element_cast<float>(columns);
  auto w = weight_tiles.load_masked(0);
  auto b = bias_tiles.load_masked(0);
  y_tiles.store_masked(centred * ct::rsqrt(variance + eps) * w + b, row, 0);
}
