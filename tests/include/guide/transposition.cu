#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void transposition(int* out2d, int* out3d) {
    using namespace ct::literals;
    using t2d = ct::tile<int, ct::shape<2, 4>>;
    using t3d = ct::tile<int, ct::shape<2, 2, 2>>;

    auto tx = ct::iota<t2d>();
    auto ty = ct::transpose(tx);                                     // shape (4, 2)

    auto tz = ct::iota<t3d>();
    auto tw = ct::permute(tz, ct::dimension_map{2_ic, 0_ic, 1_ic});  // axes (0,1,2) -> (2,0,1)

    ct::store(out2d + ct::iota<ct::tile<int, ct::shape<4, 2>>>(), ty);
    ct::store(out3d + ct::iota<t3d>(), tw);
}
