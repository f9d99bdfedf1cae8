// rope.cu: rotary position embedding, in place, of heads whose halves turn against each other.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int HEAD_DIM, int HEADS>
__tile_global__ void rope_kernel(T* x, const float* __restrict__ cosines, const float* __restrict__ sines, int seq_len, int n_heads) {
    using namespace ct::literals;
    constexpr int HALF = HEAD_DIM / 2;
    auto [position, batch, unused] = ct::bid();
    const int token = static_cast<int>(batch) * seq_len + static_cast<int>(position);

    auto heads = ct::tensor_span{x + static_cast<long long>(token) * n_heads * HEAD_DIM, ct::extents{n_heads, ct::integral_constant<HEAD_DIM>{}}};
    auto view = ct::partition_view{heads, ct::shape<HEADS, HALF>{}};
    auto table = ct::shape<HALF>{};
    auto cos_row = ct::partition_view{ct::tensor_span{cosines, ct::extents{seq_len, ct::integral_constant<HALF>{}}}, ct::shape<1, HALF>{}}.load(position, 0);
    auto sin_row = ct::partition_view{ct::tensor_span{sines, ct::extents{seq_len, ct::integral_constant<HALF>{}}}, ct::shape<1, HALF>{}}.load(position, 0);
    auto c = ct::reshape(cos_row, table);
    auto s = ct::reshape(sin_row, table);

    for (auto h : ct::irange(0, ct::ceildiv(n_heads, HEADS))) {
        auto a = ct::element_cast<float>(view.load_masked(h, 0));
        auto b = ct::element_cast<float>(view.load_masked(h, 1));
        view.store_masked(ct::element_cast<T>(a * c - b * s), h, 0);
        view.store_masked(ct::element_cast<T>(b * c + a * s), h, 1);
    }
}

template __tile_global__ void rope_kernel<__half, 32, 4>(__half*, const float*, const float*, int, int);
