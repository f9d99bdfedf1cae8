#include "cuda_tile.h"

__tile_global__ void block_sum(int* __restrict__ arr, int* __restrict__ out, std::size_t N) {
    namespace ct = cuda::tiles;
    using namespace ct::literals;
    constexpr auto TILE = 16_ic;

    arr = ct::assume_aligned(arr, 16_ic);
    out = ct::assume_aligned(out, 16_ic);

    auto aView = ct::partition_view{ct::tensor_span{arr, ct::extents{N}},
                                    ct::shape{TILE}};
    int bid = ct::bid().x;
    auto tile    = aView.load_masked(bid);        // of the last, partial tile the lanes outside are 0
    auto partial = ct::sum(tile, 0_ic);           // a tile of one element

    ct::atomic_add(out, (int)partial,             // adds the number to out[0]
                   ct::memory_order_relaxed_t{},  // enough for one accumulator
                   ct::thread_scope_device_t{});  // visible on the whole device
}
