#include "cuda_tile.h"

__tile_global__ void concat_demo(int* first, int* second) {
    namespace ct = cuda::tiles;
    using namespace ct::literals;

    using T = ct::tile<int, ct::shape<4, 8>>;
    T lhs = ct::full<T>(0);
    T rhs = ct::full<T>(1);

    auto a = ct::cat<0>(lhs, rhs);     // the axis as a template argument
    auto b = ct::cat(lhs, rhs, 0_ic);  // the axis as a constant

    ct::partition_view{ct::tensor_span{first, ct::extents{8_ic, 8_ic}}, ct::shape{8_ic, 8_ic}}.store(a, 0, 0);
    ct::partition_view{ct::tensor_span{second, ct::extents{8_ic, 8_ic}}, ct::shape{8_ic, 8_ic}}.store(b, 0, 0);
}
