// Memory through pointers and pointer tiles, and atomics.
#include "prelude.hpp"

extern "C" {

// -> p[:16][::-1]
__tile_global__ void load_gathers(int* p) { put(p, ct::load(p + (15 - ct::iota<T<int, 16>>()))); }

// -> [20]
__tile_global__ void load_of_a_scalar(int* p) { ct::store(p, ct::load(p + 20)); }

// -> np.where(p[:16] < 5, p[:16], -1)
__tile_global__ void load_masked_pads(int* p) {
  auto i = ct::iota<T<int, 16>>();
  put(p, ct::load_masked(p + i, i < 5, -1));
}

// -> np.where(p[:16] < 5, p[:16], 100 + p[:16])
__tile_global__ void padding_may_be_a_tile(int* p) {
  auto i = ct::iota<T<int, 16>>();
  put(p, ct::load_masked(p + i, i < 5, i + 100));
}

// -> [0.5] * 4
__tile_global__ void scalar_masks_broadcast(float* p) { put(p, ct::load_masked(p + ct::iota<T<int, 4>>(), false, 0.5f)); }

// -> np.where(p[:32] % 2 == 0, -7, p[:32])
__tile_global__ void store_masked_leaves_the_rest(int* p) {
  auto i = ct::iota<T<int, 32>>();
  ct::store_masked(p + i, ct::full<T<int, 32>>(-7), i % 2 == 0);
}

// -> [0, 0, 2, 0, 4, 0, 6]
__tile_global__ void store_scatters(int* p) {
  auto i = ct::iota<T<int, 4>>();
  ct::store(p + i * 2, i * 2);
  ct::store(p + (i * 2 + 1), ct::zeros<T<int, 4>>());
}

// -> [1, 2, 3, 4]
__tile_global__ void store_widens(float* p) { ct::store(p + ct::iota<T<int, 4>>(), ct::element_cast<__half>(T<int, 4>({1, 2, 3, 4}))); }

// -> [7, 3]
__tile_global__ void raw_pointers_are_scalar_code(int* p) {
  p[0] = p[3] + 4;
  *(p + 1) = 3;
}

// -> [100, 101, 102, 103, 0, 1, 2, 3]
__tile_global__ void memory_is_in_program_order(int* p) {
  auto i = ct::iota<T<int, 4>>();
  auto before = ct::load(p + i);
  ct::store(p + i, i + 100);
  ct::store(p + 4 + i, before);
}

// -> [6, 1]
__tile_global__ void scalar_sees_the_store_of_a_tile(int* p) {
  put(p + 4, ct::iota<T<int, 4>>() + 3);
  p[0] = p[7];
  p[1] = 1;
}

// -> p[:4] + 1
__tile_global__ void store_then_load_in_a_loop(int* p) {
  for (int step = 0; step < 4; ++step) {
    auto at = p + step;
    ct::store(at, ct::load(at) + 1);
  }
}

// -> [1, 0, 1, 0]
__tile_global__ void bool_takes_a_byte(bool* p) { put(p, ct::iota<T<int, 4>>() % 2 == 0); }

// -> [0, 0, 0, 0, 4]
__tile_global__ void pointer_minus_offset(int* p) { ct::store(p + 4 + ct::zeros<T<int, 4>>() - ct::iota<T<int, 4>>(), T<int, 4>({4, 0, 0, 0})); }

// -> [0, 12, 2, 3]
// grid 3
__tile_global__ void atomic_add_of_all_blocks(int* p) {
  ct::atomic_add(p + 1 + ct::zeros<T<int, 4>>(), ct::ones<T<int, 4>>(), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
  if (ct::bid().x == 0) ct::atomic_sub(p + 1, 1, ct::memory_order_relaxed_t{});
}

// -> [7]
// grid 7
__tile_global__ void atomic_add_of_scalars_happens_once(float* p) { ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(p, 1.0f); }

// -> [5, 6, 7, 8, 0, 1, 2, 3]
__tile_global__ void atomics_return_the_old_value(int* p) {
  put(p + 4, ct::atomic_add(p + ct::iota<T<int, 4>>(), ct::full<T<int, 4>>(5), ct::memory_order_acq_rel_t{}));
}

// -> [9, 9, 9, 3, 4]
__tile_global__ void atomic_max_masked(int* p) {
  auto i = ct::iota<T<int, 4>>();
  ct::atomic_max_masked(p + i, ct::full<T<int, 4>>(9), i < 3, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

// -> [4294967295, 1, 0]
__tile_global__ void atomic_max_and_min_of_unsigned(unsigned* p) {
  ct::atomic_max(p, 4294967295u, ct::memory_order_relaxed_t{});
  ct::atomic_min(p + 2, 0u, ct::memory_order_relaxed_t{});
}

// -> [4, 7, 4]
__tile_global__ void atomic_bits(int* p) {
  ct::atomic_or(p, 4, ct::memory_order_relaxed_t{});
  ct::atomic_xor(p + 1, 6, ct::memory_order_relaxed_t{});
  ct::atomic_and(p + 2, -1, ct::memory_order_relaxed_t{});
  ct::atomic_xor(p + 2, 6, ct::memory_order_relaxed_t{});
}

// -> [8, 0]
__tile_global__ void atomic_xchg(long* p) { p[1] = ct::atomic_xchg(p, 8l, ct::memory_order_release_t{}, ct::thread_scope_block_t{}); }

// -> [-1, 1, 2, 3, 0, 1, 2, 3]
__tile_global__ void atomic_compare_exchange(int* p) {
  auto old = ct::atomic_compare_exchange(p + ct::iota<T<int, 4>>(), ct::zeros<T<int, 4>>(), ct::full<T<int, 4>>(-1), ct::memory_order_relaxed_t{});
  put(p + 4, old);
}

// -> [3, 3]
__tile_global__ void atomic_load_and_store(int* p) {
  ct::atomic_store(p, ct::atomic_load(p + 3, ct::memory_order_acquire_t{}), ct::memory_order_release_t{});
  ct::atomic_store<ct::memory_order::relaxed, ct::thread_scope::block>(p + 1, 3);
}

// -> [2, 1]
__tile_global__ void atomic_add_of_half(__half* p) { ct::atomic_add(p, __half(2.0f), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}); }

}  // extern "C"
