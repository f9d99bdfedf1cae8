#include "cuda_tile.h"

__tile_global__ void factories(float* squares, int* line) {
    namespace ct = cuda::tiles;

    using i32x8   = ct::tile<int,   ct::shape<8>>;      // one axis: 8 ints
    using f32x4x4 = ct::tile<float, ct::shape<4, 4>>;   // two axes: 4x4 floats

    auto z      = ct::zeros<f32x4x4>();       // all 0
    auto o      = ct::ones<f32x4x4>();        // all 1
    auto filled = ct::full<f32x4x4>(3.14f);   // all 3.14
    auto seq    = ct::iota<i32x8>();          // {0, 1, 2, 3, 4, 5, 6, 7}

    auto squares_tiles = ct::partition_view{ct::tensor_span{squares, ct::extents<ct::uint32_t, 12, 4>{}}, ct::shape<4, 4>{}};
    squares_tiles.store(z, 0, 0);
    squares_tiles.store(o, 1, 0);
    squares_tiles.store(filled, 2, 0);
    ct::store(line + ct::iota<i32x8>(), seq);
}
