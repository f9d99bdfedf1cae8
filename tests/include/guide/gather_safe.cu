#include "cuda_tile.h"

__tile_global__ void gather_safe(int* __restrict__ arr, int* __restrict__ out, int N) {
    namespace ct = cuda::tiles;
    using namespace ct::literals;
    using i32x8 = ct::tile<int, ct::shape<8>>;

    arr = ct::assume_aligned(arr, 16_ic);
    out = ct::assume_aligned(out, 16_ic);

    int bx       = ct::bid().x;
    auto offsets = 8 * bx + ct::iota<i32x8>();   // one element offset per lane
    auto mask    = offsets < N;                  // true where the offset is inside

    auto ptrs = arr + offsets;                   // one pointer per offset
    auto tile = ct::load_masked(ptrs, mask, 0);  // lanes outside take the padding 0
    ct::store_masked(out + offsets, tile, mask); // lanes outside store nothing
}
