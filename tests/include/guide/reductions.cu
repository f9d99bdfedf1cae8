#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void reductions(int* out) {
    using namespace ct::literals;
    using i32x2x4 = ct::tile<int, ct::shape<2, 4>>;

    auto x = ct::iota<i32x2x4>();                         // [[0,1,2,3],[4,5,6,7]]
    auto row_sums = ct::sum(x, 1_ic);                     // shape (2, 1): the axis stays
    // row_sums == [[6], [22]]

    ct::store(out + ct::iota<ct::tile<int, ct::shape<2, 1>>>(), row_sums);
}
