// grouped.cu: products of several sizes in one launch: blocks walk over all tiles and find the problem each belongs to.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int TILE>
__tile_global__ void grouped_matmul(const T* __restrict__ A, const T* __restrict__ B, float* __restrict__ C, const int* __restrict__ rows_of,
                                    int problems, int N, int K) {
    int tile = ct::bid().x;
    int first_tile = 0, first_row = 0;
    const int tiles_n = ct::ceildiv(N, TILE);
    for (int p = 0; p < problems; ++p) {
        const int rows = rows_of[p];
        const int tiles = ct::ceildiv(rows, TILE) * tiles_n;
        while (tile < first_tile + tiles) {
            const int m = (tile - first_tile) / tiles_n, n = (tile - first_tile) % tiles_n;
            auto a = ct::partition_view{ct::tensor_span{A + first_row * K, ct::extents{rows, K}}, ct::shape<TILE, TILE>{}};
            auto b = ct::partition_view{ct::tensor_span{B + p * K * N, ct::extents{K, N}}, ct::shape<TILE, TILE>{}};
            auto c = ct::partition_view{ct::tensor_span{C + first_row * N, ct::extents{rows, N}}, ct::shape<TILE, TILE>{}};
            auto acc = ct::zeros<ct::tile<float, ct::shape<TILE, TILE>>>();
            for (auto k : ct::irange(0, ct::ceildiv(K, TILE))) acc = ct::mma(a.load_masked(m, k), b.load_masked(k, n), acc);
            c.store_masked(acc, m, n);
            tile += static_cast<int>(ct::num_blocks().x);
        }
        first_tile += tiles;
        first_row += rows;
    }
}

template __tile_global__ void grouped_matmul<__half, 16>(const __half*, const __half*, float*, const int*, int, int, int);
