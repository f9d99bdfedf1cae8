#include "cuda_tile.h"

__tile_global__ void mixed_extents(int* sizes, int length) {
    namespace ct = cuda::tiles;
    using namespace ct::literals;

    auto shape2d = ct::extents{8_ic, length};  // 8 when compiled, length when run
    ct::extents<std::uint32_t, 4, 8> fixed;

    ct::store(sizes + 0, int(shape2d.extent(0)));
    ct::store(sizes + 1, int(shape2d.extent(1)));
    ct::store(sizes + 2, int(shape2d.rank_dynamic()));
    ct::store(sizes + 3, int(fixed.extent(0) * fixed.extent(1)));
}
