// raw_memory.cu: written by tile2cpp from raw_memory.py; edit that file instead.
//   raw_memory(x: f32[?], queue: i32[?], out: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Elements by their offset in memory, with atomics in the orders that a queue needs.
extern "C" __tile_global__ void raw_memory(
    float const* __restrict__ x_ptr, int x_shape0,
    int* __restrict__ queue_ptr, int queue_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  queue_ptr = ct::assume_aligned(queue_ptr, 16_ic);
  queue_shape0 = ct::assume_bounded_below(queue_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);

  int ticket = ct::atomic_add(queue_ptr + 0, 1, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  auto offsets = ticket * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  auto t = ct::load_masked(x_ptr + offsets, offsets < x_shape0, 0.0f);
  ct::store_masked(out_ptr + offsets, t, offsets < out_shape0);
  ct::atomic_xchg(queue_ptr + 1, ticket, ct::memory_order_release_t{}, ct::thread_scope_system_t{});
}
