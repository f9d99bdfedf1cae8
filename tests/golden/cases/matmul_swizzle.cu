// matmul_swizzle.cu: written by tile2cpp from matmul_swizzle.py; edit that file instead.
//   matmul_swizzle(A: f16[?,?], B: f16[?,?], C: f32[?,?], TM=64, TN=64, TK=32)

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Python's %: the result has the sign of the divisor; C++ gives it that of the dividend.
template <class X, class Y>
__tile__ auto floor_mod(X x, Y y) {
  return x - ct::floordiv(x, y) * y;
}

struct swizzle_result { int item0; int item1; };

__tile__ swizzle_result swizzle(int block, int rows, int columns) {
  constexpr int GROUP = 8;

  // `GROUP` tile rows are walked together; the last group may be lower.
  int in_group = GROUP * columns;
  int first = block / in_group * GROUP;
  int height = ct::min(rows - first, GROUP);
  return {first + floor_mod(block, height), ct::floordiv(block % in_group, height)};
}

// Matrix product whose blocks are ordered by a helper, so that neighbours share their inputs.
extern "C" __tile_global__ void matmul_swizzle(
    __half const* __restrict__ A_ptr, int A_shape0, int A_shape1,
    __half const* __restrict__ B_ptr, int B_shape0, int B_shape1,
    float* __restrict__ C_ptr, int C_shape0, int C_shape1) {
  constexpr auto TM = 64_ic;
  constexpr auto TN = 64_ic;
  constexpr auto TK = 32_ic;
  A_ptr = ct::assume_aligned(A_ptr, 16_ic);
  A_shape0 = ct::assume_bounded_below(A_shape0, 0_ic);
  A_shape1 = ct::assume_bounded_below(A_shape1, 0_ic);
  B_ptr = ct::assume_aligned(B_ptr, 16_ic);
  B_shape0 = ct::assume_bounded_below(B_shape0, 0_ic);
  B_shape1 = ct::assume_bounded_below(B_shape1, 0_ic);
  C_ptr = ct::assume_aligned(C_ptr, 16_ic);
  C_shape0 = ct::assume_bounded_below(C_shape0, 0_ic);
  C_shape1 = ct::assume_bounded_below(C_shape1, 0_ic);
  auto A = ct::tensor_span{A_ptr, ct::extents{A_shape0, A_shape1}};
  auto B = ct::tensor_span{B_ptr, ct::extents{B_shape0, B_shape1}};
  auto C = ct::tensor_span{C_ptr, ct::extents{C_shape0, C_shape1}};
  auto A_tiles = ct::partition_view{A, ct::shape{TM, TK}};
  auto B_tiles = ct::partition_view{B, ct::shape{TK, TN}};
  auto C_tiles = ct::partition_view{C, ct::shape{TM, TN}};

  auto [i, j] = swizzle(ct::bid().x, ct::ceildiv(A_shape0, int(TM)), ct::ceildiv(B_shape1, int(TN)));
  auto acc = ct::zeros<ct::tile<float, ct::shape<TM, TN>>>();
  for (auto k : ct::irange(0, ct::ceildiv(A_shape1, int(TK)))) {
    auto a = A_tiles.load_masked(i, k);
    auto b = B_tiles.load_masked(k, j);
    acc = ct::mma(a, b, acc);
  }
  C_tiles.store_masked(acc, i, j);
}
