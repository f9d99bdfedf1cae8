// Products of every pair of element types and of every rank; compiled only.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include "cuda_tile.h"

namespace ct = cuda::tiles;

template <class A, class C, class B = A>
__tile__ void multiply(A const* a, B const* b, C* c) {
    using mk = ct::shape<16, 32>;
    using kn = ct::shape<32, 16>;
    using mn = ct::shape<16, 16>;
    auto x = ct::partition_view{ct::tensor_span{a, ct::extents{16, 32}}, mk{}}.load(0, 0);
    auto y = ct::partition_view{ct::tensor_span{b, ct::extents{32, 16}}, kn{}}.load(0, 0);
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{16, 16}}, mn{}};
    auto sum = ct::zeros<ct::tile<C, mn>>();
    out.store(ct::mma(x, y, sum), 0, 0);
    auto product = ct::matmul(x, y);
    static_assert(ct::same_as<decltype(product), ct::matmul_result_t<decltype(x), decltype(y)>>);
    out.store(ct::element_cast<C>(product), 0, 0);
}

__tile__ void batches(float const* a, float const* b, float* c) {
    auto x = ct::partition_view{ct::tensor_span{a, ct::extents{4, 8, 16}}, ct::shape<4, 8, 16>{}}.load(0, 0, 0);
    auto y = ct::partition_view{ct::tensor_span{b, ct::extents{1, 16, 8}}, ct::shape<1, 16, 8>{}}.load(0, 0, 0);
    auto out = ct::partition_view{ct::tensor_span{c, ct::extents{4, 8, 8}}, ct::shape<4, 8, 8>{}};
    out.store(ct::mma(x, y, out.load(0, 0, 0)), 0, 0, 0);
    out.store(ct::matmul(x, y), 0, 0, 0);
}

__tile_global__ void every_product(float* f, double* d, __half* h, __nv_bfloat16* b, signed char* s, unsigned char* u, int* i,
                                   __nv_fp8_e4m3* e, __nv_fp8_e5m2* g, __nv_tf32* t) {
    multiply<float>(f, f, f);
    multiply<double>(d, d, d);
    multiply<__half>(h, h, h);
    multiply<__half>(h, h, f);
    multiply<__nv_bfloat16>(b, b, f);
    multiply<signed char>(s, s, i);
    multiply<signed char>(s, u, i);
    multiply<unsigned char>(u, u, i);
    multiply<__nv_fp8_e4m3>(e, e, f);
    multiply<__nv_fp8_e4m3>(e, e, h);
    multiply<__nv_fp8_e5m2>(g, g, f);
    multiply<__nv_tf32>(t, t, f);
    batches(f, f, f);
}
