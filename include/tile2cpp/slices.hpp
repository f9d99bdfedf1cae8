// slices.hpp: tiles joined and cut: cat, extract, insert. Slices are counted, not measured: slice i of
// extent n starts at i * n.
#pragma once

#include "tile2cpp/reshape.hpp"

namespace tile2cpp {

/// Two tiles of one type can be joined along axis `D`.
template <class T, class U, size_t D>
concept concatenation_compatible =
    meta::is_tile<T> && same_as<meta::remove_cv_t<T>, meta::remove_cv_t<U>> && D < tile_rank_v<T> && 2 * tile_size_v<T> <= meta::largest_tile;

template <class T, class U, size_t D>
  requires concatenation_compatible<T, U, D>
using concatenation_t = tile<tile_element_t<T>, meta::with_extent_t<tile_shape_t<T>, D, 2 * tile_shape_t<T>::static_extent(D)>>;

namespace meta {

template <class Sub, class Shape> T2C_BOTH constexpr bool divides() {
  if (Sub::rank() != Shape::rank()) return false;
  for (size_t axis = 0; axis < Sub::rank(); ++axis)
    if (Sub::static_extent(axis) > Shape::static_extent(axis)) return false;
  return true;
}

/// Element of a slice that an element of the whole corresponds to, whichever slice it is in.
template <class Sub, class Whole> T2C_BOTH constexpr axis_rules<Whole::rank()> fold_rules() {
  axis_rules<Whole::rank()> rules{};
  for (size_t axis = 0; axis < Whole::rank(); ++axis) {
    rules.modulus[axis] = static_cast<int>(Sub::static_extent(axis));
    rules.stride[axis] = static_cast<int>(row_major_stride<Sub>(axis));
  }
  return rules;
}

/// Element of the whole's first slice that an element of a slice is.
template <class Sub, class Whole> T2C_BOTH constexpr axis_rules<Sub::rank()> slice_rules() {
  axis_rules<Sub::rank()> rules{};
  for (size_t axis = 0; axis < Sub::rank(); ++axis) {
    rules.modulus[axis] = static_cast<int>(Sub::static_extent(axis));
    rules.stride[axis] = static_cast<int>(row_major_stride<Whole>(axis));
  }
  return rules;
}
template <class Sub, class Whole> using slice_map = axis_map<Sub, slice_rules<Sub, Whole>()>;
template <class Sub, class Whole> using fold_map = axis_map<Whole, fold_rules<Sub, Whole>()>;

/// Slices start at sums of these bits of the whole's index.
template <class Sub, class Whole> T2C_BOTH constexpr int slice_bits() {
  return (product_of_extents<Whole>() - 1) & ~slice_map<Sub, Whole>{}(static_cast<int>(product_of_extents<Sub>()) - 1);
}

template <class Sub, class Whole, class... I> T2C_BOTH constexpr int slice_start(I... slice) {
  size_t const number[] = {static_cast<size_t>(slice)..., 0};
  int start = 0;
  T2C_UNROLL
  for (size_t axis = 0; axis < Whole::rank(); ++axis)
    start += static_cast<int>(number[axis] * Sub::static_extent(axis) * row_major_stride<Whole>(axis));
  return start;
}

/// `Map`, and the start of a slice; the two never have bits in common.
template <class Map> struct shifted_map {
  static constexpr bool linear = true;
  int start;
  T2C_BOTH constexpr int operator()(int target) const { return Map{}(target) | start; }
};

/// Element of two halves, laid one behind the other, that an element of the whole is.
template <class Half, class Whole> struct joined_map {
  static constexpr bool linear = true;
  T2C_BOTH constexpr int operator()(int target) const {
    bool const second = target & slice_bits<Half, Whole>();
    return fold_map<Half, Whole>{}(target) | (second ? static_cast<int>(product_of_extents<Half>()) : 0);
  }
};

/// Whether two halves meet in scratch memory at once: some thread needs what others hold, and there is room.
template <class E, class Half, class Whole> T2C_BOTH constexpr bool joins_in_scratch() {
  return backend::threads > 1 && product_of_extents<Whole>() * sizeof(E) <= backend::scratch_bytes &&
         !stays_in_thread<layout<Whole>, layout<Half>, fold_map<Half, Whole>>();
}

template <class Whole, class E, class Half> T2C_FN tile<E, Whole> join_in_scratch(tile<E, Half> const& a, tile<E, Half> const& b) {
  tile<E, Whole> whole;
  E* scratch = reinterpret_cast<E*>(backend::scratch());
  write_scratch<layout<Half>>(&a.own[0], scratch);
  write_scratch<layout<Half>, layout<Half>::size>(&b.own[0], scratch);
  backend::sync();
  read_scratch<layout<Whole>>(scratch, &whole.own[0], joined_map<Half, Whole>{});
  backend::sync();
  return whole;
}

/// A slice whose elements each thread already holds; `start` decides which of its slots, at run time.
template <class To, class From, class Map, int SliceBits, class E> T2C_FN void pick_slots(E const* from, E* to, int start) {
  constexpr int slice_slots = slot_at(From::bits, SliceBits);
  T2C_UNROLL
  for (int other = 0; other < From::slots; ++other) {
    if ((other & ~slice_slots) != 0) continue;
    if (From::offset(other) != start) continue;
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) to[s] = from[source_slot<To, From, Map>::at(s) | other];
  }
}

template <class S, class T>
concept slice_of = tile_shape<S> && is_tile<T> && divides<S, tile_shape_t<T>>();

template <class T, class... I>
concept slice_numbers = sizeof...(I) == tile_rank_v<T> && (is_convertible<I, size_t> && ...) && (!is_tile<I> && ...);

}  // namespace meta

/// `Shape` divides the shape of `T` in every axis.
template <class Shape, class T> concept extractable_from = meta::slice_of<Shape, T>;

/// `a` followed by `b` along axis `D`, whose extent doubles.
template <size_t D, class T, class U>
  requires concatenation_compatible<T, U, D>
T2C_FN concatenation_t<T, U, D> cat(T const& a, U const& b) {
  using Whole = tile_shape_t<concatenation_t<T, U, D>>;
  using Half = tile_shape_t<T>;
  if constexpr (meta::joins_in_scratch<tile_element_t<T>, Half, Whole>()) {
    return meta::join_in_scratch<Whole>(meta::settled(a), meta::settled(b));
  } else {
    using L = layout<Whole>;
    using map = meta::fold_map<Half, Whole>;
    constexpr int second = meta::slice_bits<Half, Whole>();
    auto first_half = exchange<Whole>(meta::settled(a), map{});
    auto const second_half = exchange<Whole>(meta::settled(b), map{});
    int const base = L::base(backend::thread());
    T2C_UNROLL
    for (int s = 0; s < L::slots; ++s)
      if ((base & second) | (L::offset(s) & second)) first_half.own[s] = second_half.own[s];
    return first_half;
  }
}
template <class T, class U, auto D>
  requires(D >= 0 && concatenation_compatible<T, U, static_cast<size_t>(D)>)
T2C_FN auto cat(T const& a, U const& b, integral_constant<D>) {
  return cat<static_cast<size_t>(D)>(a, b);
}

/// The slice of shape `S` with the given number along each axis.
template <tile_shape S, class T, class... I>
  requires(extractable_from<S, T> && meta::slice_numbers<T, I...>)
T2C_FN tile<tile_element_t<T>, S> extract(T const& x, S, I... slice) {
  using E = tile_element_t<T>;
  using Whole = tile_shape_t<T>;
  using To = layout<S>;
  using From = layout<Whole>;
  using map = meta::slice_map<S, Whole>;
  int const start = meta::slice_start<S, Whole>(slice...);
  auto const& whole = meta::settled(x);
  tile<E, S> result;
  constexpr int thread_weights = meta::weights_of(From::bits.thread, From::bits.thread_bits);
  if constexpr (backend::threads > 1 && meta::stays_in_thread<To, From, map>() &&
                (meta::slice_bits<S, Whole>() & thread_weights) == 0)
    meta::pick_slots<To, From, map, meta::slice_bits<S, Whole>()>(&whole.own[0], &result.own[0], start);
  else
    meta::move<To, From>(&whole.own[0], &result.own[0], meta::shifted_map<map>{start});
  return result;
}

/// `x` with one slice replaced by `sub`.
template <class Sub, class T, class... I>
  requires(meta::is_tile<Sub> && meta::is_tile<T> && extractable_from<tile_shape_t<Sub>, T> &&
           meta::slice_numbers<T, I...> && non_narrowing_scalar_convertible_to<tile_element_t<Sub>, tile_element_t<T>>)
[[nodiscard]] T2C_FN meta::remove_cv_t<T> insert(T const& x, Sub const& sub, I... slice) {
  using S = tile_shape_t<Sub>;
  using Whole = tile_shape_t<T>;
  using L = layout<Whole>;
  constexpr int slice_bits = meta::slice_bits<S, Whole>();
  int const start = meta::slice_start<S, Whole>(slice...);
  auto const everywhere = exchange<Whole>(meta::settled(sub), meta::fold_map<S, Whole>{});
  int const base = L::base(backend::thread());
  meta::remove_cv_t<T> result = meta::settled(x);
  T2C_UNROLL
  for (int s = 0; s < L::slots; ++s)
    if (((base & slice_bits) | (L::offset(s) & slice_bits)) == start)
      result.own[s] = meta::convert<tile_element_t<T>>(everywhere.own[s]);
  return result;
}

}  // namespace tile2cpp
