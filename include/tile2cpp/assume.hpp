// assume.hpp: what the author promises about numbers and addresses; every function returns its argument.
//
// A broken promise is undefined behaviour. Promises about plain scalars are passed on to the compiler,
// which then drops tests for edges and alignment; those about tiles are only checked for their form.
#pragma once

#include "tile2cpp/restrict_pointer.hpp"
#include "tile2cpp/tile.hpp"

namespace tile2cpp {

namespace meta {

/// Tells a GPU compiler that `fact` holds; on the host this says nothing.
T2C_FN void promise([[maybe_unused]] bool fact) {
#ifdef T2C_GPU
  __builtin_assume(fact);
#endif
}

template <auto N> inline constexpr bool is_positive_power = N > 0 && is_power_of_two(static_cast<size_t>(N));

/// The largest value an assumption may name: the signed maximum, for unsigned types too.
template <class E>
inline constexpr long long bound_max = static_cast<long long>(limits<signed_of<E>>::highest);
template <class E>
inline constexpr long long bound_min = is_signed<E> ? static_cast<long long>(limits<signed_of<E>>::lowest) : 0;

template <class E> concept boundable = integral<E> && !same_as<remove_cv_t<E>, bool>;

template <auto N, class E>
concept bound_of = boundable<E> && static_cast<long long>(N) >= bound_min<E> && static_cast<long long>(N) <= bound_max<E>;

template <class T, auto Dim>
concept assumed_axis = Dim >= 0 && static_cast<size_t>(Dim) < tile_rank_v<T>;

template <class S, size_t... I>
T2C_BOTH constexpr bool no_zero_extent(index_list<I...>) {
  return ((S::static_extent(I) > 0) && ... && true);
}

}  // namespace meta

/// Every address is a multiple of `A` bytes; 16 lets rows move in the widest accesses.
template <auto A, pointer_tile T>
  requires(meta::is_positive_power<A>)
[[nodiscard]] T2C_FN T assume_aligned(T p, integral_constant<A> = {}) {
  if constexpr (pointer_scalar<T>) meta::promise(reinterpret_cast<unsigned long long>(p) % A == 0);
  return p;
}

/// Every number is a multiple of `D`.
template <auto D, integral_tile T>
  requires(meta::is_positive_power<D>)
[[nodiscard]] T2C_FN T assume_divisible(T i, integral_constant<D> = {}) {
  if constexpr (meta::boundable<T>) meta::promise((i & static_cast<T>(D - 1)) == 0);
  return i;
}

/// Every number is at least `L` and at most `U`.
template <auto L, auto U, integral_tile T>
  requires(meta::bound_of<L, tile_element_t<T>> && meta::bound_of<U, tile_element_t<T>> && L <= U)
[[nodiscard]] T2C_FN T assume_bounded(T i, integral_constant<L> = {}, integral_constant<U> = {}) {
  if constexpr (integral<T>) meta::promise(i >= static_cast<T>(L) && i <= static_cast<T>(U));
  return i;
}

/// Every number is at least `L`; for signed types, since unsigned ones are never below 0.
template <auto L, integral_tile T>
  requires(meta::bound_of<L, tile_element_t<T>> && meta::is_signed<tile_element_t<T>>)
[[nodiscard]] T2C_FN T assume_bounded_below(T i, integral_constant<L> = {}) {
  if constexpr (integral<T>) meta::promise(i >= static_cast<T>(L));
  return i;
}

/// Every number is at most `U`.
template <auto U, integral_tile T>
  requires(meta::bound_of<U, tile_element_t<T>>)
[[nodiscard]] T2C_FN T assume_bounded_above(T i, integral_constant<U> = {}) {
  if constexpr (integral<T>) meta::promise(i <= static_cast<T>(U));
  return i;
}

/// Along `Dim`, the first of every `Stride` numbers is a multiple of `D` and the others count up by one.
template <auto D, auto Stride, auto Dim, integral_tile T>
  requires(meta::is_positive_power<D> && Stride > 0 && meta::assumed_axis<T, Dim> && meta::is_signed<tile_element_t<T>>)
[[nodiscard]] T2C_FN T assume_divisible_strided(T i, integral_constant<D> = {}, integral_constant<Stride> = {},
                                                integral_constant<Dim> = {}) {
  return i;
}

/// The same for addresses, which count up by the size of an element.
template <auto A, auto Stride, auto Dim, pointer_tile T>
  requires(meta::is_positive_power<A> && Stride > 0 && meta::assumed_axis<T, Dim>)
[[nodiscard]] T2C_FN T assume_aligned_strided(T p, integral_constant<A> = {}, integral_constant<Stride> = {},
                                              integral_constant<Dim> = {}) {
  return p;
}

/// Inside each block of shape `S` all values are equal.
template <shape_like S, class T>
  requires((integral_tile<T> || pointer_tile<T>) && S::rank() == tile_rank_v<T> &&
           meta::no_zero_extent<S>(meta::make_index_list<S::rank()>{}))
[[nodiscard]] T2C_FN T assume_blocked(T x, S = {}) {
  return x;
}

}  // namespace tile2cpp
