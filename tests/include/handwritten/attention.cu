// attention.cu: attention with online softmax, causal or not, for several query heads per key head.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

enum class Mask { none, causal };

template <typename T, int TILE_M, int TILE_N, int HEAD_DIM, Mask MASK>
[[using cutile : hint(900, occupancy=2), hint(1000, occupancy=1)]]
__tile_global__ void attention_kernel(const T* __restrict__ Q, const T* __restrict__ K, const T* __restrict__ V, T* __restrict__ O,
                                      int heads, int group, int q_len, int k_len, float scale) {
    using namespace ct::literals;
    using acc_t = ct::tile<float, ct::shape<TILE_M, HEAD_DIM>>;
    using row_t = ct::tile<float, ct::shape<TILE_M, 1>>;
    using score_t = ct::tile<float, ct::shape<TILE_M, TILE_N>>;
    constexpr auto D = ct::integral_constant<HEAD_DIM>{};
    const int m = ct::bid().x;
    const int head = ct::bid().y;
    q_len = ct::assume_bounded_below<1>(q_len);
    k_len = ct::assume_bounded_below<1>(k_len);

    auto q_span = ct::tensor_span{ct::assume_aligned<16>(Q), ct::extents{heads, q_len, D}};
    auto o_span = ct::tensor_span{ct::assume_aligned<16>(O), ct::extents{heads, q_len, D}};
    auto k_span = ct::tensor_span{ct::assume_aligned<16>(K), ct::extents{ct::ceildiv(heads, group), k_len, D}};
    auto v_span = ct::tensor_span{ct::assume_aligned<16>(V), ct::extents{ct::ceildiv(heads, group), k_len, D}};
    auto q_view = ct::partition_view{q_span, ct::shape<1, TILE_M, HEAD_DIM>{}};
    auto k_view = ct::partition_view{k_span, ct::shape<1, TILE_N, HEAD_DIM>{}};
    auto v_view = ct::partition_view{v_span, ct::shape<1, TILE_N, HEAD_DIM>{}};
    auto o_view = ct::partition_view{o_span, ct::shape<1, TILE_M, HEAD_DIM>{}};

    auto q = ct::reshape(q_view.load_masked(head, m, 0), ct::shape<TILE_M, HEAD_DIM>{});
    auto acc = ct::zeros<acc_t>();
    auto peak = ct::full<row_t>(-INFINITY);
    auto sum = ct::zeros<row_t>();
    const float scale_log2 = scale * 1.4426950408889634f;
    auto rows = ct::reshape(ct::iota<ct::tile<int, ct::shape<TILE_M>>>(), ct::shape<TILE_M, 1>{}) + m * TILE_M;
    auto columns = ct::reshape(ct::iota<ct::tile<int, ct::shape<TILE_N>>>(), ct::shape<1, TILE_N>{});

    int end = ct::ceildiv(k_len, TILE_N);
    if constexpr (MASK == Mask::causal) end = ct::min(end, ct::ceildiv((m + 1) * TILE_M, TILE_N));
    for (auto j : ct::irange(0, end)) {
        [[cutile::hint(0, latency=2)]] auto k = ct::reshape(k_view.load_masked(head / group, j, 0), ct::shape<TILE_N, HEAD_DIM>{});
        auto scores = ct::mma(q, ct::transpose(k), ct::zeros<score_t>()) * scale_log2;
        auto allowed = columns + j * TILE_N < k_len;
        if constexpr (MASK == Mask::causal) {
            scores = ct::select(allowed && (rows >= columns + j * TILE_N), scores, ct::full<score_t>(-INFINITY));
        } else {
            scores = ct::select(ct::broadcast(allowed, ct::shape<TILE_M, TILE_N>{}), scores, ct::full<score_t>(-INFINITY));
        }
        auto higher = ct::max(peak, ct::reduce_max<1>(scores));
        auto p = ct::exp2(scores - higher, ct::round_subnormals_to_zero_t{});
        auto shrink = ct::exp2(peak - higher, ct::round_subnormals_to_zero_t{});
        sum = ct::fma(sum, shrink, ct::sum<1>(p));
        peak = higher;
        [[cutile::hint(0, latency=4)]] auto v = ct::reshape(v_view.load_masked(head / group, j, 0), ct::shape<TILE_N, HEAD_DIM>{});
        acc = ct::mma(ct::element_cast<T>(p), v, acc * shrink);
    }
    acc = ct::div(acc, sum, ct::round_approximate_t{}, ct::round_subnormals_to_zero_t{});
    o_view.store_masked(ct::reshape(ct::element_cast<T>(acc), ct::shape<1, TILE_M, HEAD_DIM>{}), head, m, 0);
}

template __tile_global__ void attention_kernel<__half, 32, 32, 32, Mask::causal>(const __half*, const __half*, const __half*, __half*, int, int, int, int, float);
template __tile_global__ void attention_kernel<__half, 32, 32, 32, Mask::none>(const __half*, const __half*, const __half*, __half*, int, int, int, int, float);
