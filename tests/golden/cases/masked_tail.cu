// masked_tail.cu: written by tile2cpp from masked_tail.py; edit that file instead.
//   masked_tail(x: f32[?,?], out: f32[?], TILE=512)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// A row longer than a tile: every tile may be the partial one, so all are masked.
extern "C" __tile_global__ void masked_tail(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    float* __restrict__ out_ptr, int out_shape0) {
  constexpr auto TILE = 512_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, x_shape1}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{1_ic, TILE}};
  auto out_elements = ct::partition_view{out, ct::shape{1_ic}};

  int row = ct::bid().x;
  auto largest = ct::full<ct::tile<float, ct::shape<1, TILE>>>(-INFINITY);
  for (auto j : ct::irange(0, ct::ceildiv(x_shape1, int(TILE)))) {
    auto t = x_tiles.load_masked(ct::view_padding_negative_inf_t{}, row, j);
    largest = ct::max(largest, t);
  }
  out_elements.store_masked(ct::full<ct::tile<float, ct::shape<1>>>(float(ct::reduce_max(ct::reduce_max(largest, 1_ic), 0_ic))), row);
}
