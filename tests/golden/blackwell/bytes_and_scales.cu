// bytes_and_scales.cu: written by tile2cpp from bytes_and_scales.py; edit that file instead.
//   bytes_and_scales(packed: u8[?], scales: e8m0[?,2], y: f32[?,64], back: u8[?])

#include <cuda_tile.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Four-bit floats from packed bytes, with a scale for every 32 of them.
extern "C" __tile_global__ void bytes_and_scales(
    unsigned char const* __restrict__ packed_ptr, int packed_shape0,
    __nv_fp8_e8m0 const* __restrict__ scales_ptr, int scales_shape0,
    float* __restrict__ y_ptr, int y_shape0,
    unsigned char* __restrict__ back_ptr, int back_shape0) {
  packed_ptr = ct::assume_aligned(packed_ptr, 16_ic);
  packed_shape0 = ct::assume_bounded_below(packed_shape0, 0_ic);
  scales_ptr = ct::assume_aligned(scales_ptr, 16_ic);
  scales_shape0 = ct::assume_bounded_below(scales_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  back_ptr = ct::assume_aligned(back_ptr, 16_ic);
  back_shape0 = ct::assume_bounded_below(back_shape0, 0_ic);
  auto packed = ct::tensor_span{packed_ptr, ct::extents{packed_shape0}};
  auto scales = ct::tensor_span{scales_ptr, ct::extents{scales_shape0, 2_ic}};
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, 64_ic}};
  auto back = ct::tensor_span{back_ptr, ct::extents{back_shape0}};
  auto packed_tiles = ct::partition_view{packed, ct::shape{512_ic}};
  auto scales_tiles = ct::partition_view{scales, ct::shape{16_ic, 2_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{16_ic, 64_ic}};
  auto back_tiles = ct::partition_view{back, ct::shape{512_ic}};

  int i = ct::bid().x;
  auto bytes_ = packed_tiles.load_masked(i);
  auto t = ct::element_cast<float>(ct::reshape(ct::repack<__nv_fp4_e2m1>(bytes_, 0_ic), ct::shape{16_ic, 64_ic}));
  auto s = ct::element_cast<float>(scales_tiles.load_masked(ct::view_padding_nan_t{}, i, 0));
  auto scaled = ct::reshape(t, ct::shape{16_ic, 2_ic, 32_ic}) * ct::reshape(s, ct::shape{16_ic, 2_ic, 1_ic});
  y_tiles.store_masked(ct::reshape(scaled, ct::shape{16_ic, 64_ic}), i, 0);
  back_tiles.store_masked(ct::repack<unsigned char>(ct::reshape(ct::element_cast<__nv_fp4_e2m1>(t), ct::shape{1024_ic}), 0_ic), i);
}
