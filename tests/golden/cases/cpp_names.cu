// double_.cu: written by tile2cpp from cpp_names.py; edit that file instead.
//   double(auto: f32[?], operator: f32[?], new: f32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ ct::tile<float, ct::shape<64>> register_(ct::tile<float, ct::shape<64>> v) {
  return v + 1.0f;
}

// Names that are words of C++ stay readable.
extern "C" __tile_global__ void double_(
    float const* __restrict__ auto_ptr, int auto_shape0,
    float* __restrict__ operator_ptr, int operator_shape0,
    float new_) {
  auto_ptr = ct::assume_aligned(auto_ptr, 16_ic);
  auto_shape0 = ct::assume_bounded_below(auto_shape0, 0_ic);
  operator_ptr = ct::assume_aligned(operator_ptr, 16_ic);
  operator_shape0 = ct::assume_bounded_below(operator_shape0, 0_ic);
  auto auto_ = ct::tensor_span{auto_ptr, ct::extents{auto_shape0}};
  auto operator_ = ct::tensor_span{operator_ptr, ct::extents{operator_shape0}};
  auto auto_tiles = ct::partition_view{auto_, ct::shape{64_ic}};
  auto operator_tiles = ct::partition_view{operator_, ct::shape{64_ic}};

  int int_ = ct::bid().x;
  auto signed_ = register_(auto_tiles.load_masked(int_));
  operator_tiles.store_masked(signed_ * new_, int_);
}
