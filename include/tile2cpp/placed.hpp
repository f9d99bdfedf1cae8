// placed.hpp: a tile that remembers where in an array it was read, for products by warpgroups.
//
// Its elements are read when someone asks for them. A product does not: it fetches them to shared memory by itself, and ahead of
// time. Only arrays that the kernel never writes are remembered, because only there it is the same when a load is done.
#pragma once

#ifdef T2C_WARPGROUPS
#include "tile2cpp/matrix_source.hpp"
#include "tile2cpp/reshape.hpp"
#endif
#include "tile2cpp/mirrored.hpp"
#include "tile2cpp/tile_traits.hpp"
#include "tile2cpp/window.hpp"

namespace tile2cpp {

template <class E, class Shape, class Source, bool Masked>
class placed_tile {
 public:
  using element_type = E;
  using shape_type = Shape;
  using source_type = Source;

#if T2C_FIXED_LOADS
  T2C_FN explicit placed_tile(Source const& source) : source_(source) {}
  T2C_FN static constexpr bool fresh() { return true; }
  T2C_FN tile<E, Shape> settled() const { return read(); }
#else
  T2C_FN explicit placed_tile(Source const& source) : source_(source), fresh_(true) {}

  placed_tile(placed_tile const&) = default;
  /// Member by member: with a defaulted one, kernels by NVRTC 13.0 read the old memory where `b = a` followed `a = ct::transpose(b)`.
  T2C_FN placed_tile& operator=(placed_tile const& other) {
    source_ = other.source_;
    elements_ = other.elements_;
    fresh_ = other.fresh_;
    return *this;
  }

  /// A variable that takes another value is an ordinary tile from then on.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN placed_tile& operator=(Other const& other) {
    elements_ = tile<E, Shape>(other);
    fresh_ = false;
    return *this;
  }

  /// The elements; zero outside of the array.
  T2C_FN tile<E, Shape> settled() const { return fresh_ ? read() : elements_; }
  T2C_FN bool fresh() const { return fresh_; }
#endif
  T2C_FN Source const& source() const { return source_; }

 private:
  T2C_FN tile<E, Shape> read() const {
    using stored = typename Source::element;
    auto const elements = read_window<Masked>(source_.template locate<Shape>(), meta::bit_cast<stored>(meta::unsigned_of<stored>{}));
    if constexpr (meta::is_same<E, stored>) {
      return elements;
    } else {
      tile<E, Shape> result;
      T2C_UNROLL
      for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = meta::convert<E>(elements.own[s]);
      return result;
    }
  }

  Source source_;
#if !T2C_FIXED_LOADS
  tile<E, Shape> elements_;
  bool fresh_;
#endif
};

namespace meta {

template <class T> inline constexpr bool is_placed = false;
template <class E, class Shape, class Source, bool Masked> inline constexpr bool is_placed<placed_tile<E, Shape, Source, Masked>> = true;

// Everywhere else it counts as the tile it is.
template <class E, class Shape, class Source, bool Masked> inline constexpr bool is_tile<placed_tile<E, Shape, Source, Masked>> = true;
template <class E, class Shape, class Source, bool Masked> struct remove_cv<placed_tile<E, Shape, Source, Masked>> { using type = tile<E, Shape>; };
template <class E, class Shape, class Source, bool Masked> struct remove_cv<placed_tile<E, Shape, Source, Masked> const> { using type = tile<E, Shape>; };

}  // namespace meta

#ifdef T2C_WARPGROUPS

/// A tile of a view and where it lies; zero outside of the array.
template <bool Masked, class View, class... Idx>
T2C_FN auto place_tile(View const& view, Idx... index) {
  using E = typename View::value_type;
  using Shape = typename View::view_shape_type;
  using Source = matrix_source<E, Shape, typename View::span_type, meta::matrix_axis<Shape>(0), meta::matrix_axis<Shape>(1)>;
  return placed_tile<E, Shape, Source, Masked>(Source{view.span(), view.identity().key, {index...}});
}

namespace meta {
template <class A, class B> concept same_matrix = is_loose_matrix<A>() && is_loose_matrix<B>() && extent_from_end<A>(0) == extent_from_end<B>(0) &&
                                                  product_of_extents<A>() == product_of_extents<B>();
}

/// The same matrix with other axes of one element.
template <tile_shape S, class E, class Shape, class Source, bool Masked>
  requires(meta::same_matrix<S, Shape>)
T2C_FN auto reshape(placed_tile<E, Shape, Source, Masked> const& x) {
  placed_tile<E, S, Source, Masked> same(x.source());
#if !T2C_FIXED_LOADS
  if (!x.fresh()) same = reshape<S>(x.settled());
#endif
  return same;
}
template <tile_shape S, class E, class Shape, class Source, bool Masked>
  requires(meta::same_matrix<S, Shape>)
T2C_FN auto reshape(placed_tile<E, Shape, Source, Masked> const& x, S) {
  return reshape<S>(x);
}

namespace meta {
/// Whether `Map` exchanges the last two axes, and no others.
template <class Map> T2C_BOTH constexpr bool exchanges_matrix_axes() {
  constexpr size_t rank = Map::rank();
  for (size_t axis = 0; axis + 2 < rank; ++axis)
    if (Map::mapping(axis) != axis) return false;
  return rank >= 2 && Map::mapping(rank - 2) == rank - 1 && Map::mapping(rank - 1) == rank - 2;
}
}  // namespace meta

/// Turned round by reading it the other way.
template <class Map, class E, class Shape, class S, class V, class Span, int Row, int Column, bool Masked>
  requires(meta::exchanges_matrix_axes<Map>() && meta::is_matrix<Shape>() && Map::rank() == Shape::rank())
T2C_FN auto permute(placed_tile<E, Shape, matrix_source<S, V, Span, Row, Column>, Masked> const& x) {
  using Source = matrix_source<S, V, Span, Column, Row>;
  Source turned{x.source().span, x.source().identity, {}};
  T2C_UNROLL
  for (int axis = 0; axis < Source::rank; ++axis) turned.index[axis] = x.source().index[axis];
  placed_tile<E, typename meta::permuted<Shape, Map>::type, Source, Masked> result(turned);
#if !T2C_FIXED_LOADS
  if (!x.fresh()) result = permute<Map>(x.settled());
#endif
  return result;
}
template <class E, class Shape, class Source, bool Masked, size_t... I>
  requires(meta::exchanges_matrix_axes<dimension_map<I...>>() && meta::is_matrix<Shape>() && sizeof...(I) == Shape::rank())
T2C_FN auto permute(placed_tile<E, Shape, Source, Masked> const& x, dimension_map<I...>) {
  return permute<dimension_map<I...>>(x);
}
template <class E, class Shape, class Source, bool Masked>
  requires(Shape::rank() == 2)
T2C_FN auto transpose(placed_tile<E, Shape, Source, Masked> const& x) {
  return permute<dimension_map<1, 0>>(x);
}

/// Single precision as factors of products: who fetches them rounds.
template <scalar To, class Shape, class Source, bool Masked>
  requires(meta::is_same<To, __nv_tf32>)
T2C_FN auto element_cast(placed_tile<float, Shape, Source, Masked> const& x) {
  placed_tile<To, Shape, Source, Masked> result(x.source());
#if !T2C_FIXED_LOADS
  if (!x.fresh()) result = element_cast<To>(x.settled());
#endif
  return result;
}

#endif

}  // namespace tile2cpp
