// histogram.cu: counts of bytes and a weighted sum, by atomics of all blocks.
#pragma once
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int BLOCK>
__tile_global__ void histogram_kernel(const unsigned char* __restrict__ data, unsigned long long* bins, float* weight, unsigned* largest, int n) {
    int first = ct::bid().x * BLOCK;
    auto at = ct::iota<ct::tile<int, ct::shape<BLOCK>>>() + first;
    auto mask = at < n;
    auto values = ct::load_masked(data + at, mask, static_cast<unsigned char>(0));
    auto ones = ct::ones<ct::tile<unsigned long long, ct::shape<BLOCK>>>();
    ct::atomic_add_masked(bins + values, ones, mask, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
    auto part = ct::sum<0>(ct::select(mask, ct::element_cast<float>(values), ct::zeros<ct::tile<float, ct::shape<BLOCK>>>()));
    ct::atomic_add<ct::memory_order::relaxed, ct::thread_scope::device>(weight, static_cast<float>(part));
    ct::atomic_max(largest, static_cast<unsigned>(ct::reduce_max<0>(values)), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

template __tile_global__ void histogram_kernel<64>(const unsigned char*, unsigned long long*, float*, unsigned*, int);
