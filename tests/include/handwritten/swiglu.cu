// swiglu.cu: silu(gate) * up, with the approximations that speed calls for.
#pragma once
#include <cuda_bf16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <class Tile>
__tile__ Tile silu(Tile x) {
    auto e = ct::exp(-x, ct::round_approximate_t{});
    return ct::div(x, 1 + e, ct::round_approximate_t{}, ct::round_subnormals_to_zero_t{});
}

template <typename T, int TILE_SIZE>
[[cutile::hint(900, occupancy=8)]]
__tile_global__ void swiglu_forward(const T* __restrict__ gate, const T* __restrict__ up, T* __restrict__ out, int n) {
    using offsets_t = ct::tile<int, ct::shape<TILE_SIZE>>;
    int bid = ct::bid().x;
    int first = bid * TILE_SIZE;
    if (first >= n) return;

    auto offsets = ct::iota<offsets_t>() + first;
    auto mask = offsets < n;
    auto g = ct::element_cast<float>(ct::load_masked(ct::assume_aligned<16>(gate) + offsets, mask));
    auto u = ct::element_cast<float>(ct::load_masked(ct::assume_aligned<16>(up) + offsets, mask));
    ct::store_masked(ct::assume_aligned<16>(out) + offsets, ct::element_cast<T>(silu(g) * u), mask);
}

template __tile_global__ void swiglu_forward<__nv_bfloat16, 512>(const __nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16*, int);
