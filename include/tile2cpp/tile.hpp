// tile.hpp: tile<E, Shape>, and the concepts and traits over tiles and scalars.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/convert.hpp"
#include "tile2cpp/layout.hpp"

namespace tile2cpp {

template <class Element, class Shape>
  requires(scalar<Element> && tile_shape<Shape>)
class tile;

namespace meta {

/// A line of the author's file.
struct line_number {
  int number;
  T2C_BOTH constexpr explicit line_number(int n) : number(n) {}
};

template <class T> struct tile_traits {
  using element = T;
  using shape = tile2cpp::shape<>;
};
template <class E, class S> struct tile_traits<tile<E, S>> {
  using element = E;
  using shape = S;
};

template <class T> inline constexpr bool is_tile = false;
template <class E, class S> inline constexpr bool is_tile<tile<E, S>> = true;

/// `x` with its elements there to be read: those of a `running_tile` may still be on their way.
template <class T> T2C_FN decltype(auto) settled(T const& x) {
  if constexpr (requires { x.settled(); }) return x.settled();
  else return (x);
}

}  // namespace meta

/// A tile, or a scalar, which counts as a tile of shape `shape<>`.
template <class T> concept tile_like = scalar<T> || meta::is_tile<meta::remove_cv_t<T>>;

template <tile_like T> using tile_element_t = typename meta::tile_traits<meta::remove_cv_t<T>>::element;
template <tile_like T> using tile_shape_t = typename meta::tile_traits<meta::remove_cv_t<T>>::shape;
template <tile_like T> inline constexpr size_t tile_rank_v = tile_shape_t<T>::rank();
template <tile_like T> inline constexpr size_t tile_size_v = shape_size_v<tile_shape_t<T>>;

template <class T> concept integral_tile = tile_like<T> && integral_scalar<tile_element_t<T>>;
template <class T> concept basic_floating_point_tile = tile_like<T> && basic_floating_point_scalar<tile_element_t<T>>;
template <class T>
concept restricted_floating_point_tile = tile_like<T> && restricted_floating_point_scalar<tile_element_t<T>>;
template <class T> concept floating_point_tile = tile_like<T> && floating_point_scalar<tile_element_t<T>>;
template <class T> concept arithmetic_tile = tile_like<T> && arithmetic_scalar<tile_element_t<T>>;
template <class T> concept numeric_tile = tile_like<T> && numeric_scalar<tile_element_t<T>>;
template <class T> concept pointer_tile = tile_like<T> && pointer_scalar<tile_element_t<T>>;

template <class From, class To>
concept tile_convertible_to = tile_like<From> && tile_like<To> && same_shape<tile_shape_t<From>, tile_shape_t<To>> &&
                              scalar_convertible_to<tile_element_t<From>, tile_element_t<To>>;
template <class From, class To>
concept non_narrowing_tile_convertible_to =
    tile_convertible_to<From, To> && non_narrowing_scalar_convertible_to<tile_element_t<From>, tile_element_t<To>>;

/// A block-local value whose elements are spread over the threads of the block.
template <class Element, class Shape>
  requires(scalar<Element> && tile_shape<Shape>)
class tile {
  static_assert(!meta::is_const<Element> && !meta::is_volatile<Element>, "tile: the element is not cv-qualified");
  static_assert(!meta::is_const<Shape> && !meta::is_volatile<Shape>, "tile: the shape is not cv-qualified");

 public:
  using element_type = Element;
  using shape_type = Shape;
  using rank_type = size_t;
  using index_type = uint32_t;

  tile() = default;

  template <tile_like Other>
    requires(tile_convertible_to<Other, tile> && !same_as<Other, tile>)
  T2C_FN explicit(!non_narrowing_tile_convertible_to<Other, tile>) tile(Other const& other) {
    if constexpr (scalar<Other>) {
      own[0] = meta::convert<Element>(other);
    } else {
      auto const& from = meta::settled(other);
      T2C_UNROLL
      for (int s = 0; s < slots; ++s) own[s] = meta::convert<Element>(from.own[s]);
    }
  }

  // The values are constants; a host compiler, whose one thread holds them all, insists on it.
  template <class S, size_t N>
    requires(same_as<Shape, shape<N>> && scalar_convertible_to<S, Element> && !pointer_scalar<Element>)
  T2C_CONSTEVAL explicit(!non_narrowing_scalar_convertible_to<S, Element>) tile(S const (&values)[N]) {
    take(values);
  }
  template <class S, size_t N0, size_t N1>
    requires(same_as<Shape, shape<N0, N1>> && scalar_convertible_to<S, Element> && !pointer_scalar<Element>)
  T2C_CONSTEVAL explicit(!non_narrowing_scalar_convertible_to<S, Element>) tile(S const (&values)[N0][N1]) {
    take(values);
  }
  template <class S, size_t N0, size_t N1, size_t N2>
    requires(same_as<Shape, shape<N0, N1, N2>> && scalar_convertible_to<S, Element> && !pointer_scalar<Element>)
  T2C_CONSTEVAL explicit(!non_narrowing_scalar_convertible_to<S, Element>) tile(S const (&values)[N0][N1][N2]) {
    take(values);
  }
  template <class S, size_t N0, size_t N1, size_t N2, size_t N3>
    requires(same_as<Shape, shape<N0, N1, N2, N3>> && scalar_convertible_to<S, Element> && !pointer_scalar<Element>)
  T2C_CONSTEVAL explicit(!non_narrowing_scalar_convertible_to<S, Element>) tile(S const (&values)[N0][N1][N2][N3]) {
    take(values);
  }
  template <class S, size_t N0, size_t N1, size_t N2, size_t N3, size_t N4>
    requires(same_as<Shape, shape<N0, N1, N2, N3, N4>> && scalar_convertible_to<S, Element> && !pointer_scalar<Element>)
  T2C_CONSTEVAL explicit(!non_narrowing_scalar_convertible_to<S, Element>) tile(S const (&values)[N0][N1][N2][N3][N4]) {
    take(values);
  }

  /// The only element, which every thread holds; not for const tiles, as in the toolkit.
  template <scalar S>
    requires(shape_size_v<Shape> == 1 && scalar_convertible_to<Element, S>)
  T2C_FN explicit operator S() {
    return meta::convert<S>(own[0]);
  }

 private:
  static constexpr int slots = layout<Shape>::slots;

#ifdef T2C_ONE_THREAD
  template <class S, size_t N> constexpr void take(S const (&values)[N]) {
    int slot = 0;
    take_from(values, slot);
  }
  template <class S> constexpr void take_from(S const& value, int& slot) { own[slot++] = meta::convert<Element>(value); }
  template <class S, size_t N> constexpr void take_from(S const (&values)[N], int& slot) {
    for (S const& value : values) take_from(value, slot);
  }
#else
  template <class S, size_t N> T2C_FN void take(S const (&values)[N]) {
    auto const* const first = first_of(values);
    int const base = layout<Shape>::base(backend::thread());
    T2C_UNROLL
    for (int s = 0; s < slots; ++s) own[s] = meta::convert<Element>(first[base + layout<Shape>::offset(s)]);
  }
  template <class S> T2C_FN static S const* first_of(S const& value) { return &value; }
  template <class S, size_t N> T2C_FN static auto first_of(S const (&values)[N]) { return first_of(values[0]); }
#endif

 public:
  Element own[slots];  // the calling thread's share; not part of the interface for kernels
};

template <scalar S> tile(S) -> tile<S, shape<>>;
template <class S, size_t N> tile(S const (&)[N]) -> tile<S, shape<N>>;
template <class S, size_t N0, size_t N1> tile(S const (&)[N0][N1]) -> tile<S, shape<N0, N1>>;
template <class S, size_t N0, size_t N1, size_t N2> tile(S const (&)[N0][N1][N2]) -> tile<S, shape<N0, N1, N2>>;
template <class S, size_t N0, size_t N1, size_t N2, size_t N3>
tile(S const (&)[N0][N1][N2][N3]) -> tile<S, shape<N0, N1, N2, N3>>;
template <class S, size_t N0, size_t N1, size_t N2, size_t N3, size_t N4>
tile(S const (&)[N0][N1][N2][N3][N4]) -> tile<S, shape<N0, N1, N2, N3, N4>>;

}  // namespace tile2cpp
