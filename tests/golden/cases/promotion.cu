// promotion.cu: written by tile2cpp from promotion.py; edit that file instead.
//   promotion(small: i16[?], whole: i32[?], half: f16[?], ints: i32[?], floats: f32[?], halves: f16[?])

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Dtypes that meet, and constants that adapt.
extern "C" __tile_global__ void promotion(
    short const* __restrict__ small_ptr, int small_shape0,
    int const* __restrict__ whole_ptr, int whole_shape0,
    __half const* __restrict__ half_ptr, int half_shape0,
    int* __restrict__ ints_ptr, int ints_shape0,
    float* __restrict__ floats_ptr, int floats_shape0,
    __half* __restrict__ halves_ptr, int halves_shape0) {
  small_ptr = ct::assume_aligned(small_ptr, 16_ic);
  small_shape0 = ct::assume_bounded_below(small_shape0, 0_ic);
  whole_ptr = ct::assume_aligned(whole_ptr, 16_ic);
  whole_shape0 = ct::assume_bounded_below(whole_shape0, 0_ic);
  half_ptr = ct::assume_aligned(half_ptr, 16_ic);
  half_shape0 = ct::assume_bounded_below(half_shape0, 0_ic);
  ints_ptr = ct::assume_aligned(ints_ptr, 16_ic);
  ints_shape0 = ct::assume_bounded_below(ints_shape0, 0_ic);
  floats_ptr = ct::assume_aligned(floats_ptr, 16_ic);
  floats_shape0 = ct::assume_bounded_below(floats_shape0, 0_ic);
  halves_ptr = ct::assume_aligned(halves_ptr, 16_ic);
  halves_shape0 = ct::assume_bounded_below(halves_shape0, 0_ic);
  auto small = ct::tensor_span{small_ptr, ct::extents{small_shape0}};
  auto whole = ct::tensor_span{whole_ptr, ct::extents{whole_shape0}};
  auto half = ct::tensor_span{half_ptr, ct::extents{half_shape0}};
  auto ints = ct::tensor_span{ints_ptr, ct::extents{ints_shape0}};
  auto floats = ct::tensor_span{floats_ptr, ct::extents{floats_shape0}};
  auto halves = ct::tensor_span{halves_ptr, ct::extents{halves_shape0}};
  auto small_tiles = ct::partition_view{small, ct::shape{64_ic}};
  auto whole_tiles = ct::partition_view{whole, ct::shape{64_ic}};
  auto half_tiles = ct::partition_view{half, ct::shape{64_ic}};
  auto ints_tiles = ct::partition_view{ints, ct::shape{64_ic}};
  auto floats_tiles = ct::partition_view{floats, ct::shape{64_ic}};
  auto halves_tiles = ct::partition_view{halves, ct::shape{64_ic}};

  int i = ct::bid().x;
  auto s = small_tiles.load_masked(i);
  auto w = whole_tiles.load_masked(i);
  auto h = half_tiles.load_masked(i);
  ints_tiles.store_masked(ct::element_cast<int>(s) + w, i);
  // 2.5 does not fit an integer tile, so the tile becomes float32.
  floats_tiles.store_masked(ct::element_cast<float>(w) + 2.5f, i);
  halves_tiles.store_masked(h * __half(0.1f) + ct::element_cast<__half>(w), i);
}
