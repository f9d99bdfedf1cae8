// tile_traits.hpp: relations between tiles: broadcasting, promotion, what may be loaded and stored.
#pragma once

#include "tile2cpp/tile.hpp"

namespace tile2cpp {
namespace meta {

template <class T, class E> struct with_element { using type = E; };
template <class F, class S, class E> struct with_element<tile<F, S>, E> { using type = tile<E, S>; };

/// The tile of `E` in shape `S`; `E` itself when only scalars took part.
template <class E, class S, bool Scalar> struct tile_or_scalar { using type = tile<E, S>; };
template <class E, class S> struct tile_or_scalar<E, S, true> { using type = E; };

}  // namespace meta

template <tile_like T, class E> using tile_with_element_t = typename meta::with_element<meta::remove_cv_t<T>, E>::type;

template <class T, class U>
concept broadcast_compatible =
    tile_like<T> && tile_like<U> && shape_broadcast_compatible<tile_shape_t<T>, tile_shape_t<U>>;
template <class T, class Shape>
concept broadcastable_to = tile_like<T> && shape_broadcastable_to<tile_shape_t<T>, Shape>;

/// Tile of `E` in the common shape of `T` and `U`; a scalar if both are.
template <class T, class U, class E>
  requires broadcast_compatible<T, U>
using mutual_broadcast_t =
    typename meta::tile_or_scalar<E, shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>, scalar<T> && scalar<U>>::type;

template <class T> concept bool_tile_convertible = tile_like<T> && scalar_convertible_to<tile_element_t<T>, bool>;

namespace meta {

/// Element of an arithmetic operation: the common one, but a scalar beside a tile takes the tile's.
template <class T, class U> T2C_BOTH constexpr auto arithmetic_element() {
  using A = tile_element_t<T>;
  using B = tile_element_t<U>;
  if constexpr (scalar<T> == scalar<U>) {
    return common_element<A, B>();
  } else if constexpr (scalar<T>) {
    if constexpr (scalar_joins_tile<A, B>) return type_is<B>{};
    else return no_type{};
  } else {
    if constexpr (scalar_joins_tile<B, A>) return type_is<A>{};
    else return no_type{};
  }
}

template <class T, class U>
using arithmetic_element_t = typename decltype(arithmetic_element<remove_cv_t<T>, remove_cv_t<U>>())::type;

}  // namespace meta

template <class T, class U>
concept arithmetic_tile_convertible = arithmetic_tile<T> && arithmetic_tile<U> && broadcast_compatible<T, U> &&
                                      requires { typename meta::arithmetic_element_t<T, U>; };
template <class T, class U>
concept arithmetic_tile_comparable = arithmetic_tile<T> && arithmetic_tile<U> && broadcast_compatible<T, U> &&
                                     meta::have_common_element<tile_element_t<T>, tile_element_t<U>>;

template <class T, class U>
  requires arithmetic_tile_convertible<T, U>
using arithmetic_tile_conversion_t = mutual_broadcast_t<T, U, meta::arithmetic_element_t<T, U>>;
template <class T, class U>
  requires arithmetic_tile_comparable<T, U>
using arithmetic_tile_comparison_t =
    mutual_broadcast_t<T, U, meta::common_element_t<tile_element_t<T>, tile_element_t<U>>>;

namespace meta {
template <class E> struct promoted { using type = E; };
template <integral E> struct promoted<E> { using type = decltype(+E{}); };
}  // namespace meta

/// What unary plus yields: small integers become int.
template <arithmetic_tile T>
using arithmetic_tile_promotion_t = tile_with_element_t<T, typename meta::promoted<tile_element_t<T>>::type>;

template <class T>
concept loadable_tile = pointer_tile<T> && scalar<meta::remove_pointer_t<tile_element_t<T>>> &&
                        !meta::is_volatile<meta::remove_pointer_t<tile_element_t<T>>>;
template <class T>
concept storeable_tile = loadable_tile<T> && !meta::is_const<meta::remove_pointer_t<tile_element_t<T>>>;

/// What `load` yields: the pointee without its const.
template <loadable_tile P>
using tile_load_t = tile_with_element_t<P, meta::remove_cv_t<meta::remove_pointer_t<tile_element_t<P>>>>;

}  // namespace tile2cpp
