// arrays_by_path.cu: written by tile2cpp from arrays_by_path.py; edit that file instead.
//   arrays_by_path(x: f32[?%16], y: f32[?%16], out: f32[?%16], rounds: i32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

struct second_half_result { float* array_ptr; int array_shape0; };

__tile__ second_half_result second_half(auto x) {
  int start = int(x.extent(0)) / 2;
  auto x_slice = ct::tensor_span{x.data_handle() + start, ct::extents{int(x.extent(0)) - start}};
  return {const_cast<float*>(x_slice.data_handle()), int(x_slice.extent(0))};
}

// Arrays that differ by branch and by round, and one that a helper made.
extern "C" __tile_global__ void arrays_by_path(
    float* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ y_ptr, int y_shape0,
    float* __restrict__ out_ptr, int out_shape0,
    int rounds) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(ct::assume_divisible(x_shape0, 16_ic), 0_ic);
  y_ptr = ct::assume_aligned(y_ptr, 16_ic);
  y_shape0 = ct::assume_bounded_below(ct::assume_divisible(y_shape0, 16_ic), 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(ct::assume_divisible(out_shape0, 16_ic), 0_ic);
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0}};
  auto out_tiles = ct::partition_view{out, ct::shape{16_ic}};

  float* new_ptr = y_ptr;
  int new_shape0 = y_shape0;
  float* old_ptr = x_ptr;
  int old_shape0 = x_shape0;
  for (auto i : ct::irange(0, rounds)) {
    auto new_ = ct::tensor_span{ct::assume_aligned(new_ptr, 16_ic), ct::extents{ct::assume_bounded_below(ct::assume_divisible(new_shape0, 16_ic), 0_ic)}};
    auto new_tiles = ct::partition_view{new_, ct::shape{16_ic}};
    auto old = ct::tensor_span{ct::assume_aligned(old_ptr, 16_ic), ct::extents{ct::assume_bounded_below(ct::assume_divisible(old_shape0, 16_ic), 0_ic)}};
    auto old_tiles = ct::partition_view{old, ct::shape{16_ic}};
    new_tiles.store_masked(old_tiles.load_masked(i) + 1.0f, i);
    // The next round goes the other way.
    new_ptr = old.data_handle();
    new_shape0 = int(old.extent(0));
    old_ptr = new_.data_handle();
    old_shape0 = int(new_.extent(0));
  }
  auto old = ct::tensor_span{ct::assume_aligned(old_ptr, 16_ic), ct::extents{ct::assume_bounded_below(ct::assume_divisible(old_shape0, 16_ic), 0_ic)}};
  auto old_tiles = ct::partition_view{old, ct::shape{16_ic}};
  float const* source_ptr;
  int source_shape0;
  if (rounds > 0) {
    source_ptr = old.data_handle();
    source_shape0 = int(old.extent(0));
  } else {
    auto second_half_result = second_half(out);
    auto second_half_result_2 = ct::tensor_span{second_half_result.array_ptr, ct::extents{ct::assume_bounded_below(second_half_result.array_shape0, 0_ic)}};
    source_ptr = second_half_result_2.data_handle();
    source_shape0 = int(second_half_result_2.extent(0));
  }
  auto source = ct::tensor_span{source_ptr, ct::extents{ct::assume_bounded_below(source_shape0, 0_ic)}};
  auto source_tiles = ct::partition_view{source, ct::shape{16_ic}};
  out_tiles.store_masked(source_tiles.load_masked(0), 0);
}
