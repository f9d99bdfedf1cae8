// view.hpp: partition_view and strided_view, arrays seen as a grid of tiles; and gather_scatter_view.
//
// A view turns tile indices into a window on its span. It is as cheap as its span and may be copied.
#pragma once

#include "tile2cpp/gather_view.hpp"
#include "tile2cpp/mirrored.hpp"
#include "tile2cpp/span.hpp"
#include "tile2cpp/tile_source.hpp"
#include "tile2cpp/view_atomics.hpp"
#include "tile2cpp/view_methods.hpp"

namespace tile2cpp {

namespace meta {

template <class Axes> struct zero_offsets;
template <size_t... Axis> struct zero_offsets<index_list<Axis...>> {
  using type = offsets<int32_t, (Axis * 0)...>;
};

template <class Strides>
T2C_BOTH constexpr bool strides_are_positive() {
  for (size_t axis = 0; axis < Strides::rank(); ++axis)
    if (Strides::static_stride(axis) == dynamic_stride || Strides::static_stride(axis) == 0) return false;
  return true;
}

/// Where a tile begins along one axis, in elements; negative when its index is. So are indices of 64 bits whose elements 64 bits do not
/// count: no array has those, but what is left of the product could lie in one.
template <class Index>
T2C_FN long long tile_start(Index index, long long step) {
  long long const number = static_cast<long long>(index);
  if constexpr (sizeof(Index) > 4) {
    auto const most = static_cast<unsigned long long>(limits<long long>::highest / step);
    if (static_cast<unsigned long long>(number) > most) return -step;
  }
  return number * step;
}

/// How many of the `tile` elements from `start` on exist in an axis of `extent` elements. Where 32 bits count these, what is left
/// of them has no more: a kernel may have many tiles in a row, each with its own mask.
template <class Extent> T2C_FN int valid_elements(long long start, Extent extent, int tile) {
  if constexpr (sizeof(Extent) <= 4) {
    long long const left = static_cast<long long>(extent) - start;
    return start < 0 || left < 0 ? 0 : int(unsigned(left) < unsigned(tile) ? unsigned(left) : unsigned(tile));
  } else {
    long long const left = static_cast<long long>(extent) - start;
    unsigned const few = unsigned(left) < unsigned(tile) ? unsigned(left) : unsigned(tile);
    return start < 0 || left < 0 ? 0 : left >> 32 != 0 ? tile : int(few);
  }
}

/// The window of `Shape` that begins at element `start` of a span.
template <class Shape, class Span, size_t... Axis>
T2C_FN auto window_at(Span const& span, long long const (&start)[Shape::rank() + 1], index_list<Axis...>) {
  window<typename Span::element_type, Shape> result{};
  long long const stride[] = {static_cast<long long>(span.mapping().stride(Axis))..., 0};
  int const valid[] = {valid_elements(start[Axis], span.extent(Axis), int(Shape::static_extent(Axis)))..., 0};
  int const left[] = {valid_elements(start[Axis], span.extent(Axis), int(limits<int>::highest))..., 0};
  long long distance = 0;
  // Each part for itself: in loops the compiler loses sight of what it knows about the sum.
  result.bits = result.low_bits(span.data_handle());
  T2C_UNROLL
  for (int axis = 0; axis < int(Shape::rank()); ++axis) {
    result.stride[axis] = stride[axis];
    result.valid[axis] = valid[axis], result.left[axis] = left[axis];
    distance += start[axis] * stride[axis];
    result.bits |= static_cast<unsigned>(start[axis] * stride[axis]) * sizeof(typename Span::element_type);
  }
  if constexpr (Shape::rank() == 0) result.valid[0] = 1;
  result.origin = span.data_handle() + distance;
  if constexpr (Shape::rank() > 0) {
    // Of the extent itself, about which the kernel may have promised something; along the axis of the runs, the first one if it is mirrored.
    constexpr bool mirrored = is_mirrored<Shape, typename Span::mapping_type>();
    constexpr int vector = mirrored ? layout<reversed_t<Shape>>::vector : result.vector, along = mirrored ? 0 : result.last;
    result.cuts_runs = static_cast<unsigned long long>(span.extent(along)) % vector != 0 || start[along] % vector != 0;
  }
  if constexpr (is_mirrored<Shape, typename Span::mapping_type>())
    return mirrored_window<typename Span::element_type, Shape>{result};
  else
    return result;
}

/// What views with one number per axis can do: everything.
template <class View, class Span, class Shape>
class grid_view : public view_methods<View, Span, Shape, number_per_axis<Shape::rank()>>,
                  public view_atomics<View, Span, Shape, number_per_axis<Shape::rank()>>,
                  public view_reductions<View, Span, Shape, number_per_axis<Shape::rank()>> {};

}  // namespace meta

/// An array cut into tiles of `Shape` without gaps: tile (i, j) begins at element (i * Shape[0], j * Shape[1]).
template <class Span, class Shape>
class partition_view : public meta::grid_view<partition_view<Span, Shape>, Span, Shape> {
  using axes = meta::make_index_list<Shape::rank()>;

 public:
  static_assert(tile_shape<Shape>, "partition_view: every extent of a tile is a power of two");
  static_assert(tensor_span_like<Span>, "partition_view: the first argument is a tensor_span");

  T2C_BOTH constexpr partition_view(Span const& span, Shape const&) : span_(span), identity_(span) {}
  T2C_BOTH constexpr Span const& span() const { return span_; }

  /// Tells the array from others, where products need that.
  T2C_BOTH constexpr meta::span_identity<Span> const& identity() const { return identity_; }

  /// Where tile (index...) lies.
  template <class... Idx>
  T2C_FN auto locate(Idx... index) const {
    return locate(axes{}, index...);
  }

 private:
  template <size_t... Axis, class... Idx>
  T2C_FN auto locate(meta::index_list<Axis...>, Idx... index) const {
    long long const start[] = {meta::tile_start(index, Shape::static_extent(Axis))..., 0};
    return meta::window_at<Shape>(span_, start, axes{});
  }

  Span span_;
  [[no_unique_address]] meta::span_identity<Span> identity_;
};
template <class Span, class Shape> partition_view(Span const&, Shape const&) -> partition_view<Span, Shape>;

/// Tiles of `Shape` that begin every `Strides` elements, so they may overlap or leave gaps.
template <class Span, class Shape, class Strides, 
          class Offsets = typename meta::zero_offsets<meta::make_index_list<Shape::rank()>>::type>
class strided_view : public meta::grid_view<strided_view<Span, Shape, Strides, Offsets>, Span, Shape> {
  using axes = meta::make_index_list<Shape::rank()>;

 public:
  static_assert(tile_shape<Shape>, "strided_view: every extent of a tile is a power of two");
  static_assert(tensor_span_like<Span>, "strided_view: the first argument is a tensor_span");
  static_assert(meta::strides_are_positive<Strides>(), "strided_view: strides are positive constants");
  static_assert(Strides::rank() == Shape::rank(), "strided_view: one stride is needed for each axis");
  static_assert(same_as<typename Strides::stride_type, typename Span::index_type>,
                "strided_view: the strides have the index type of the span");

  T2C_BOTH constexpr strided_view(Span const& span, Shape const&, Strides const&, Offsets const& = {}) : span_(span) {}
  T2C_BOTH constexpr Span const& span() const { return span_; }

  /// Where chunk (index...) lies.
  template <class... Idx>
  T2C_FN auto locate(Idx... index) const {
    return locate(axes{}, index...);
  }

 private:
  template <size_t... Axis, class... Idx>
  T2C_FN auto locate(meta::index_list<Axis...>, Idx... index) const {
    long long const start[] = {meta::tile_start(index, Strides::static_stride(Axis))..., 0};
    return meta::window_at<Shape>(span_, start, axes{});
  }

  Span span_;
};
template <class Span, class Shape, class Strides>
strided_view(Span const&, Shape const&, Strides const&) -> strided_view<Span, Shape, Strides>;

}  // namespace tile2cpp
