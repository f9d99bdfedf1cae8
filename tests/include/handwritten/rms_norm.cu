// rms_norm.cu: root mean square normalisation of rows of any length, block by block.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

namespace norms {

template <int BLOCK>
using cols_t = ct::tile<int, ct::shape<BLOCK>>;

template <typename T, int BLOCK>
__tile__ ct::tile<float, ct::shape<BLOCK>> load_row(const T* row, cols_t<BLOCK> cols, int n) {
    return ct::element_cast<float>(ct::load_masked(row + cols, cols < n, T(0.0f)));
}

template <typename T, int BLOCK>
[[cutile::hint(0, occupancy=4)]]
__tile_global__ void rms_norm_kernel(T* __restrict__ out, const T* __restrict__ x, const T* __restrict__ weight,
                                     int n_cols, int stride, float eps, float offset) {
    using f32 = ct::tile<float, ct::shape<BLOCK>>;
    const int row = static_cast<int>(ct::bid().x);
    x = ct::assume_aligned<16>(x);
    weight = ct::assume_aligned<16>(weight);
    out = ct::assume_aligned<16>(out);
    n_cols = ct::assume_bounded_below<0>(n_cols);

    const T* x_row = x + static_cast<long long>(row) * stride;
    T* out_row = out + static_cast<long long>(row) * stride;
    const auto base = ct::iota<cols_t<BLOCK>>();

    auto squares = ct::zeros<f32>();
    for (auto start : ct::irange(0, n_cols, BLOCK)) {
        auto v = load_row<T, BLOCK>(x_row, base + start, n_cols);
        squares = ct::fma(v, v, squares);
    }
    auto mean = ct::sum<0>(squares) / ct::element_cast<float>(ct::full<ct::tile<int, ct::shape<1>>>(n_cols));
    auto scale = ct::rsqrt(mean + eps);

    for (auto start : ct::irange(0, n_cols, BLOCK)) {
        auto cols = base + start;
        auto mask = cols < n_cols;
        auto v = load_row<T, BLOCK>(x_row, cols, n_cols);
        auto w = load_row<T, BLOCK>(weight, cols, n_cols);
        auto y = v * scale * (w + offset);
        ct::store_masked(out_row + cols, ct::element_cast<T>(y), mask);
    }
}

}  // namespace norms

template __tile_global__ void norms::rms_norm_kernel<__half, 256>(__half*, const __half*, const __half*, int, int, float, float);
