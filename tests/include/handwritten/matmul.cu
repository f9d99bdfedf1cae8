// matmul.cu: C = A B^T + bias, tiles of C in groups of rows, ragged extents, any element types.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

struct TilePosition {
    int m, n;
};

template <int GROUP>
__tile__ TilePosition swizzle(int block, int tiles_m, int tiles_n) {
    int per_group = GROUP * tiles_n;
    int first = block / per_group * GROUP;
    int height = ct::min(tiles_m - first, GROUP);
    return {first + block % per_group % height, block % per_group / height};
}

template <typename T, typename Out, int TM, int TN, int TK, int GROUP>
[[cutile::hint(900, num_cta_in_cga=1, occupancy=2)]]
__tile_global__ void matmul_kernel(const T* __restrict__ A, const T* __restrict__ B, const Out* __restrict__ bias, Out* __restrict__ C,
                                   int M, int N, int K) {
    M = ct::assume_bounded_below<0>(M);
    N = ct::assume_bounded_below<0>(N);
    K = ct::assume_bounded_below<0>(K);
    auto [m, n] = swizzle<GROUP>(static_cast<int>(ct::bid().x), ct::ceildiv(M, TM), ct::ceildiv(N, TN));

    auto a = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(A), ct::layout_right_mapping{ct::extents{M, K}}), ct::shape<TM, TK>{});
    auto b = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(B), ct::layout_right_mapping{ct::extents{N, K}}), ct::shape<TN, TK>{});
    auto c = ct::partition_view(ct::tensor_span(ct::assume_aligned<16>(C), ct::layout_right_mapping{ct::extents{M, N}}), ct::shape<TM, TN>{});

    auto acc = ct::zeros<ct::tile<float, ct::shape<TM, TN>>>();
    for (auto k : ct::irange(0, ct::ceildiv(K, TK))) {
        auto x = a.load_masked(m, k);
        [[cutile::hint(900, allow_tma=true, latency=3)]] auto y = b.load_masked(n, k);
        acc = ct::mma(x, ct::permute(y, ct::dimension_map<1, 0>{}), acc);
    }
    if (bias != nullptr) {
        auto cols = ct::iota<ct::tile<int, ct::shape<TN>>>() + n * TN;
        acc = acc + ct::element_cast<float>(ct::load_masked(bias + cols, cols < N, Out(0.0f)));
    }
    c.store_masked(ct::element_cast<Out>(acc), m, n);
}

template __tile_global__ void matmul_kernel<__half, __half, 32, 32, 16, 4>(const __half*, const __half*, const __half*, __half*, int, int, int);
template __tile_global__ void matmul_kernel<__nv_bfloat16, float, 64, 64, 32, 8>(const __nv_bfloat16*, const __nv_bfloat16*, const float*, float*, int, int, int);
