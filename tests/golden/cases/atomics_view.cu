// atomics_view.cu: written by tile2cpp from atomics_view.py; edit that file instead.
//   atomics_view(x: f32[?], total: f32[1], TILE=256)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Adds a sum of each block to one element; nobody asks for the old value.
extern "C" __tile_global__ void atomics_view(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ total_ptr) {
  constexpr auto TILE = 256_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  total_ptr = ct::assume_aligned(total_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto total = ct::tensor_span{total_ptr, ct::extents{1_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{TILE}};
  auto total_elements = ct::partition_view{total, ct::shape{1_ic}};

  auto t = x_tiles.load_masked(ct::bid().x);
  total_elements.atomic_add_masked(ct::sum(t, 0_ic), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, 0);
}
