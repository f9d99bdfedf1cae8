// atomics_exchange.cu: written by tile2cpp from atomics_exchange.py; edit that file instead.
//   atomics_exchange(state: i32[?], previous: i32[?], owner: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Exchange, and exchange if equal.
extern "C" __tile_global__ void atomics_exchange(
    int* __restrict__ state_ptr, int state_shape0,
    int* __restrict__ previous_ptr, int previous_shape0,
    int* __restrict__ owner_ptr, int owner_shape0) {
  state_ptr = ct::assume_aligned(state_ptr, 16_ic);
  state_shape0 = ct::assume_bounded_below(state_shape0, 0_ic);
  previous_ptr = ct::assume_aligned(previous_ptr, 16_ic);
  previous_shape0 = ct::assume_bounded_below(previous_shape0, 0_ic);
  owner_ptr = ct::assume_aligned(owner_ptr, 16_ic);
  owner_shape0 = ct::assume_bounded_below(owner_shape0, 0_ic);
  auto owner = ct::tensor_span{owner_ptr, ct::extents{owner_shape0}};
  auto previous = ct::tensor_span{previous_ptr, ct::extents{previous_shape0}};
  auto owner_tiles = ct::partition_view{owner, ct::shape{32_ic}};
  auto previous_tiles = ct::partition_view{previous, ct::shape{32_ic}};

  auto i = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto before = ct::atomic_compare_exchange_masked(state_ptr + i, ct::full<ct::tile<int, ct::shape<32>>>(0), ct::full<ct::tile<int, ct::shape<32>>>(1), i < state_shape0, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{});
  owner_tiles.store_masked(before, 0);
  previous_tiles.store_masked(ct::atomic_xchg_masked(state_ptr + i, ct::full<ct::tile<int, ct::shape<32>>>(2), i < state_shape0, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{}), 0);
}
