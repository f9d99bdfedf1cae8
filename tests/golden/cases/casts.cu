// casts.cu: written by tile2cpp from casts.py; edit that file instead.
//   casts(x: f32[?], half: f16[?], whole: i32[?], truth: bool[?])

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Changes of dtype; a name that changes type gets a new one.
extern "C" __tile_global__ void casts(
    float const* __restrict__ x_ptr, int x_shape0,
    __half* __restrict__ half_ptr, int half_shape0,
    int* __restrict__ whole_ptr, int whole_shape0,
    bool* __restrict__ truth_ptr, int truth_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  half_ptr = ct::assume_aligned(half_ptr, 16_ic);
  half_shape0 = ct::assume_bounded_below(half_shape0, 0_ic);
  whole_ptr = ct::assume_aligned(whole_ptr, 16_ic);
  whole_shape0 = ct::assume_bounded_below(whole_shape0, 0_ic);
  truth_ptr = ct::assume_aligned(truth_ptr, 16_ic);
  truth_shape0 = ct::assume_bounded_below(truth_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto truth = ct::tensor_span{truth_ptr, ct::extents{truth_shape0}};
  auto half = ct::tensor_span{half_ptr, ct::extents{half_shape0}};
  auto whole = ct::tensor_span{whole_ptr, ct::extents{whole_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{128_ic}};
  auto truth_tiles = ct::partition_view{truth, ct::shape{128_ic}};
  auto half_tiles = ct::partition_view{half, ct::shape{128_ic}};
  auto whole_tiles = ct::partition_view{whole, ct::shape{128_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i);
  truth_tiles.store_masked(t > 0.5f, i);
  half_tiles.store_masked(ct::element_cast<__half>(t), i);
  auto t_i32 = ct::element_cast<int>(t);
  whole_tiles.store_masked(t_i32 + 1, i);
}
