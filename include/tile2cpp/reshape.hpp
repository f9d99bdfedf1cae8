// reshape.hpp: other shapes for the same elements: reshape, broadcast, permute, cat, extract, insert.
#pragma once

#include "tile2cpp/operand.hpp"
#include "tile2cpp/run_tile.hpp"

namespace tile2cpp {

namespace meta {

/// A scalar as the rank 0 tile it stands for; tiles stay.
template <class T> T2C_FN auto rank0_tile(T const& x) {
  if constexpr (scalar<T>) return tile<T, shape<>>(x);
  else return settled(x);
}

}  // namespace meta

/// The same elements in row-major order under another shape.
template <tile_shape S, tile_like T>
  requires(shape_size_v<S> == tile_size_v<T>)
T2C_FN auto reshape(T const& x) {
  using map = meta::same_index;
  return meta::reshaped_runs<map>(x, exchange<S>(meta::rank0_tile(x), map{}));
}
template <tile_like T, tile_shape S>
  requires(shape_size_v<S> == tile_size_v<T>)
T2C_FN auto reshape(T const& x, S) {
  return reshape<S>(x);
}

/// Repeats `x` along axes of extent 1, and along new axes in front.
template <tile_shape S, tile_like T>
  requires broadcastable_to<T, S>
T2C_FN auto broadcast(T const& x) {
  using map = meta::broadcast_map<tile_shape_t<T>, S>;
  return meta::reshaped_runs<map>(x, exchange<S>(meta::rank0_tile(x), map{}));
}
template <tile_like T, tile_shape S>
  requires broadcastable_to<T, S>
T2C_FN auto broadcast(T const& x, S) {
  return broadcast<S>(x);
}

namespace meta {

template <class S, class Map, class Axes = make_index_list<S::rank()>> struct permuted;
template <class S, class Map, size_t... I> struct permuted<S, Map, index_list<I...>> {
  using type = shape<S::static_extent(Map::mapping(I))...>;
};

template <class S, class Map, size_t Rank> T2C_BOTH constexpr axis_rules<Rank> permute_rules() {
  axis_rules<Rank> rules{};
  for (size_t axis = 0; axis < Rank; ++axis) {
    rules.modulus[axis] = static_cast<int>(S::static_extent(Map::mapping(axis)));
    rules.stride[axis] = static_cast<int>(row_major_stride<S>(Map::mapping(axis)));
  }
  return rules;
}

template <size_t Rank, class Axes = make_index_list<Rank>> struct transpose_order;
template <size_t Rank, size_t... I> struct transpose_order<Rank, index_list<I...>> {
  using type = dimension_map<(I < 2 && Rank > 1 ? 1 - I : I)...>;
};

template <class T, class Map>
concept permutes = tile_like<T> && is_dimension_map<Map> && Map::rank() == tile_rank_v<T>;

}  // namespace meta

/// `T` with axis k taken from axis `Map::mapping(k)`; a scalar stays a scalar.
template <tile_like T, class Map>
  requires meta::permutes<T, Map>
using tile_permutation_t =
    typename meta::tile_or_scalar<tile_element_t<T>, typename meta::permuted<tile_shape_t<T>, Map>::type, scalar<T>>::type;
template <tile_like T>
using tile_transpose_t = tile_permutation_t<T, typename meta::transpose_order<tile_rank_v<T>>::type>;

/// Reorders the axes: axis k of the result is axis `Map::mapping(k)` of `x`.
template <class Map, tile_like T>
  requires meta::permutes<T, Map>
T2C_FN tile_permutation_t<T, Map> permute(T const& x) {
  if constexpr (scalar<T>) {
    return x;
  } else {
    using To = tile_shape_t<tile_permutation_t<T, Map>>;
    using map = meta::axis_map<To, meta::permute_rules<tile_shape_t<T>, Map, To::rank()>()>;
    return exchange<To>(meta::settled(x), map{});
  }
}
template <tile_like T, size_t... I>
  requires meta::permutes<T, dimension_map<I...>>
T2C_FN tile_permutation_t<T, dimension_map<I...>> permute(T const& x, dimension_map<I...>) {
  return permute<dimension_map<I...>>(x);
}

/// Swaps the first two axes.
template <tile_like T> T2C_FN tile_transpose_t<T> transpose(T const& x) {
  return permute<typename meta::transpose_order<tile_rank_v<T>>::type>(x);
}

}  // namespace tile2cpp
