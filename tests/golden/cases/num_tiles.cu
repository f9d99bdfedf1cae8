// num_tiles.cu: written by tile2cpp from num_tiles.py; edit that file instead.
//   num_tiles(x: f32[?,?], out: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// How many tiles an array has, seen from inside and by division.
extern "C" __tile_global__ void num_tiles(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    int* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto out_elements = ct::partition_view{out, ct::shape{1_ic}};

  out_elements.store_masked(ct::full<ct::tile<int, ct::shape<1>>>(ct::ceildiv(x_shape0, 16)), 0);
  out_elements.store_masked(ct::full<ct::tile<int, ct::shape<1>>>(ct::ceildiv(x_shape1, 64)), 1);
  out_elements.store_masked(ct::full<ct::tile<int, ct::shape<1>>>(ct::ceildiv(x_shape0, 16) * int(ct::num_blocks().x)), 2);
}
