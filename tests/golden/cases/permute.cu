// permute.cu: written by tile2cpp from permute.py; edit that file instead.
//   permute(x: f32[2,4,8], moved: f32[8,2,4], swapped: f32[2,8,4])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Rearranges the axes of a stack of matrices.
extern "C" __tile_global__ void permute(
    float const* __restrict__ x_ptr,
    float* __restrict__ moved_ptr,
    float* __restrict__ swapped_ptr) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  moved_ptr = ct::assume_aligned(moved_ptr, 16_ic);
  swapped_ptr = ct::assume_aligned(swapped_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{2_ic, 4_ic, 8_ic}};
  auto moved = ct::tensor_span{moved_ptr, ct::extents{8_ic, 2_ic, 4_ic}};
  auto swapped = ct::tensor_span{swapped_ptr, ct::extents{2_ic, 8_ic, 4_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{2_ic, 4_ic, 8_ic}};
  auto moved_tiles = ct::partition_view{moved, ct::shape{8_ic, 2_ic, 4_ic}};
  auto swapped_tiles = ct::partition_view{swapped, ct::shape{2_ic, 8_ic, 4_ic}};

  auto t = x_tiles.load(0, 0, 0);
  moved_tiles.store(ct::permute(t, ct::dimension_map{2_ic, 0_ic, 1_ic}), 0, 0, 0);
  swapped_tiles.store(ct::permute(t, ct::dimension_map{0_ic, 2_ic, 1_ic}), 0, 0, 0);
}
