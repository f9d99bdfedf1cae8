// gemv.cu: written by tile2cpp from gemv.py; edit that file instead.
//   gemv(a: f16[?,?], x: f16[?], y: f32[?], TM=32, TK=128)

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Matrix times vector: a column of sums is carried through a loop.
extern "C" __tile_global__ void gemv(
    __half const* __restrict__ a_ptr, int a_shape0, int a_shape1,
    __half const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0) {
  constexpr auto TM = 32_ic;
  constexpr auto TK = 128_ic;
  a_ptr = ct::assume_aligned(a_ptr, 16_ic);
  a_shape0 = ct::assume_bounded_below(a_shape0, 0_ic);
  a_shape1 = ct::assume_bounded_below(a_shape1, 0_ic);
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto a = ct::tensor_span{a_ptr, ct::extents{a_shape0, a_shape1}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto a_tiles = ct::partition_view{a, ct::shape{TM, TK}};
  auto x_tiles = ct::partition_view{x, ct::shape{TK}};
  auto y_tiles = ct::partition_view{y, ct::shape{TM}};

  int i = ct::bid().x;
  auto total = ct::zeros<ct::tile<float, ct::shape<TM>>>();
  for (auto k : ct::irange(0, ct::ceildiv(a_shape1, int(TK)))) {
    auto a_tile = a_tiles.load_masked(i, k);
    auto x_tile = x_tiles.load_masked(k);
    total = total + ct::reshape(ct::sum(ct::element_cast<float>(a_tile) * ct::element_cast<float>(x_tile), 1_ic), ct::shape{TM});
  }
  y_tiles.store_masked(total, i);
}
