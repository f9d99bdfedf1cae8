#include "cuda_tile.h"

__tile_global__ void foo(float* __restrict__ in) {
    namespace ct = cuda::tiles;
    using namespace ct::literals;

    in = ct::assume_aligned(in, 16_ic);

    ct::tensor_span t{in, ct::extents{256_ic, 256_ic}};
    ct::partition_view{t, ct::shape{4_ic, 4_ic}};

    auto tiles = ct::partition_view{t, ct::shape{4_ic, 4_ic}};
    tiles.store(-tiles.load(3, 5), 3, 5);
}
