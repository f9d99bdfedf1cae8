// printing.cu: written by tile2cpp from printing.py; edit that file instead.
//   printing(x: f32[?], n: i32)

#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Print and assert: lines of scalars, tiles as nested lists.
extern "C" __tile_global__ void printing(
    float const* __restrict__ x_ptr, int x_shape0,
    int n) {
  x_ptr = ct::assume_aligned(x_ptr, 16_ic);
  x_shape0 = ct::assume_bounded_below(x_shape0, 0_ic);
  auto x = ct::tensor_span{x_ptr, ct::extents{x_shape0}};
  auto x_tiles = ct::partition_view{x, ct::shape{4_ic}};
  auto x_tiles_32 = ct::partition_view{x, ct::shape{32_ic}};

  int i = ct::bid().x;
  auto t = x_tiles.load_masked(i);
  printf("block %d of %4d: [%f, %f, %f, %f]\n", i, n, float(ct::extract(t, ct::shape{1_ic}, 0)), float(ct::extract(t, ct::shape{1_ic}, 1)), float(ct::extract(t, ct::shape{1_ic}, 2)), float(ct::extract(t, ct::shape{1_ic}, 3)));
  printf("%d%% done, %.2f\n", ct::floordiv(100 * i, n), float(ct::sum(t, 0_ic)));
  auto printed = ct::reshape(ct::reshape(x_tiles_32.load_masked(i), ct::shape{2_ic, 16_ic}), ct::shape{32_ic});
  printf("[[");
  for (auto element : ct::irange(0, 32)) {
    if (element > 0) {
      if (element % 16 == 0) {
        printf("]");
      }
      printf(", ");
      if (element % 16 == 0) {
        printf("[");
      }
    }
    printf("%f", float(ct::extract(printed, ct::shape{1_ic}, element)));
  }
  printf("]]\n");
  assert((bool(ct::all_of(t < 100.0f, 0_ic))) && "values are below 100");
}
