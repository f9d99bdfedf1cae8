// Every atomic on every element type it takes, through pointers and views; compiled only.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;
using relaxed = ct::memory_order_relaxed_t;
using acq_rel = ct::memory_order_acq_rel_t;
using device = ct::thread_scope_device_t;
using block = ct::thread_scope_block_t;

template <class E>
__tile__ void sums(E* p) {
    auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
    auto v = ct::full<ct::tile<E, ct::shape<64>>>(E(1));
    ct::atomic_add(p + i, v, relaxed{}, device{});
    ct::atomic_sub(p + i, v, acq_rel{}, block{});
    ct::store(p + i, ct::atomic_add_masked(p + i, v, i < 9, relaxed{}));
    ct::atomic_add<ct::memory_order::release, ct::thread_scope::device>(p, E(1));
    ct::partition_view view{ct::tensor_span{p, ct::extents{1000}}, ct::shape{64_ic}};
    view.atomic_add(v, relaxed{}, device{}, 0);
    view.atomic_sub_masked(v, relaxed{}, block{}, 15);
}

template <class E>
__tile__ void bits(E* p) {
    auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
    auto v = ct::full<ct::tile<E, ct::shape<64>>>(E(1));
    ct::atomic_max(p + i, v, relaxed{});
    ct::atomic_min_masked(p + i, v, i > 3, relaxed{}, block{});
    ct::atomic_and(p + i, v, relaxed{});
    ct::atomic_or(p + i, v, relaxed{});
    ct::atomic_xor(p + i, v, relaxed{});
    ct::partition_view view{ct::tensor_span{p, ct::extents{1000}}, ct::shape{64_ic}};
    view.atomic_max(v, relaxed{}, device{}, 0);
    view.atomic_min_masked(v, relaxed{}, device{}, 0);
    view.atomic_and(v, relaxed{}, device{}, 0);
    view.atomic_or(v, relaxed{}, block{}, 0);
    view.atomic_xor(v, relaxed{}, block{}, 0);
}

template <class E>
__tile__ void exchanges(E* p) {
    auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
    auto v = ct::full<ct::tile<E, ct::shape<64>>>(E(1));
    auto old = ct::atomic_xchg(p + i, v, relaxed{});
    ct::atomic_compare_exchange(p + i, old, v, acq_rel{});
    ct::store(p + i, ct::atomic_compare_exchange_masked(p + i, old, v, i == 5, acq_rel{}, device{}));
}

template <class E>
__tile__ void accesses(E* p) {
    auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
    auto v = ct::atomic_load(p + i, ct::memory_order_acquire_t{});
    ct::atomic_store(p + 64 + i, v, ct::memory_order_release_t{}, device{});
    ct::atomic_store_masked(p + i, ct::atomic_load_masked(p + i, i < 7, E(3), relaxed{}), i < 7, relaxed{});
    ct::partition_view view{ct::tensor_span{p, ct::extents{1000}}, ct::shape{64_ic}};
    auto t = view.atomic_load(ct::memory_order_acquire_t{}, device{}, 0);
    auto u = view.template atomic_load<ct::memory_order::relaxed>(0);
    auto w = view.atomic_load_masked(ct::view_padding_zero_t{}, relaxed{}, 15);
    view.atomic_store(t, ct::memory_order_release_t{}, 1);
    view.template atomic_store_masked<ct::memory_order::relaxed, ct::thread_scope::block>(u, 15);
    view.store(w, 2);
}

__tile_global__ void every_atomic(int* i, unsigned* u, long long* l, unsigned long long* m, float* f, double* d, __half* h,
                                  __nv_bfloat16* b, short* s) {
    sums(i), sums(u), sums(l), sums(m), sums(f), sums(d), sums(h), sums(b);
    bits(i), bits(u), bits(l), bits(m);
    exchanges(i), exchanges(u), exchanges(l), exchanges(m), exchanges(f), exchanges(d);
    accesses(i), accesses(l), accesses(f), accesses(d), accesses(h), accesses(s);
}
