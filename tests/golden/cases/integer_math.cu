// integer_math.cu: written by tile2cpp from integer_math.py; edit that file instead.
//   integer_math(x: i32[?], y: i32[?], quotient: i32[?], remainder: i32[?], ratio: f32[?], bits: i32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Python's %: the result has the sign of the divisor; C++ gives it that of the dividend.
template <class X, class Y>
__tile__ auto floor_mod(X x, Y y) {
  return x - ct::floordiv(x, y) * y;
}

// Division of integers floors, and the remainder has the sign of the divisor.
extern "C" __tile_global__ void integer_math(
    int const* __restrict__ x_ptr, int x_shape0,
    int const* __restrict__ y_ptr, int y_shape0,
    int* __restrict__ quotient_ptr, int quotient_shape0,
    int* __restrict__ remainder_ptr, int remainder_shape0,
    float* __restrict__ ratio_ptr, int ratio_shape0,
    int* __restrict__ bits_ptr, int bits_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  quotient_ptr = ct::assume_aligned(quotient_ptr, 16_ic);
  quotient_shape0 = ct::assume_bounded_below(quotient_shape0, 0_ic);
  remainder_ptr = ct::assume_aligned(remainder_ptr, 16_ic);
  remainder_shape0 = ct::assume_bounded_below(remainder_shape0, 0_ic);
  ratio_ptr = ct::assume_aligned(ratio_ptr, 16_ic);
  ratio_shape0 = ct::assume_bounded_below(ratio_shape0, 0_ic);
  bits_ptr = ct::assume_aligned(bits_ptr, 16_ic);
  bits_shape0 = ct::assume_bounded_below(bits_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto quotient = ct::tensor_span{quotient_ptr, ct::extents{quotient_shape0}};
  auto remainder = ct::tensor_span{remainder_ptr, ct::extents{remainder_shape0}};
  auto ratio = ct::tensor_span{ratio_ptr, ct::extents{ratio_shape0}};
  auto bits = ct::tensor_span{bits_ptr, ct::extents{bits_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{64_ic}};
  auto quotient_tiles = ct::partition_view{quotient, ct::shape{64_ic}};
  auto remainder_tiles = ct::partition_view{remainder, ct::shape{64_ic}};
  auto ratio_tiles = ct::partition_view{ratio, ct::shape{64_ic}};
  auto bits_tiles = ct::partition_view{bits, ct::shape{64_ic}};

  int i = ct::bid().x;
  auto a = x_tiles.load_masked(i);
  auto b = y_tiles.load_masked(i);
  quotient_tiles.store_masked(ct::floordiv(a, b), i);
  remainder_tiles.store_masked(floor_mod(a, -3), i);
  ratio_tiles.store_masked(ct::element_cast<float>(a) / ct::element_cast<float>(b), i);  // true division gives float32
  bits_tiles.store_masked((((a << 2) | (b >> 1)) & ~a) ^ b, i);
}
