#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void selection(float* out) {
    using namespace ct::literals;
    auto cond = ct::iota<ct::tile<int, ct::shape<4>>>() < 2;   // {T, T, F, F}
    auto t    = ct::full<ct::tile<float, ct::shape<4>>>( 1.0f);
    auto f    = ct::full<ct::tile<float, ct::shape<4>>>(-1.0f);
    auto r    = ct::select(cond, t, f);                        // {1, 1, -1, -1}

    ct::store(out + ct::iota<ct::tile<int, ct::shape<4>>>(), r);
}
