// foreign_pointer.cu: written by tile2cpp from foreign_pointer.py; edit that file instead.
//   foreign_pointer(x: f32[?], y: f32[?,64], length: i32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile__ ct::tile<float, ct::shape<1, 64>> row_of(float* pointer, int row, int length) {
  auto rows = ct::tensor_span{pointer, ct::layout_strided_mapping{ct::extents<long long, ct::dynamic_extent, ct::dynamic_extent>{row + 1, length}, ct::extents<long long, ct::dynamic_extent, 1>{length}}};
  auto rows_tiles = ct::partition_view{rows, ct::shape{1_ic, 64_ic}};
  return rows_tiles.load_masked(row, 0);
}

// Addresses: an array seen in another shape, in a helper that gets no more than where it begins.
extern "C" __tile_global__ void foreign_pointer(
    float* x_ptr, int x_shape0,
    float* y_ptr, int y_shape0,
    int length) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(y_shape0, 0_ic);
  auto y = ct::tensor_span{y_ptr, ct::extents{y_shape0, 64_ic}};
  auto y_tiles = ct::partition_view{y, ct::shape{1_ic, 64_ic}};

  int i = ct::bid().x;
  float* where = x_ptr;
  if (i > 3) {
    where = y_ptr;
  }
  auto whole = ct::tensor_span{where, ct::layout_strided_mapping{ct::extents{16_ic, 4_ic}, ct::extents{4_ic, 1_ic}}};
  auto whole_tiles = ct::partition_view{whole, ct::shape{16_ic, 4_ic}};
  auto first = whole_tiles.load(0, 0);
  auto row = row_of(where, i, length) + float(ct::sum(ct::sum(first, 1_ic), 0_ic));
  y_tiles.store_masked(row, i, 0);
}
