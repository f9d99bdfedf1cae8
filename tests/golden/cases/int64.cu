// int64.cu: written by tile2cpp from int64.py; edit that file instead.
//   int64(x: i64[?], y: i64[?], total: i64[1], TILE=128)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// 64-bit elements, sums and scalars.
extern "C" __tile_global__ void int64(
    long long const* __restrict__ x_ptr, int x_shape0,
    long long* __restrict__ y_ptr, int y_shape0,
    long long* __restrict__ total_ptr) {
  constexpr auto TILE = 128_ic;
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  total_ptr = ct::assume_aligned(total_ptr, 16_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{TILE}};
  auto y_tiles = ct::partition_view{y, ct::shape{TILE}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i);
  // 3000000000 does not fit 32 bits.
  t = t * 3000000000ll + ct::element_cast<long long>(i);
  y_tiles.store_masked(t, i);
  ct::atomic_add_masked(total_ptr + 0, (long long)(ct::sum(t, 0_ic)), 0 < 1, ct::memory_order_acq_rel_t{}, ct::thread_scope_device_t{});
}
