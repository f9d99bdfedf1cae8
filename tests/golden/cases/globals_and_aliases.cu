// globals_and_aliases.cu: written by tile2cpp from globals_and_aliases.py; edit that file instead.
//   globals_and_aliases(x: f32[?], y: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Constants and names of the module, under whatever name they were imported.
extern "C" __tile_global__ void globals_and_aliases(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0) {
  constexpr auto WIDTH = 128_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{WIDTH}};
  auto y_tiles = ct::partition_view{y, ct::shape{WIDTH}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i);
  y_tiles.store_masked((t * 0.25f + 0.5f) * 3.1415927f, i);
}
