#include "cuda_tile.h"
namespace ct = cuda::tiles;

template <class T, class S>
concept adds = requires(T x, S y) { x + y; };

__tile_global__ void scalar_operands(int* out) {
    using i32x8 = ct::tile<int, ct::shape<8>>;
    i32x8 x = ct::full<i32x8>(3);

    ct::store(out + ct::iota<i32x8>(), x + 2);  // the int fits an int tile
    static_assert(!adds<i32x8, double>);        // x + 2.5: ill-formed, 2.5 would have to be narrowed
}
