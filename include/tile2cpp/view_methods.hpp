// view_methods.hpp: what every view can do with a tile of its array.
//
// A view says where a tile lies, by `locate(indices...)`; the functions `read_window` and `write_window` of
// what `locate` returns do the rest. The `_masked` forms accept tiles that reach over an edge.
#pragma once

#include "tile2cpp/loaded.hpp"
#include "tile2cpp/padding.hpp"
#include "tile2cpp/parked.hpp"
#include "tile2cpp/placed.hpp"
#include "tile2cpp/tile.hpp"
#include "tile2cpp/window.hpp"

namespace tile2cpp {

namespace meta {

/// Indices of a view are plain numbers, one per axis: constants and tiles are refused, as by the toolkit.
template <size_t Rank>
struct number_per_axis {
  template <class... Idx>
  static constexpr bool accepts = sizeof...(Idx) == Rank && (numeric_scalar<Idx> && ... && true);
};

/// The tile together with its place, so that a product can fetch it by itself.
template <bool Masked, class View, class... Idx> T2C_FN auto read_for_products(View const& view, Idx... index) {
#ifdef T2C_WARPGROUPS
  return place_tile<Masked>(view, index...);
#else
  return read_and_remember<Masked>(view, index...);
#endif
}

}  // namespace meta

template <class View, class Span, class Shape, class Index>
class view_methods {
 public:
  using span_type = Span;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;
  using element_type = typename Span::element_type;
  using value_type = typename Span::value_type;
  using view_shape_type = Shape;
  using view_tile_type = tile<value_type, Shape>;

  static_assert(same_as<Span, meta::remove_cv_t<Span>> && same_as<Shape, meta::remove_cv_t<Shape>>,
                "view: neither the span nor the shape may be const or volatile");
  static_assert(Span::rank() == Shape::rank(), "view: the shape needs one extent for each axis of the span");

  /// The tile at these indices, which must lie inside the span.
  template <class... Idx>
    requires(Index::template accepts<Idx...>)
  T2C_FN auto load(Idx... index) const {
    if constexpr (meta::remembers_loads<View, element_type, Shape, Idx...>) return meta::read_for_products<false>(self(), index...);
    else return read_window<false>(self().locate(index...), value_type{});
  }

  /// The tile at these indices, with `P` for the elements outside of the span.
  template <view_padding P = view_padding::zero, class... Idx>
    requires(Index::template accepts<Idx...> && meta::has_padding<value_type, P>())
  T2C_FN auto load_masked(Idx... index) const {
    if constexpr (P == view_padding::zero && meta::remembers_loads<View, element_type, Shape, Idx...>)
      return meta::read_for_products<true>(self(), index...);
    else
      return read_window<true>(self().locate(index...), meta::padding_value<value_type, P>());
  }
  template <view_padding P, class... Idx>
    requires(Index::template accepts<Idx...> && meta::has_padding<value_type, P>())
  T2C_FN auto load_masked(view_padding_constant<P>, Idx... index) const {
    return load_masked<P>(index...);
  }

#ifdef T2C_PARKED
  // The same for tiles that may have to wait in shared memory, which the line tells.
  template <class... Idx>
  static constexpr bool parks = meta::parks<element_type, Shape> && Index::template accepts<Idx...>;

  template <class A>
    requires(parks<A>)
  T2C_FN auto load(A a, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<false, view_padding::zero>(line, a);
  }
  template <class A, class B>
    requires(parks<A, B>)
  T2C_FN auto load(A a, B b, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<false, view_padding::zero>(line, a, b);
  }
  template <class A>
    requires(parks<A>)
  T2C_FN auto load_masked(A a, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<true, view_padding::zero>(line, a);
  }
  template <class A, class B>
    requires(parks<A, B>)
  T2C_FN auto load_masked(A a, B b, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<true, view_padding::zero>(line, a, b);
  }
  template <view_padding P, class A>
    requires(parks<A> && meta::has_padding<value_type, P>())
  T2C_FN auto load_masked(view_padding_constant<P>, A a, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<true, P>(line, a);
  }
  template <view_padding P, class A, class B>
    requires(parks<A, B> && meta::has_padding<value_type, P>())
  T2C_FN auto load_masked(view_padding_constant<P>, A a, B b, meta::line_number line = meta::line_number(__builtin_LINE())) const {
    return parked<true, P>(line, a, b);
  }
#endif

  /// Writes a tile, which must lie inside the span.
  template <class Value, class... Idx>
    requires(storeable_tensor_span<Span> && non_narrowing_tile_convertible_to<Value, view_tile_type> &&
             Index::template accepts<Idx...>)
  T2C_FN void store(Value value, Idx... index) const {
    view_tile_type const all = value;
    write_window<false>(self().locate(index...), all);
  }

  /// Writes the elements of a tile that lie inside the span.
  template <class Value, class... Idx>
    requires(storeable_tensor_span<Span> && non_narrowing_tile_convertible_to<Value, view_tile_type> &&
             Index::template accepts<Idx...>)
  T2C_FN void store_masked(Value value, Idx... index) const {
    view_tile_type const all = value;
    write_window<true>(self().locate(index...), all);
  }

#ifdef T2C_PARKED
 private:
  template <bool Masked, view_padding P, class... Idx> T2C_FN auto parked(meta::line_number line, Idx... index) const {
    return parked_tile<value_type, Shape>(self().locate(index...), meta::padding_value<value_type, P>(), line.number, integral_constant<Masked>{});
  }

#endif
 protected:
  T2C_FN View const& self() const { return static_cast<View const&>(*this); }
};

}  // namespace tile2cpp
