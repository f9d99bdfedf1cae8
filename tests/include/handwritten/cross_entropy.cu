// cross_entropy.cu: loss and gradient of one row of logits per block; an ignored target ends the block at once.
#pragma once
#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int BLOCK>
__tile_global__ void cross_entropy_kernel(T* logits, const long long* __restrict__ targets, float* __restrict__ losses, int vocab, int ignore) {
    const int row = static_cast<int>(ct::bid().x);
    const long long target = targets[row];
    T* line = logits + static_cast<long long>(row) * vocab;
    auto columns = ct::iota<ct::tile<int, ct::shape<BLOCK>>>();
    if (target == ignore) {
        for (auto start : ct::irange(0, vocab, BLOCK))
            ct::store_masked(line + (columns + start), ct::zeros<ct::tile<T, ct::shape<BLOCK>>>(), columns + start < vocab);
        losses[row] = 0.0f;
        return;
    }

    float peak = -INFINITY, sum = 0.0f;
    for (auto start : ct::irange(0, vocab, BLOCK)) {
        auto at = columns + start;
        auto x = ct::element_cast<float>(ct::load_masked(line + at, at < vocab, T(-INFINITY)));
        float higher = ct::max(peak, static_cast<float>(ct::reduce_max<0>(x)));
        sum = sum * ct::exp(peak - higher) + static_cast<float>(ct::sum<0>(ct::exp(x - higher)));
        peak = higher;
    }
    float chosen = static_cast<float>(line[target]);
    ct::store(losses + row, peak + ct::log(sum) - chosen);

    for (auto start : ct::irange(0, vocab, BLOCK)) {
        auto at = columns + start;
        auto x = ct::element_cast<float>(ct::load_masked(line + at, at < vocab, T(-INFINITY)));
        auto gradient = ct::exp(x - peak) / sum - ct::element_cast<float>(at == target);
        ct::store_masked(line + at, ct::element_cast<T>(gradient), at < vocab);
    }
}

template __tile_global__ void cross_entropy_kernel<float, 64>(float*, const long long*, float*, int, int);
