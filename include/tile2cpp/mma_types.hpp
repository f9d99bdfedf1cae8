// mma_types.hpp: which tiles can be multiplied, and what comes out.
#pragma once

#include "tile2cpp/tile_traits.hpp"

namespace tile2cpp {
namespace meta {

template <class E> concept byte_integer = integral<E> && sizeof(E) == 1;

template <class E>
concept short_float = is_one_of<E, __half, __nv_fp8_e4m3, __nv_fp8_e5m2>;

/// Whether products of A and B may be summed in C. Bytes mix freely; floating factors are of one type.
template <class A, class B, class C> T2C_BOTH constexpr bool elements_multiply() {
  if constexpr (byte_integer<A> && byte_integer<B>) return integral<C> && sizeof(C) == 4 && is_signed<C>;
  else if constexpr (!is_same<A, B>) return false;
  else if constexpr (short_float<A>) return is_one_of<C, __half, float>;
  else if constexpr (is_one_of<A, __nv_bfloat16, __nv_tf32, float>) return is_same<C, float>;
  else return is_same<A, double> && is_same<C, double>;
}

/// Element of a product without an accumulator; `no_type` where there is none.
template <class A, class B> T2C_BOTH constexpr auto product_element() {
  if constexpr (byte_integer<A> && byte_integer<B>) return type_is<int>{};
  else if constexpr (!is_same<A, B>) return no_type{};
  else if constexpr (short_float<A>) return type_is<__half>{};
  else if constexpr (is_one_of<A, __nv_bfloat16, __nv_tf32, float>) return type_is<float>{};
  else if constexpr (is_same<A, double>) return type_is<double>{};
  else return no_type{};
}

/// The sizes of a product: (batch, M, K) times (batch, K, N). A batch of 1 serves every batch of the result.
struct product_extents {
  int batch, m, n, k, a_batch, b_batch;
};

template <class SA, class SB> T2C_BOTH constexpr product_extents extents_of_product(int batch) {
  product_extents e{};
  e.m = static_cast<int>(extent_from_end<SA>(1));
  e.k = static_cast<int>(extent_from_end<SA>(0));
  e.n = static_cast<int>(extent_from_end<SB>(0));
  e.a_batch = static_cast<int>(extent_from_end<SA>(2));
  e.b_batch = static_cast<int>(extent_from_end<SB>(2));
  e.batch = batch != 0 ? batch : e.a_batch > e.b_batch ? e.a_batch : e.b_batch;
  return e;
}

/// Whether the shapes chain: rank 2 or 3 alike, equal inner extents, batches equal to `batch` or 1.
template <class SA, class SB> T2C_BOTH constexpr bool factors_chain(int batch) {
  if (SA::rank() != SB::rank() || SA::rank() < 2 || SA::rank() > 3) return false;
  product_extents const e = extents_of_product<SA, SB>(batch);
  return extent_from_end<SA>(0) == extent_from_end<SB>(1) && (e.a_batch == 1 || e.a_batch == e.batch) &&
         (e.b_batch == 1 || e.b_batch == e.batch);
}

template <class SA, class SB, class SC> T2C_BOTH constexpr bool shapes_multiply() {
  return SC::rank() == SA::rank() && factors_chain<SA, SB>(static_cast<int>(extent_from_end<SC>(2))) &&
         extent_from_end<SC>(1) == extent_from_end<SA>(1) && extent_from_end<SC>(0) == extent_from_end<SB>(0);
}

template <class SA, class SB> struct product_shape;
template <size_t M, size_t K, size_t N> struct product_shape<shape<M, K>, shape<K, N>> { using type = shape<M, N>; };
template <size_t P, size_t Q, size_t M, size_t K, size_t N>
struct product_shape<shape<P, M, K>, shape<Q, K, N>> { using type = shape<(P > Q ? P : Q), M, N>; };

}  // namespace meta

/// Whether `mma(a, b, c)` exists for these tiles.
template <class A, class B, class C>
concept mma_compatible = tile_like<A> && tile_like<B> && tile_like<C> && !scalar<A> && !scalar<B> && !scalar<C> &&
                         meta::elements_multiply<tile_element_t<A>, tile_element_t<B>, tile_element_t<C>>() &&
                         meta::shapes_multiply<tile_shape_t<A>, tile_shape_t<B>, tile_shape_t<C>>();

/// Whether `matmul(a, b)` exists for these tiles.
template <class A, class B>
concept matmul_compatible = tile_like<A> && tile_like<B> && !scalar<A> && !scalar<B> &&
                            meta::factors_chain<tile_shape_t<A>, tile_shape_t<B>>(0) &&
                            requires { typename decltype(meta::product_element<tile_element_t<A>, tile_element_t<B>>())::type; };

/// The tile that `matmul` yields.
template <class A, class B>
  requires matmul_compatible<A, B>
using matmul_result_t = tile<typename decltype(meta::product_element<tile_element_t<A>, tile_element_t<B>>())::type,
                             typename meta::product_shape<tile_shape_t<A>, tile_shape_t<B>>::type>;

}  // namespace tile2cpp
