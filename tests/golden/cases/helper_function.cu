// helper_function.cu: written by tile2cpp from helper_function.py; edit that file instead.
//   helper_function(x: f32[?], y: f64[?], out: f64[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ ct::tile<float, ct::shape<128>> halved(ct::tile<float, ct::shape<128>> v) {
  // Half of whatever comes in.
  return v * 0.5f;
}

__tile__ ct::tile<double, ct::shape<128>> halved_2(ct::tile<double, ct::shape<128>> v) {
  // Half of whatever comes in.
  return v * 0.5;
}

// A helper used with two types becomes two functions.
extern "C" __tile_global__ void helper_function(
    float const* __restrict__ x_ptr, int x_shape0,
    double const* __restrict__ y_ptr, int y_shape0,
    double* __restrict__ out_ptr, int out_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{128_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{128_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{128_ic}};

  int i = ct::bid().x;
  auto a = halved(x_tiles.load_masked(i));
  auto b = halved_2(y_tiles.load_masked(i));
  out_tiles.store_masked(ct::element_cast<double>(a) + b, i);
}
