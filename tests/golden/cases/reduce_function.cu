// reduce_function.cu: written by tile2cpp from reduce_function.py; edit that file instead.
//   reduce_function(x: f32[?,64], scale: f32, place: i32[?], norm: f32[?])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Combines the halves of an axis of `Length` elements until one is left; `Before` is the number of rows along it.
template <int Before, int Length, class X0, class X1, class Combine>
__tile__ auto fold_halves_of_2(X0 x0, X1 x1, Combine combine) {
  using half = ct::shape<Before, Length / 2>;
  auto combined = combine(
      ct::extract(x0, half{}, 0, 0), ct::extract(x1, half{}, 0, 0),
      ct::extract(x0, half{}, 0, 1), ct::extract(x1, half{}, 0, 1));
  if constexpr (Length == 2) {
    return combined;
  } else {
    auto [c0, c1] = combined;
    return fold_halves_of_2<Before, Length / 2>(c0, c1, combine);
  }
}

// Combines the halves of an axis of `Length` elements until one is left; `Before` is the number of rows along it.
template <int Before, int Length, class X, class Combine>
__tile__ auto fold_halves(X x, Combine combine) {
  using half = ct::shape<Before, Length / 2>;
  auto combined = combine(
      ct::extract(x, half{}, 0, 0),
      ct::extract(x, half{}, 0, 1));
  if constexpr (Length == 2) {
    return combined;
  } else {
    return fold_halves<Before, Length / 2>(combined, combine);
  }
}

template <class Shape>
struct first_largest_result { ct::tile<float, Shape> item0; ct::tile<int, Shape> item1; };

// The larger of two elements; of equal ones, the first.
template <class Shape>
__tile__ first_largest_result<Shape> first_largest(
    ct::tile<float, Shape> a,
    ct::tile<int, Shape> i,
    ct::tile<float, Shape> b,
    ct::tile<int, Shape> j) {
  auto keep = (a > b) | ((a == b) & (i < j));
  return {ct::select(keep, a, b), ct::select(keep, i, j)};
}

template <class Shape>
__tile__ ct::tile<float, Shape> lambda(
    float scale,
    ct::tile<float, Shape> a,
    ct::tile<float, Shape> b) {
  return a + b - scale * a * b;
}

// The largest value of each row and where it is, by a function of one's own.
extern "C" __tile_global__ void reduce_function(
    float const* __restrict__ x_ptr, int x_shape0,
    float scale,
    int* __restrict__ place_ptr, int place_shape0,
    float* __restrict__ norm_ptr, int norm_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  place_ptr = ct::assume_aligned(place_ptr, 16_ic);
  place_shape0 = ct::assume_bounded_below(place_shape0, 0_ic);
  norm_ptr = ct::assume_aligned(norm_ptr, 16_ic);
  norm_shape0 = ct::assume_bounded_below(norm_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 64_ic}};
  auto place = ct::tensor_span{place_ptr, ct::extents{place_shape0}};
  auto norm = ct::tensor_span{norm_ptr, ct::extents{norm_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{8_ic, 64_ic}};
  auto place_tiles = ct::partition_view{place, ct::shape{8_ic}};
  auto norm_tiles = ct::partition_view{norm, ct::shape{8_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i, 0);
  auto reduced = fold_halves_of_2<8, 64>(t, ct::broadcast(ct::iota<ct::tile<int, ct::shape<64>>>(), ct::shape{8_ic, 64_ic}), [](auto left0, auto left1, auto right0, auto right1) { return first_largest(left0, left1, right0, right1); });
  auto unused = ct::reshape(reduced.item0, ct::shape{8_ic});
  auto where = ct::reshape(reduced.item1, ct::shape{8_ic});
  place_tiles.store_masked(where, i);
  norm_tiles.store_masked(ct::reshape(fold_halves<8, 64>(t, [=](auto left, auto right) { return lambda(scale, left, right); }), ct::shape{8_ic}), i);
}
