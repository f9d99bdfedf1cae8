// argmax.cu: the place of the largest element of each row, and a greedy choice with a penalty; a search that returns from its loop.
#pragma once
#include <cuda_tile.h>

namespace ct = cuda::tiles;

__tile__ int find(const int* list, int length, int wanted) {
    for (int i = 0; i < length; ++i)
        if (list[i] == wanted) return i;
    return -1;
}

template <int ROWS, int COLS>
__tile_global__ void argmax_kernel(const float* __restrict__ x, const int* __restrict__ banned, unsigned* __restrict__ place, float* __restrict__ best,
                                   int* __restrict__ found, int n_banned, int cols) {
    const int block = ct::bid().x;
    auto view = ct::partition_view{ct::tensor_span{x + block * ROWS * cols, ct::extents{ct::integral_constant<ROWS>{}, cols}}, ct::shape<ROWS, COLS>{}};
    auto t = view.load_masked(ct::view_padding_negative_inf_t{}, 0, 0);
    auto at = ct::iota<ct::tile<int, ct::shape<COLS>>>();
    for (auto i : ct::irange(0, n_banned)) {
        int b = ct::load(banned + i);
        t = ct::select(at == b, ct::full<ct::tile<float, ct::shape<ROWS, COLS>>>(-INFINITY), t);
    }
    auto rows = ct::iota<ct::tile<int, ct::shape<ROWS>>>() + block * ROWS;
    ct::store(place + rows, ct::reshape(ct::max_element<1>(t), ct::shape<ROWS>{}));
    ct::store(best + rows, ct::reshape(ct::reduce_max<1>(t), ct::shape<ROWS>{}));
    if (block == 0) found[0] = find(banned, n_banned, 5);
}

template __tile_global__ void argmax_kernel<4, 64>(const float*, const int*, unsigned*, float*, int*, int, int);
