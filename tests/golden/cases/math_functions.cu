// math_functions.cu: written by tile2cpp from math_functions.py; edit that file instead.
//   math_functions(x: f32[?], y: f32[?], out: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Python's % on floats: the result has the sign of the divisor; ct::remainder gives it that of the dividend.
template <class X, class Y>
__tile__ auto float_mod(X x, Y y) {
  auto r = ct::remainder(x, y);
  return ct::select(r != 0 && (r < 0) != (y < 0), r + y, r);
}

// Element-wise functions.
extern "C" __tile_global__ void math_functions(
    float const* __restrict__ x_ptr, int x_shape0,
    float const* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{64_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{64_ic}};

  int i = ct::bid().x;
  auto a = x_tiles.load_masked(i);
  auto b = y_tiles.load_masked(i);
  auto c = ct::exp(a) + ct::exp2(b) + ct::log(a) + ct::log2(b);
  c = c + ct::sqrt(a) + ct::rsqrt(b) + ct::pow(a, b);
  c = c + ct::sin(a) + ct::cos(b) + ct::tan(a) + ct::sinh(b) + ct::cosh(a) + ct::tanh(b);
  c = ct::max(c, ct::min(ct::floor(a), ct::ceil(b)));
  out_tiles.store_masked(-c + float_mod(a, b) + ct::floor(a / b), i);
}
