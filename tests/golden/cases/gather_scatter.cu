// gather_scatter.cu: written by tile2cpp from gather_scatter.py; edit that file instead.
//   gather_scatter(table: f32[?], index: i32[?], out: f32[?], TILE=256)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Looks values up in a table; what points outside of it becomes -1.
extern "C" __tile_global__ void gather_scatter(
    float const* __restrict__ table_ptr, int table_shape0,
    int const* __restrict__ index_ptr, int index_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  constexpr auto TILE = 256_ic;
  table_ptr = ct::assume_aligned(table_ptr, 16_ic);
  table_shape0 = ct::assume_bounded_below(table_shape0, 0_ic);
  index_ptr = ct::assume_aligned(index_ptr, 16_ic);
  index_shape0 = ct::assume_bounded_below(index_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);

  auto here = int(ct::bid().x) * TILE + ct::iota<ct::tile<int, ct::shape<TILE>>>();
  auto wanted = ct::load_masked(index_ptr + here, here < index_shape0, 0);
  auto values = ct::load_masked(table_ptr + wanted, wanted >= 0 && wanted < table_shape0, -1.0f);
  ct::store_masked(out_ptr + here, values, here < out_shape0);
}
