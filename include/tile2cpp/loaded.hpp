// loaded.hpp: a tile that remembers where in an array it was read.
//
// It is a tile like any other, with its elements in registers. A product, though, may fetch the elements from
// memory itself, and ahead of time; then nobody asks for the registers, and the compiler drops the loads
// into them. So loads keep their eager meaning, and it costs nothing where it is not needed. Only arrays that the kernel
// never writes are remembered, because only there both ways always see the same elements.
#pragma once

#include "tile2cpp/mirrored.hpp"
#include "tile2cpp/placed.hpp"
#include "tile2cpp/tile_source.hpp"
#include "tile2cpp/window.hpp"

namespace tile2cpp {

template <class E, class Shape, class Span, class Stored = E>
class loaded_tile : public tile<E, Shape> {
 public:
  using source_type = tile_source<Stored, Shape, Span>;

  T2C_FN loaded_tile(tile<E, Shape> const& elements, source_type const& source, bool fresh = true)
      : tile<E, Shape>(elements), source_(source), fresh_(fresh) {}

  /// A variable that takes another value is an ordinary tile from then on.
  template <tile_like Other>
    requires(non_narrowing_tile_convertible_to<Other, tile<E, Shape>>)
  T2C_FN loaded_tile& operator=(Other const& other) {
    static_cast<tile<E, Shape>&>(*this) = tile<E, Shape>(other);
    fresh_ = false;
    return *this;
  }

  T2C_FN bool fresh() const { return fresh_; }
  T2C_FN source_type const& source() const { return source_; }

 private:
  source_type source_;
  bool fresh_;
};

/// Single precision as a factor of products, of a loaded tile: a product that fetches it rounds it by itself.
template <class Shape, class Span> using rounded_tile = loaded_tile<__nv_tf32, Shape, Span, float>;

template <scalar To, class Shape, class Span>
  requires(meta::is_same<To, __nv_tf32>)
T2C_FN auto element_cast(loaded_tile<float, Shape, Span> const& x) {
  return rounded_tile<Shape, Span>(element_cast<To>(static_cast<tile<float, Shape> const&>(x)), x.source(), x.fresh());
}

namespace meta {

template <class E, class Shape, class Span, class Stored> inline constexpr bool is_tile<loaded_tile<E, Shape, Span, Stored>> = true;
template <class E, class Shape, class Span, class Stored> struct remove_cv<loaded_tile<E, Shape, Span, Stored>> { using type = tile<E, Shape>; };
template <class E, class Shape, class Span, class Stored> struct remove_cv<loaded_tile<E, Shape, Span, Stored> const> { using type = tile<E, Shape>; };

/// Whether loads of such tiles are worth remembering: a product could fetch them, and no store can meet them.
template <class View, class E, class Shape, class... Idx>
inline constexpr bool remembers_loads = false;
#if defined(T2C_WARPGROUPS) && T2C_EARLY
template <class View, class E, class Shape, class... Idx>
inline constexpr bool remembers_loads<View, E const, Shape, Idx...> =
    is_partition<View> && (is_matrix<Shape>() || (T2C_FED && is_loose_matrix<Shape>())) && extent_from_end<Shape>(0) >= 8 && product_of_extents<Shape>() >= 8 * extent_from_end<Shape>(0) && (is_same<Idx, int> && ...) &&
    (is_one_of<E, __half, __nv_bfloat16, __nv_tf32, __nv_fp8_e4m3, __nv_fp8_e5m2, signed char, unsigned char, char> ||
     (is_same<E, float> && backend::has_wide_factors()));
#elif defined(T2C_TENSOR_CORES) && T2C_SHARED > 0 && T2C_PRODUCT && T2C_EARLY
template <class View, class E, class Shape, class... Idx>
inline constexpr bool remembers_loads<View, E const, Shape, Idx...> =
    is_partition<View> && (Shape::rank() == 2 || Shape::rank() == 3) && (is_same<Idx, int> && ...) &&
    is_one_of<E, __half, __nv_bfloat16, __nv_tf32, __nv_fp8_e4m3, __nv_fp8_e5m2, float, double, signed char, unsigned char, char> &&
    2 * product_of_extents<Shape>() * sizeof(E) <= most_slices * T2C_SHARED;
#endif

template <bool Masked, class E, class Shape>
T2C_FN tile<E, Shape> read_in_place(window<E const, Shape> const& from) {
  return read_window<Masked>(from, bit_cast<E>(unsigned_of<E>{}));
}
// Straight, although that is slow: turning a tile round takes barriers, which the compiler would have to keep.
template <bool Masked, class E, class Shape>
T2C_FN tile<E, Shape> read_in_place(mirrored_window<E const, Shape> const& from) {
  return read_in_place<Masked>(from.straight);
}

}  // namespace meta

/// Reads a tile, zero outside of the array, and remembers where.
template <bool Masked, class View, class... Idx>
T2C_FN auto read_and_remember(View const& view, Idx... index) {
  using E = typename View::value_type;
  using Shape = typename View::view_shape_type;
  return loaded_tile<E, Shape, typename View::span_type>(meta::read_in_place<Masked>(view.locate(index...)), {view.span(), {index...}});
}

}  // namespace tile2cpp
