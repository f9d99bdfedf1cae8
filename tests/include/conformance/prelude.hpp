// prelude.hpp: names that every file here uses, and a way to store a whole tile.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class E, ct::uint32_t... N> using T = ct::tile<E, ct::shape<N...>>;
template <class X> using counting = ct::tile<int, ct::tile_shape_t<X>>;

/// Stores all elements of `x`, in row-major order, from `p` on.
template <class E, class X> __tile__ void put(E* p, X x) { ct::store(p + ct::iota<counting<X>>(), x); }

/// The tile of type X whose elements lie, in row-major order, from `p` on.
template <class X, class E> __tile__ X get(E* p) { return ct::load(p + ct::iota<counting<X>>()); }
