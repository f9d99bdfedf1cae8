// fp8.cu: rows to e4m3 with a scale for each, and the product of such matrices.
#pragma once
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int COLS>
__tile_global__ void quantize_rows(const float* __restrict__ x, __nv_fp8_e4m3* __restrict__ codes, float* __restrict__ scales, int cols) {
    using row_t = ct::tile<float, ct::shape<COLS>>;
    const int row = static_cast<int>(ct::bid().x);
    auto at = ct::iota<ct::tile<int, ct::shape<COLS>>>();
    auto values = ct::load_masked(x + row * cols + at, at < cols, 0.0f);
    float largest = static_cast<float>(ct::reduce_max<0>(ct::abs(values)));
    float scale = ct::max(largest, 1e-12f) / 448.0f;
    row_t scaled = values / scale;
    auto clipped = ct::min(ct::max(scaled, -448.0f), 448.0f);
    ct::store_masked(codes + row * cols + at, ct::element_cast<__nv_fp8_e4m3>(clipped), at < cols);
    scales[row] = scale;
}

template <typename Out, int TM, int TN, int TK>
__tile_global__ void fp8_matmul(const __nv_fp8_e4m3* __restrict__ A, const __nv_fp8_e4m3* __restrict__ B, const float* __restrict__ a_scales,
                                const float* __restrict__ b_scales, Out* __restrict__ C, int M, int N, int K) {
    using namespace ct::literals;
    auto a = ct::partition_view{ct::tensor_span{A, ct::extents{M, K}}, ct::shape<TM, TK>{}};
    auto b = ct::partition_view{ct::tensor_span{B, ct::extents{N, K}}, ct::shape<TN, TK>{}};
    const int m = ct::bid().y, n = ct::bid().x;
    auto acc = ct::zeros<ct::tile<float, ct::shape<TM, TN>>>();
    for (auto k : ct::irange(0, ct::ceildiv(K, TK)))
        acc = ct::mma(a.load_masked(m, k), ct::transpose(b.load_masked(n, k)), acc);

    auto rows = ct::iota<ct::tile<int, ct::shape<TM>>>() + m * TM;
    auto cols = ct::iota<ct::tile<int, ct::shape<TN>>>() + n * TN;
    auto left = ct::reshape(ct::load_masked(a_scales + rows, rows < M, 0.0f), ct::shape<TM, 1>{});
    auto right = ct::load_masked(b_scales + cols, cols < N, 0.0f);
    auto c = ct::partition_view{ct::tensor_span{C, ct::extents{M, N}}, ct::shape<TM, TN>{}};
    c.store_masked(ct::element_cast<Out>(acc * left * right), m, n);
}

template __tile_global__ void quantize_rows<128>(const float*, __nv_fp8_e4m3*, float*, int);
template __tile_global__ void fp8_matmul<float, 32, 32, 32>(const __nv_fp8_e4m3*, const __nv_fp8_e4m3*, const float*, const float*, float*, int, int, int);
