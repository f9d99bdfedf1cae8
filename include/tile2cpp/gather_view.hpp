// gather_view.hpp: gather_scatter_view, tiles whose slices along one axis lie anywhere in the array.
#pragma once

#include "tile2cpp/gather.hpp"
#include "tile2cpp/span.hpp"
#include "tile2cpp/view_atomics.hpp"
#include "tile2cpp/view_methods.hpp"

namespace tile2cpp {

/// Where the elements of a tile lie when every slice along one axis has its own place: their addresses, and
/// which of them exist.
template <class E, class Shape>
struct scattered_window {
  tile<E*, Shape> address;
  tile<bool, Shape> exists;
};

template <bool Masked, class E, class Shape>
T2C_FN auto read_window(scattered_window<E, Shape> const& from, meta::remove_cv_t<E> padding) {
  if constexpr (Masked) return load_masked(from.address, from.exists, padding);
  else return load(from.address);
}

template <bool Masked, class E, class Shape>
T2C_FN void write_window(scattered_window<E, Shape> const& to, tile<E, Shape> const& value) {
  if constexpr (Masked) store_masked(to.address, value, to.exists);
  else store(to.address, value);
}

/// Calls `visit(slot, address)` for every element that exists and that this thread owns.
template <class E, class Shape, class Visit>
T2C_FN void for_each_owned(scattered_window<E, Shape> const& where, Visit const& visit) {
  bool const owner = layout<Shape>::owner(backend::thread());
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s)
    if (owner && where.exists.own[s]) visit(s, where.address.own[s]);
}

namespace meta {

template <class T, size_t Extent>
concept index_tile = tile_like<T> && numeric_tile<T> && same_as<tile_shape_t<T>, shape<Extent>>;

/// At axis `Dim` a tile of element numbers, one per slice; a number at each other axis.
template <class Shape, size_t Dim, class... Idx, size_t... Axis>
T2C_BOTH constexpr bool slices_fit(index_list<Axis...>) {
  constexpr size_t extent = Shape::static_extent(Dim);
  return ((Axis == Dim ? index_tile<Idx, extent> && !scalar<Idx> : numeric_scalar<Idx>) && ...);
}

template <class Shape, size_t Dim>
struct slices_at {
  template <class... Idx>
  T2C_BOTH static constexpr bool fit() {
    if constexpr (sizeof...(Idx) != Shape::rank()) return false;
    else return slices_fit<Shape, Dim, Idx...>(make_index_list<Shape::rank()>{});
  }
  template <class... Idx>
  static constexpr bool accepts = fit<Idx...>();
};

/// The element numbers of the slices, repeated over a whole tile of `Shape`.
template <class Shape, size_t Dim>
T2C_BOTH constexpr axis_rules<Shape::rank()> slice_rules() {
  axis_rules<Shape::rank()> rules{};
  for (size_t axis = 0; axis < Shape::rank(); ++axis) {
    rules.modulus[axis] = axis == Dim ? static_cast<int>(Shape::static_extent(axis)) : 1;
    rules.stride[axis] = axis == Dim ? 1 : 0;
  }
  return rules;
}

/// A number stays; of a tile, only its place among the arguments matters here.
template <class T>
T2C_FN long long start_of(T const& index) {
  if constexpr (scalar<T>) return static_cast<long long>(index);
  else return 0;
}

}  // namespace meta

/// An array whose tiles take arbitrary slices along axis `Dim`, given by a tile of element numbers; along the other
/// axes a tile begins at an element number.
template <class Span, class Shape, size_t Dim>
class gather_scatter_view
    : public view_methods<gather_scatter_view<Span, Shape, Dim>, Span, Shape, meta::slices_at<Shape, Dim>>,
      public view_atomics<gather_scatter_view<Span, Shape, Dim>, Span, Shape, meta::slices_at<Shape, Dim>> {
  using element = typename Span::element_type;
  using axes = meta::make_index_list<Shape::rank()>;
  static constexpr int rank = int(Shape::rank());

 public:
  static_assert(tile_shape<Shape>, "gather_scatter_view: every extent of a tile is a power of two");
  static_assert(tensor_span_like<Span>, "gather_scatter_view: the first argument is a tensor_span");
  static_assert(Dim < Shape::rank(), "gather_scatter_view: the dimension is an axis of the shape");

  template <auto D>
  T2C_BOTH constexpr gather_scatter_view(Span const& span, Shape const&, integral_constant<D>) : span_(span) {}
  T2C_BOTH constexpr gather_scatter_view(Span const& span, Shape const&) : span_(span) {}
  T2C_BOTH constexpr Span const& span() const { return span_; }

  /// Where the tile with these slices lies.
  template <class... Idx>
  T2C_FN scattered_window<element, Shape> locate(Idx... index) const {
    long long const start[] = {meta::start_of(index)...};
    return locate(axes{}, start, pick<Dim>(index...));
  }

 private:
  template <size_t K, class First, class... Rest>
  T2C_FN static auto pick(First first, Rest... rest) {
    if constexpr (K == 0) return first;
    else return pick<K - 1>(rest...);
  }

  template <size_t... Axis, class Slices>
  T2C_FN scattered_window<element, Shape> locate(meta::index_list<Axis...>, long long const (&start)[rank],
                                                 Slices const& slices) const {
    long long const stride[] = {static_cast<long long>(span_.mapping().stride(Axis))...};
    long long const extent[] = {static_cast<long long>(span_.extent(Axis))...};
    constexpr auto rules = meta::slice_rules<Shape, Dim>();
    auto const slice = exchange<Shape>(slices, meta::axis_map<Shape, rules>{});
    auto const mine = backend::thread_coordinates<Shape>();
    scattered_window<element, Shape> result;
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      T2C_UNROLL
      for (int i = 0; i < layout<Shape>::vector; ++i) {
        long long distance = 0;
        bool exists = true;
        T2C_UNROLL
        for (int axis = 0; axis < rank; ++axis) {
          long long const along = mine.at[axis] + step.at[axis] + (axis == rank - 1 ? i : 0) + start[axis];
          long long const at = axis == int(Dim) ? meta::convert<long long>(slice.own[slot + i]) : along;
          distance += at * stride[axis];
          exists = exists && at >= 0 && at < extent[axis];
        }
        result.address.own[slot + i] = span_.data_handle() + distance;
        result.exists.own[slot + i] = exists;
      }
    });
    return result;
  }

  Span span_;
};
template <class Span, class Shape, auto Dim>
gather_scatter_view(Span const&, Shape const&, integral_constant<Dim>)
    -> gather_scatter_view<Span, Shape, static_cast<size_t>(Dim)>;

}  // namespace tile2cpp
