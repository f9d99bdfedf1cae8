// dropout.cu: dropout by a counter-based generator: four rounds of a 2x32 Philox in unsigned tiles.
#pragma once
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class Tile>
__tile__ Tile random_bits(Tile counter, unsigned key) {
    Tile left = counter, right = ct::zeros<Tile>();
    for (int round = 0; round < 4; ++round) {
        Tile high = ct::mulhi(left, 0xD256D193u);
        Tile low = left * 0xD256D193u;
        left = high ^ key ^ right;
        right = low;
        key += 0x9E3779B9u;
    }
    return left;
}

template <int BLOCK>
__tile_global__ void dropout_kernel(const float* __restrict__ x, float* __restrict__ out, int n, float rate, unsigned seed) {
    using index_t = ct::tile<unsigned, ct::shape<BLOCK>>;
    auto at = ct::iota<index_t>() + ct::bid().x * static_cast<unsigned>(BLOCK);
    auto mask = at < static_cast<unsigned>(n);
    auto uniform = ct::element_cast<float>(random_bits(at, seed) >> 8) * (1.0f / 16777216.0f);
    auto value = ct::load_masked(x + at, mask, 0.0f);
    auto kept = ct::select(uniform >= rate, value / (1.0f - rate), ct::zeros<ct::tile<float, ct::shape<BLOCK>>>());
    ct::store_masked(out + at, kept, mask);
}

template __tile_global__ void dropout_kernel<128>(const float*, float*, int, float, unsigned);
