// embedding.cu: rows of a table by number, and the gradient that adds up where numbers repeat.
#pragma once
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int ROWS, int COLS>
__tile_global__ void embedding_forward(const T* __restrict__ table, const int* __restrict__ ids, T* __restrict__ out, int vocab, int width, int n) {
    const int block = ct::bid().x, part = ct::bid().y;
    auto at = ct::iota<ct::tile<int, ct::shape<ROWS>>>() + block * ROWS;
    auto rows = ct::load_masked(ids + at, at < n, 0);
    auto source = ct::gather_scatter_view{ct::tensor_span{table, ct::extents{vocab, width}}, ct::shape<ROWS, COLS>{}, ct::integral_constant<0>{}};
    auto target = ct::partition_view{ct::tensor_span{out, ct::extents{n, width}}, ct::shape<ROWS, COLS>{}};
    target.store_masked(source.load_masked(rows, part * COLS), block, part);
}

template <typename T, int ROWS, int COLS>
__tile_global__ void embedding_backward(const T* __restrict__ grad_out, const int* __restrict__ ids, float* grad, int width, int n) {
    const int block = ct::bid().x, part = ct::bid().y;
    auto rows = ct::iota<ct::tile<int, ct::shape<ROWS>>>() + block * ROWS;
    auto cols = ct::iota<ct::tile<int, ct::shape<COLS>>>() + part * COLS;
    auto row = ct::reshape(rows, ct::shape<ROWS, 1>{});
    auto mask = (row < n) & (cols < width);
    auto number = ct::reshape(ct::load_masked(ids + rows, rows < n, 0), ct::shape<ROWS, 1>{});
    auto g = ct::element_cast<float>(ct::load_masked(grad_out + (row * width + cols), mask, T(0.0f)));
    ct::atomic_add_masked(grad + (number * width + cols), g, mask, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}

template __tile_global__ void embedding_forward<__half, 8, 16>(const __half*, const int*, __half*, int, int, int);
template __tile_global__ void embedding_backward<__half, 8, 16>(const __half*, const int*, float*, int, int);
