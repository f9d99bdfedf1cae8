// online_softmax.cu: softmax of long rows in one pass over the data for the maximum and the sum; blocks take rows in turn.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

constexpr float LOG2E = 1.4426950408889634f;

template <int BLOCK>
struct RunningSum {
    ct::tile<float, ct::shape<1>> peak;
    ct::tile<float, ct::shape<1>> sum;

    __tile__ RunningSum() : peak(ct::full<ct::tile<float, ct::shape<1>>>(-INFINITY)), sum(ct::zeros<ct::tile<float, ct::shape<1>>>()) {}

    __tile__ void add(ct::tile<float, ct::shape<BLOCK>> x) {
        auto higher = ct::max(peak, ct::reduce_max<0>(x));
        sum = sum * ct::exp2(peak - higher) + ct::sum<0>(ct::exp2(x - higher));
        peak = higher;
    }
};

template <typename T, int BLOCK>
__tile_global__ void online_softmax(T* __restrict__ out, const T* __restrict__ in, int rows, int cols) {
    auto in_span = ct::tensor_span{ct::assume_aligned<16>(in), ct::layout_right_mapping{ct::extents{rows, cols}}};
    auto out_span = ct::tensor_span{ct::assume_aligned<16>(out), ct::layout_right_mapping{ct::extents{rows, cols}}};
    auto in_view = ct::partition_view{in_span, ct::shape<1, BLOCK>{}};
    auto out_view = ct::partition_view{out_span, ct::shape<1, BLOCK>{}};
    const int blocks = ct::ceildiv(cols, BLOCK);
    const int step = static_cast<int>(ct::num_blocks().x);

    for (int row = static_cast<int>(ct::bid().x); row < rows; row += step) {
        RunningSum<BLOCK> running;
        for (auto j : ct::irange(0, blocks)) {
            [[cutile::hint(0, latency=4)]] auto raw = in_view.template load_masked<ct::view_padding::negative_inf>(row, j);
            running.add(ct::reshape(ct::element_cast<float>(raw), ct::shape<BLOCK>{}) * LOG2E);
        }
        for (auto j : ct::irange(0, blocks)) {
            auto x = ct::reshape(ct::element_cast<float>(in_view.load_masked(row, j)), ct::shape<BLOCK>{}) * LOG2E;
            auto y = ct::div(ct::exp2(x - running.peak), running.sum, ct::round_approximate_t{}, ct::round_subnormals_to_zero_t{});
            out_view.store_masked(ct::reshape(ct::element_cast<T>(y), ct::shape<1, BLOCK>{}), row, j);
        }
    }
}

template __tile_global__ void online_softmax<float, 128>(float*, const float*, int, int);
