// array_slices.cu: written by tile2cpp from array_slices.py; edit that file instead.
//   array_slices(x: f32[?,?], starts: i32[?], out: f32[?,64])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Parts of arrays: segments of rows whose bounds are read at run time.
extern "C" __tile_global__ void array_slices(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1,
    int const* __restrict__ starts_ptr, int starts_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  x_shape1 = ct::assume_bounded_below(x_shape1, 0_ic);
  starts_ptr = ct::assume_aligned(starts_ptr, 16_ic);
  starts_shape0 = ct::assume_bounded_below(starts_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0, 64_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{1_ic, 64_ic}};

  int i = ct::bid().x;
  int first = ct::load_masked(starts_ptr + i, i < starts_shape0, 0);
  int index = i + 1;
  int stop = ct::load_masked(starts_ptr + index, index < starts_shape0, 0);
  auto segment = ct::tensor_span{x_ptr + first * x_shape1, ct::extents{stop - first, x_shape1}};
  auto segment_tiles = ct::partition_view{segment, ct::shape{8_ic, 64_ic}};
  auto total = ct::zeros<ct::tile<float, ct::shape<8, 64>>>();
  for (auto k : ct::irange(0, ct::ceildiv(int(segment.extent(0)), 8))) {
    total = total + segment_tiles.load_masked(k, 0);
  }
  out_tiles.store_masked(ct::sum(total, 0_ic), i, 0);
}
