// Every view, span and way to load and store; compiled only.
#include <cuda_fp16.h>
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class View, class... Index>
__tile__ void moves(View view, Index... i) {
    view.store(view.load(i...), i...);
    view.store_masked(view.load_masked(i...), i...);
    view.store_masked(view.load_masked(ct::view_padding_nan_t{}, i...), i...);
    view.store_masked(view.template load_masked<ct::view_padding::negative_inf>(i...), i...);
    view.store(ct::full<ct::tile<__half, typename View::view_shape_type>>(__half(1.0f)), i...);
    static_assert(ct::same_as<typename View::view_tile_type, ct::tile<typename View::value_type, typename View::view_shape_type>>);
}

__tile_global__ void every_view(float* p, float const* q, int* indices, int m, int n, size_t big) {
    auto shape = ct::shape{8_ic, 16_ic};
    moves(ct::partition_view{ct::tensor_span{p, ct::extents{m, n}}, shape}, 1, 2);
    moves(ct::partition_view{ct::tensor_span{p, ct::extents{m, 64_ic}}, shape}, ct::bid().x, ct::bid().y);
    moves(ct::partition_view{ct::tensor_span{p, ct::extents<ct::int64_t, ct::dynamic_extent, 32>{m}}, shape}, big, 1);
    moves(ct::partition_view{ct::tensor_span{p, ct::extents{m, n}, ct::layout_left{}}, shape}, 0, 0);
    moves(ct::partition_view{ct::tensor_span{p, ct::layout_strided_mapping{ct::extents{m, n}, ct::extents{n, 1_ic}}}, shape}, 0, 0);
    moves(ct::partition_view{ct::tensor_span{p, ct::layout_strided_mapping{ct::extents{m, n}, ct::strides{n, 2}}}, shape}, 0, 0);
    moves(ct::partition_view{ct::tensor_span{p, ct::layout_right_padded_mapping{ct::extents{m, n}, 16_ic}}, shape}, 0, 0);
    moves(ct::partition_view{ct::tensor_span{p, ct::layout_left_padded_mapping{ct::extents{m, n}, 16}}, shape}, 0, 0);
    moves(ct::strided_view{ct::tensor_span{p, ct::extents{m, n}}, shape, ct::strides{4_ic, 8_ic}}, 1, 1);

    auto rows = ct::load(indices + ct::iota<ct::tile<int, ct::shape<8>>>());
    moves(ct::gather_scatter_view{ct::tensor_span{p, ct::extents{m, n}}, shape, 0_ic}, rows, 3);
    auto columns = ct::load(indices + ct::iota<ct::tile<int, ct::shape<16>>>());
    moves(ct::gather_scatter_view{ct::tensor_span{p, ct::extents{m, n}}, shape, 1_ic}, 3, columns);

    auto fixed = ct::partition_view{ct::tensor_span{q, ct::extents{m}}, ct::shape{64_ic}};
    auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
    ct::store(p + i, fixed.load_masked(0) + ct::load(q + i));
    ct::store_masked(p + i, ct::load_masked(q + i, i < n), i < n);
    ct::store_masked(p + i, ct::load_masked(q + i, n > 3, 1.0f), n > 3);
    ct::store(p, ct::load(q + 1));
    ct::store_masked(p, ct::load_masked(q, n > 3, 0.0f), n > 4);
}
