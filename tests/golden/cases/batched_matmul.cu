// batched_matmul.cu: written by tile2cpp from batched_matmul.py; edit that file instead.
//   batched_matmul(a: f16[?,64,64], b: f16[?,64,64], c: f32[?,64,64])

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// One product per matrix of a stack, with the operator.
extern "C" __tile_global__ void batched_matmul(
    __half const* __restrict__ a_ptr, int a_shape0,
    __half const* __restrict__ b_ptr, int b_shape0,
    float* __restrict__ c_ptr, int c_shape0) {
  a_ptr = ct::assume_aligned(a_ptr, 16_ic);
  a_shape0 = ct::assume_bounded_below(a_shape0, 0_ic);
  b_ptr = ct::assume_aligned(b_ptr, 16_ic);
  b_shape0 = ct::assume_bounded_below(b_shape0, 0_ic);
  c_ptr = ct::assume_aligned(c_ptr, 16_ic);
  c_shape0 = ct::assume_bounded_below(c_shape0, 0_ic);
  auto a = ct::tensor_span{a_ptr, ct::extents{a_shape0, 64_ic, 64_ic}};
  auto b = ct::tensor_span{b_ptr, ct::extents{b_shape0, 64_ic, 64_ic}};
  auto c = ct::tensor_span{c_ptr, ct::extents{c_shape0, 64_ic, 64_ic}};
  auto a_tiles = ct::partition_view{a, ct::shape{1_ic, 64_ic, 64_ic}};
  auto b_tiles = ct::partition_view{b, ct::shape{1_ic, 64_ic, 64_ic}};
  auto c_tiles = ct::partition_view{c, ct::shape{1_ic, 64_ic, 64_ic}};

  int i = ct::bid().x;
  auto x = a_tiles.load_masked(i, 0, 0);
  auto y = b_tiles.load_masked(i, 0, 0);
  c_tiles.store_masked(ct::mma(x, y, ct::zeros<ct::tile<float, ct::shape<1, 64, 64>>>()), i, 0, 0);
}
