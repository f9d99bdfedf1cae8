// shape.hpp: shapes of tiles, how they broadcast, and permutations of axes.
#pragma once

#include "tile2cpp/extents.hpp"

namespace tile2cpp {

/// Extents that are all known when the kernel is compiled; `shape{8_ic, 16_ic}` deduces them.
template <size_t... N> using shape = extents<uint32_t, N...>;

template <class T> concept shape_like = extents_like<T> && T::rank_dynamic() == 0;

namespace meta {

template <class S> T2C_BOTH constexpr size_t product_of_extents() {
  size_t product = 1;
  for (size_t i = 0; i < S::rank(); ++i) product *= S::static_extent(i);
  return product;
}

inline constexpr size_t largest_tile = size_t{1} << 24;

template <class S> inline constexpr bool is_tile_shape = false;
template <size_t... N>
inline constexpr bool is_tile_shape<extents<uint32_t, N...>> =
    (is_power_of_two(N) && ... && true) && ((N <= largest_tile) && ... && true) &&
    product_of_extents<shape<N...>>() <= largest_tile;

}  // namespace meta

/// Product of the static extents; 1 for rank 0.
template <class S> inline constexpr size_t shape_size_v = meta::product_of_extents<S>();

/// What a tile may have as shape: powers of two, at most 2^24 elements.
template <class T> concept tile_shape = meta::is_tile_shape<meta::remove_cv_t<T>>;

template <class A, class B>
concept same_shape = shape_like<A> && shape_like<B> && extents_equal(meta::remove_cv_t<A>{}, meta::remove_cv_t<B>{});

namespace meta {

/// Extent of `axis` counted from the last one; 1 where the shape has no such axis.
template <class S> T2C_BOTH constexpr size_t extent_from_end(size_t axis) {
  return axis < S::rank() ? S::static_extent(S::rank() - 1 - axis) : 1;
}

/// Whether only the last two axes may be more than one element long.
template <class S> T2C_BOTH constexpr bool is_matrix() {
  return S::rank() >= 2 && product_of_extents<S>() == extent_from_end<S>(0) * extent_from_end<S>(1);
}

/// Axis `which` (0 rows, 1 columns) of the matrix that a tile may be: columns follow the last one; rows the longest of all others,
/// or the one before the last.
template <class S> T2C_BOTH constexpr int matrix_axis(int which) {
  int row = int(S::rank()) - 2;
  for (int axis = row; axis >= 0; --axis)
    if (S::static_extent(size_t(axis)) > S::static_extent(size_t(row))) row = axis;
  return which == 0 ? row : int(S::rank()) - 1;
}

/// Rows of the matrix that a tile may be; 0 of one with fewer than two axes.
template <class S> T2C_BOTH constexpr size_t matrix_rows() {
  if constexpr (S::rank() < 2) return 0;
  else return S::static_extent(size_t(matrix_axis<S>(0)));
}

/// Whether rows and columns are all axes of more than one element, wherever the rows lie.
template <class S> T2C_BOTH constexpr bool holds_matrix() {
  return S::rank() >= 2 && product_of_extents<S>() == matrix_rows<S>() * extent_from_end<S>(0);
}

template <class A, class B> T2C_BOTH constexpr bool broadcast_together() {
  for (size_t k = 0; k < A::rank() || k < B::rank(); ++k) {
    size_t a = extent_from_end<A>(k), b = extent_from_end<B>(k);
    if (a != b && a != 1 && b != 1) return false;
  }
  return true;
}

template <class From, class To> T2C_BOTH constexpr bool broadcasts_to() {
  if (From::rank() > To::rank()) return false;
  for (size_t k = 0; k < From::rank(); ++k) {
    size_t from = extent_from_end<From>(k);
    if (from != 1 && from != extent_from_end<To>(k)) return false;
  }
  return true;
}

template <class A, class B> T2C_BOTH constexpr size_t common_extent(size_t axis_from_end) {
  size_t a = extent_from_end<A>(axis_from_end), b = extent_from_end<B>(axis_from_end);
  return a == 1 ? b : a;
}

template <class A, class B, class Axes = make_index_list<(A::rank() > B::rank() ? A::rank() : B::rank())>>
struct broadcast_shape;
template <class A, class B, size_t... Axis> struct broadcast_shape<A, B, index_list<Axis...>> {
  using type = shape<common_extent<A, B>(sizeof...(Axis) - 1 - Axis)...>;
};
template <class S, size_t... Axis> struct broadcast_shape<S, S, index_list<Axis...>> { using type = S; };

}  // namespace meta

template <class A, class B>
concept shape_broadcast_compatible = shape_like<A> && shape_like<B> && meta::broadcast_together<A, B>();
template <class From, class To>
concept shape_broadcastable_to = shape_like<From> && shape_like<To> && meta::broadcasts_to<From, To>();

/// The shape that both broadcast to.
template <class A, class B>
  requires shape_broadcast_compatible<A, B>
using shape_broadcast_t = typename meta::broadcast_shape<A, B>::type;

namespace meta {

template <class S, size_t Axis, size_t N, class Axes = make_index_list<S::rank()>> struct with_extent;
template <class S, size_t Axis, size_t N, size_t... I> struct with_extent<S, Axis, N, index_list<I...>> {
  using type = shape<(I == Axis ? N : S::static_extent(I))...>;
};
/// `S` with the extent of one axis replaced.
template <class S, size_t Axis, size_t N> using with_extent_t = typename with_extent<S, Axis, N>::type;

/// How far apart neighbours along `axis` are in the row-major order of `S`.
template <class S> T2C_BOTH constexpr size_t row_major_stride(size_t axis) {
  size_t stride = 1;
  for (size_t i = axis + 1; i < S::rank(); ++i) stride *= S::static_extent(i);
  return stride;
}

template <size_t... I> T2C_BOTH constexpr bool is_permutation() {
  constexpr size_t map[] = {I..., 0};
  for (size_t wanted = 0; wanted < sizeof...(I); ++wanted) {
    int found = 0;
    for (size_t k = 0; k < sizeof...(I); ++k) found += map[k] == wanted;
    if (found != 1) return false;
  }
  return true;
}

}  // namespace meta

/// A permutation of axes: axis k of the result is axis `mapping(k)` of the source.
template <size_t... I>
  requires(meta::is_permutation<I...>())
class dimension_map {
 public:
  constexpr dimension_map() = default;
  template <class... T>
    requires(sizeof...(T) > 0)
  T2C_BOTH explicit constexpr dimension_map(T...) {}
  T2C_BOTH static constexpr size_t rank() noexcept { return sizeof...(I); }
  T2C_BOTH static constexpr size_t mapping(size_t n) noexcept {
    constexpr size_t map[] = {I..., 0};
    return map[n];
  }
};
template <class... T>
  requires((meta::static_value<T> != static_cast<size_t>(-1)) && ...)
dimension_map(T...) -> dimension_map<meta::static_value<T>...>;

namespace meta {
template <class T> inline constexpr bool is_dimension_map = false;
template <size_t... I> inline constexpr bool is_dimension_map<dimension_map<I...>> = true;
}  // namespace meta

}  // namespace tile2cpp
