#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void broadcasting(int* out) {
    auto x = ct::iota<ct::tile<int, ct::shape<8, 2>>>();      // 8x2 (rank 2)
    auto y = ct::iota<ct::tile<int, ct::shape<4, 1, 2>>>();   // 4x1x2 (rank 3)
    auto z = x + y;                                           // x becomes 1x8x2, both become 4x8x2

    ct::store(out + ct::iota<ct::tile<int, ct::shape<4, 8, 2>>>(), z);
}
