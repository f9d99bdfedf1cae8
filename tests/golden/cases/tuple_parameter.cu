// tuple_parameter.cu: written by tile2cpp from tuple_parameter.py; edit that file instead.
//   tuple_parameter(pair: (f32[?], f32), shape: (=4, =64), y: f32[?,?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Tuples are passed item by item; constants in them become part of the file.
extern "C" __tile_global__ void tuple_parameter(
    float const* __restrict__ pair_0_ptr, int pair_0_shape0,
    float pair_1,
    float* __restrict__ y_ptr, int y_shape0, int y_shape1) {
  constexpr auto rows = 4_ic;
  constexpr auto columns = 64_ic;
  pair_0_ptr = ct::assume_aligned(pair_0_ptr, 16_ic);
  pair_0_shape0 = ct::assume_bounded_below(pair_0_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  y_shape1 = ct::assume_bounded_below(y_shape1, 0_ic);
  auto pair_0 = ct::tensor_span{pair_0_ptr, ct::extents{pair_0_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, y_shape1}};
  auto pair_0_tiles = ct::partition_view{pair_0, ct::shape{columns}};
  auto y_tiles = ct::partition_view{y, ct::shape{rows, columns}};

  float factor = pair_1;
  auto row = pair_0_tiles.load_masked(ct::bid().x) * factor;
  y_tiles.store_masked(ct::broadcast(row, ct::shape{rows, columns}), 0, ct::bid().x);
}
