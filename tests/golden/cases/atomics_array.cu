// atomics_array.cu: written by tile2cpp from atomics_array.py; edit that file instead.
//   atomics_array(x: i32[?], counts: i32[?], slots: i32[?], largest: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Atomic updates of single elements; the old values come back.
extern "C" __tile_global__ void atomics_array(
    int const* __restrict__ x_ptr, int x_shape0,
    int* __restrict__ counts_ptr, int counts_shape0,
    int* __restrict__ slots_ptr, int slots_shape0,
    int* __restrict__ largest_ptr, int largest_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  counts_ptr = ct::assume_aligned(counts_ptr, 16_ic);
  counts_shape0 = ct::assume_bounded_below(counts_shape0, 0_ic);
  slots_ptr = ct::assume_aligned(slots_ptr, 16_ic);
  slots_shape0 = ct::assume_bounded_below(slots_shape0, 0_ic);
  largest_ptr = ct::assume_aligned(largest_ptr, 16_ic);
  largest_shape0 = ct::assume_bounded_below(largest_shape0, 0_ic);

  auto i = int(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  auto values = ct::load_masked(x_ptr + i, i < x_shape0, -1);
  // Values outside of `counts` are ignored.
  auto old = ct::atomic_add_masked(counts_ptr + values, ct::full<ct::tile<int, ct::shape<64>>>(1), values >= 0 && values < counts_shape0, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
  ct::store_masked(slots_ptr + i, old, i < slots_shape0);
  ct::atomic_max_masked(largest_ptr + 0, int(ct::reduce_max(values, 0_ic)), 0 < largest_shape0, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
}
