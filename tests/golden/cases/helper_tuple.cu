// helper_tuple.cu: written by tile2cpp from helper_tuple.py; edit that file instead.
//   helper_tuple(x: f32[?,64], means: f32[?,1], spreads: f32[?,1])

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

struct mean_and_spread_result { ct::tile<float, ct::shape<16, 1>> mean; ct::tile<float, ct::shape<16, 1>> item1; };

__tile__ mean_and_spread_result mean_and_spread(ct::tile<float, ct::shape<16, 64>> t) {
  auto mean = ct::sum(t, 1_ic) / 64.0f;
  // The spread is the largest distance from the mean.
  return {mean, ct::reduce_max(ct::abs(t - mean), 1_ic)};
}

// A helper returns two tiles.
extern "C" __tile_global__ void helper_tuple(
    float const* __restrict__ x_ptr, int x_shape0,
    float* __restrict__ means_ptr, int means_shape0,
    float* __restrict__ spreads_ptr, int spreads_shape0) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  means_ptr = ct::assume_aligned(means_ptr, 16_ic);
  means_shape0 = ct::assume_bounded_below(means_shape0, 0_ic);
  spreads_ptr = ct::assume_aligned(spreads_ptr, 16_ic);
  spreads_shape0 = ct::assume_bounded_below(spreads_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0, 64_ic}};
  auto means = ct::tensor_span{means_ptr, ct::extents{means_shape0, 1_ic}};
  auto spreads = ct::tensor_span{spreads_ptr, ct::extents{spreads_shape0, 1_ic}};
  auto x_tiles = ct::partition_view{x, ct::shape{16_ic, 64_ic}};
  auto means_tiles = ct::partition_view{means, ct::shape{16_ic, 1_ic}};
  auto spreads_tiles = ct::partition_view{spreads, ct::shape{16_ic, 1_ic}};

  int i = ct::bid().x;
  auto [mean, spread] = mean_and_spread(x_tiles.load_masked(i, 0));
  means_tiles.store_masked(mean, i, 0);
  spreads_tiles.store_masked(spread, i, 0);
}
