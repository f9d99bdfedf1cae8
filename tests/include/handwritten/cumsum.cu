// cumsum.cu: running sums of long rows, chunk by chunk with a carry, in either direction.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, typename Acc, int CHUNK, bool REVERSE>
__tile_global__ void cumsum_kernel(const T* __restrict__ in, Acc* __restrict__ out, long long stride, int n) {
    constexpr auto direction = REVERSE ? ct::scan_direction::backward : ct::scan_direction::forward;
    const auto row = static_cast<long long>(ct::bid().x);
    auto offsets = ct::iota<ct::tile<long long, ct::shape<CHUNK>>>();
    auto carry = ct::zeros<ct::tile<Acc, ct::shape<1>>>();
    const int chunks = ct::ceildiv(n, CHUNK);
    for (auto step : ct::irange(0, chunks)) {
        const int chunk = REVERSE ? chunks - 1 - step : step;
        auto at = offsets + static_cast<long long>(chunk) * CHUNK;
        auto mask = at < n;
        auto x = ct::element_cast<Acc>(ct::load_masked(in + row * stride + at, mask, T(0)));
        auto sums = ct::partial_sum(x, ct::integral_constant<0>{}, ct::scan_direction_constant<direction>{}) + carry;
        ct::store_masked(out + row * stride + at, sums, mask);
        carry = carry + ct::sum<0>(x);
    }
}

template __tile_global__ void cumsum_kernel<int, long long, 64, false>(const int*, long long*, long long, int);
template __tile_global__ void cumsum_kernel<int, long long, 64, true>(const int*, long long*, long long, int);
