// scan_function.cu: written by tile2cpp from scan_function.py; edit that file instead.
//   scan_function(f: f32[?,128], x: f32[?,128])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class X0, class X1>
struct scanned_2 { X0 item0; X1 item1; };

// Joins blocks of an axis two by two: what one amounts to is combined into every element of the other.
template <int Before, int Block, int Length, int After, class X0, class X1, class Combine>
__tile__ auto scan_blocks_of_2(X0 x0, X1 x1, Combine combine) {
  using split = ct::shape<Before * Length / (2 * Block), 2, Block, After>;
  using half = ct::shape<Before * Length / (2 * Block), 1, Block, After>;
  using edge = ct::shape<Before * Length / (2 * Block), 1, 1, After>;
  auto split_x0 = ct::reshape(x0, split{});
  auto first_x0 = ct::extract(split_x0, half{}, 0, 0, 0, 0);
  auto second_x0 = ct::extract(split_x0, half{}, 0, 1, 0, 0);
  auto split_x1 = ct::reshape(x1, split{});
  auto first_x1 = ct::extract(split_x1, half{}, 0, 0, 0, 0);
  auto second_x1 = ct::extract(split_x1, half{}, 0, 1, 0, 0);
  auto [c0, c1] = combine(
      ct::broadcast(ct::extract(first_x0, edge{}, 0, 0, Block - 1, 0), half{}), ct::broadcast(ct::extract(first_x1, edge{}, 0, 0, Block - 1, 0), half{}),
      second_x0, second_x1);
  auto joined_x0 = ct::cat(first_x0, c0, 1_ic);
  auto joined_x1 = ct::cat(first_x1, c1, 1_ic);
  if constexpr (2 * Block == Length) {
    return scanned_2<decltype(joined_x0), decltype(joined_x1)>{joined_x0, joined_x1};
  } else {
    return scan_blocks_of_2<Before, 2 * Block, Length, After>(joined_x0, joined_x1, combine);
  }
}

// A scan along one of the last axes: inside blocks of `Block` elements with the tile turned, so that the blocks lie
// side by side, then block by block.
template <int Before, int Block, int Length, int After, class X0, class X1, class Combine>
__tile__ auto scan_turned_of_2(X0 x0, X1 x1, Combine combine) {
  constexpr int blocks = Before * Length / Block;
  using turn = ct::dimension_map<1, 0, 2>;
  auto turned_x0 = ct::permute(ct::reshape(x0, ct::shape<blocks, Block, After>{}), turn{});
  auto turned_x1 = ct::permute(ct::reshape(x1, ct::shape<blocks, Block, After>{}), turn{});
  auto [s0, s1] = scan_blocks_of_2<1, 1, Block, blocks * After>(turned_x0, turned_x1, combine);
  auto back_x0 = ct::permute(ct::reshape(s0, ct::shape<Block, blocks, After>{}), turn{});
  auto back_x1 = ct::permute(ct::reshape(s1, ct::shape<Block, blocks, After>{}), turn{});
  if constexpr (Block == Length) {
    return scanned_2<decltype(back_x0), decltype(back_x1)>{back_x0, back_x1};
  } else {
    return scan_blocks_of_2<Before, Block, Length, After>(back_x0, back_x1, combine);
  }
}

template <class Shape>
struct lambda_result { ct::tile<float, Shape> item0; ct::tile<float, Shape> item1; };

template <class Shape>
__tile__ lambda_result<Shape> lambda(
    ct::tile<float, Shape> f1,
    ct::tile<float, Shape> v1,
    ct::tile<float, Shape> f2,
    ct::tile<float, Shape> v2) {
  return {f1 * f2, f2 * v1 + v2};
}

// A linear recurrence along each row, h[i] = f[i] * h[i - 1] + x[i], as a scan of pairs.
extern "C" __tile_global__ void scan_function(
    float const* __restrict__ f_ptr, int f_shape0,
    float* __restrict__ x_ptr, int x_shape0) {
  f_ptr = ct::assume_aligned(f_ptr, 16_ic);
  f_shape0 = ct::assume_bounded_below(f_shape0, 0_ic);
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  auto f = ct::tensor_span{f_ptr, ct::extents{f_shape0, 128_ic}};
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 128_ic}};
  auto f_tiles = ct::partition_view{f, ct::shape{4_ic, 128_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{4_ic, 128_ic}};

  int i = ct::bid().x;
  auto factors = f_tiles.load_masked(i, 0);
  ct::tile<float, ct::shape<4, 128>> values = x_tiles.load_masked(i, 0);
  auto scanned = scan_turned_of_2<4, 32, 128, 1>(factors, values, [](auto left0, auto left1, auto right0, auto right1) { return lambda(left0, left1, right0, right1); });
  auto unused = ct::reshape(scanned.item0, ct::shape{4_ic, 128_ic});
  auto made = ct::reshape(scanned.item1, ct::shape{4_ic, 128_ic});
  x_tiles.store_masked(made, i, 0);
}
