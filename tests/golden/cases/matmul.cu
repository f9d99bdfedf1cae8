// matmul.cu: written by tile2cpp from matmul.py; edit that file instead.
//   matmul(A: f16[?,?], B: f16[?,?], C: f16[?,?], TM=128, TN=128, TK=64)

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Matrix product in half precision, summed in single precision.
extern "C" __tile_global__ void matmul(
    __half const* __restrict__ A_ptr, int A_shape0, int A_shape1,
    __half const* __restrict__ B_ptr, int B_shape0, int B_shape1,
    __half* __restrict__ C_ptr, int C_shape0, int C_shape1) {
  constexpr auto TM = 128_ic;
  constexpr auto TN = 128_ic;
  constexpr auto TK = 64_ic;
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

  int i = ct::bid().x;
  int j = ct::bid().y;
  auto acc = ct::zeros<ct::tile<float, ct::shape<TM, TN>>>();
  for (auto k : ct::irange(0, ct::ceildiv(A_shape1, int(TK)))) {
    // The last tiles along K are padded with 0, which adds nothing.
    auto a = A_tiles.load_masked(i, k);
    auto b = B_tiles.load_masked(k, j);
    acc = ct::mma(a, b, acc);
  }
  C_tiles.store_masked(ct::element_cast<__half>(acc), i, j);
}
