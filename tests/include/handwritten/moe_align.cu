// moe_align.cu: tokens sorted by expert, each expert's share padded to whole blocks; one block, much of it scalar.
#pragma once
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int EXPERTS, int BLOCK>
__tile_global__ void moe_align_kernel(const int* __restrict__ topk_ids, int* sorted_ids, int* expert_of_block, int* total, int* counts,
                                      int* starts, int n, int block_size) {
    using experts_t = ct::tile<int, ct::shape<EXPERTS>>;
    auto experts = ct::iota<experts_t>();
    ct::store(counts + experts, ct::zeros<experts_t>());

    // How many tokens each expert gets.
    for (auto start : ct::irange(0, n, BLOCK)) {
        auto at = ct::iota<ct::tile<int, ct::shape<BLOCK>>>() + start;
        auto mask = at < n;
        auto ids = ct::load_masked(topk_ids + at, mask, 0);
        ct::atomic_add_masked(counts + ids, ct::ones<ct::tile<int, ct::shape<BLOCK>>>(), mask, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
    }

    // Where the padded shares begin.
    auto padded = ct::ceildiv(ct::load(counts + experts), block_size) * block_size;
    auto ends = ct::partial_sum<0>(padded);
    ct::store(starts + experts, ends - padded);
    ct::store(total, static_cast<int>(ct::extract(ends, ct::shape<1>{}, EXPERTS - 1)));

    // Which expert each block works for.
    for (auto e : ct::irange(0, EXPERTS)) {
        int begin = ct::load(starts + e) / block_size;
        int blocks = ct::ceildiv(ct::load(counts + e), block_size);
        for (int b = begin; b < begin + blocks; ++b) ct::store(expert_of_block + b, e);
    }

    // Tokens in order of their experts.
    for (auto i : ct::irange(0, n)) {
        int expert = topk_ids[i];
        int place = ct::load(starts + expert);
        ct::store(sorted_ids + place, i);
        ct::store(starts + expert, place + 1);
    }
}

template __tile_global__ void moe_align_kernel<8, 32>(const int*, int*, int*, int*, int*, int*, int, int);
