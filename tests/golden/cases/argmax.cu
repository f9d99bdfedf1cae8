// argmax.cu: written by tile2cpp from argmax.py; edit that file instead.
//   argmax(x: f32[?,64], place: i32[?], value: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// The position of the first largest element along an axis. NaN is ignored; where there is nothing else, the position is 0.
template <class X, class Index, class Axis>
__tile__ auto position_of_largest(X x, Index along, Axis axis) {
  auto beyond = ct::full<ct::tile<int, ct::tile_shape_t<X>>>(1 << 30);
  auto index = ct::broadcast(along, ct::tile_shape_t<X>{});
  auto first = ct::reduce_min(ct::select(x == ct::reduce_max(x, axis), index, beyond), axis);
  return ct::select(first < (1 << 30), first, ct::zeros<decltype(first)>());
}

// Where the largest element of each row is; the smallest index wins.
extern "C" __tile_global__ void argmax(
    float const* __restrict__ x_ptr, int x_shape0,
    int* __restrict__ place_ptr, int place_shape0,
    float* __restrict__ value_ptr, int value_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  place_ptr = ct::assume_aligned(place_ptr, 16_ic);
  place_shape0 = ct::assume_bounded_below(place_shape0, 0_ic);
  value_ptr = ct::assume_aligned(value_ptr, 16_ic);
  value_shape0 = ct::assume_bounded_below(value_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 64_ic}};
  auto place = ct::tensor_span{place_ptr, ct::extents{place_shape0}};
  auto value = ct::tensor_span{value_ptr, ct::extents{value_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{16_ic, 64_ic}};
  auto place_tiles = ct::partition_view{place, ct::shape{16_ic}};
  auto value_tiles = ct::partition_view{value, ct::shape{16_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i, 0);
  place_tiles.store_masked(ct::reshape(position_of_largest(t, ct::iota<ct::tile<int, ct::shape<1, 64>>>(), 1_ic), ct::shape{16_ic}), i);
  value_tiles.store_masked(ct::reshape(ct::reduce_max(t, 1_ic), ct::shape{16_ic}), i);
}
