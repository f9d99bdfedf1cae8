#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void block_contention(int* slots) {
    using i32x16 = ct::tile<int, ct::shape<16>>;

    int* slot = slots + ct::bid().x;

    // All 16 lanes name one address. Addition commutes, so their order does not matter;
    // they belong to one block, so block scope is enough.
    auto ptrs = ct::full<ct::tile<int*, ct::shape<16>>>(slot);
    ct::atomic_add(ptrs, ct::iota<i32x16>(),
                   ct::memory_order_relaxed_t{},
                   ct::thread_scope_block_t{});
}
