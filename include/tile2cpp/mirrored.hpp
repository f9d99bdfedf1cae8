// mirrored.hpp: windows on column-major arrays, moved as row-major ones with the axes in reverse.
//
// Neighbouring threads hold neighbours of the last axis, which lie far apart in a column-major array. So the tile
// moves with its axes reversed, in whole runs, and is turned round between the threads.
#pragma once

#include "tile2cpp/exchange.hpp"
#include "tile2cpp/layout_mapping.hpp"
#include "tile2cpp/window.hpp"

namespace tile2cpp {

/// A window whose first axis is the one that is adjacent in memory, and the one of its runs.
template <class E, class Shape>
struct mirrored_window {
  window<E, Shape> straight;
};

namespace meta {

template <class Shape, class Axes = make_index_list<Shape::rank()>> struct reversed;
template <class Shape, size_t... Axis> struct reversed<Shape, index_list<Axis...>> {
  using type = shape<Shape::static_extent(sizeof...(Axis) - 1 - Axis)...>;
};
template <class Shape> using reversed_t = typename reversed<Shape>::type;

/// Which element of the reversed tile an element of a tile of `Shape` is.
template <class Shape> T2C_BOTH constexpr axis_rules<Shape::rank()> reversing_rules() {
  axis_rules<Shape::rank()> rules{};
  for (size_t axis = 0; axis < Shape::rank(); ++axis) {
    rules.modulus[axis] = static_cast<int>(Shape::static_extent(axis));
    rules.stride[axis] = static_cast<int>(row_major_stride<reversed_t<Shape>>(Shape::rank() - 1 - axis));
  }
  return rules;
}
template <class Shape> using reversing_map = axis_map<Shape, reversing_rules<Shape>()>;

/// The same elements with the axes in reverse.
template <class E, class Shape>
T2C_FN window<E, reversed_t<Shape>> reverse(window<E, Shape> const& w) {
  window<E, reversed_t<Shape>> result{};
  result.origin = w.origin;
  result.bits = w.bits;
  T2C_UNROLL
  for (int axis = 0; axis <= w.last; ++axis) {
    result.stride[axis] = w.stride[w.last - axis];
    result.valid[axis] = w.valid[w.last - axis];
  }
  result.cuts_runs = w.cuts_runs;
  return result;
}

/// Whether tiles of `Shape` move better mirrored: the first axis is adjacent in memory, the last is not, and both
/// are more than one element long. One thread alone does not care.
template <class Shape, class Mapping>
T2C_BOTH constexpr bool is_mirrored() {
  if constexpr (backend::threads == 1 || Shape::rank() < 2) {
    return false;
  } else {
    constexpr size_t last = Shape::rank() - 1;
    return layout_mapping_static_stride<Mapping>{}(0) == 1 && layout_mapping_static_stride<Mapping>{}(last) != 1 &&
           Shape::static_extent(0) > 1 && Shape::static_extent(last) > 1;
  }
}

}  // namespace meta

template <bool Masked, class E, class Shape>
T2C_FN auto read_window(mirrored_window<E, Shape> const& from, meta::remove_cv_t<E> padding) {
  return exchange<Shape>(read_window<Masked>(meta::reverse(from.straight), padding), meta::reversing_map<Shape>{});
}

namespace meta {

/// Whether a thread has registers for a tile before and after it is turned round. Where it has not, results of products can do without:
/// eight lanes hold neighbours of a column.
template <class E, class Shape> T2C_BOTH constexpr bool turns_in_registers() {
  constexpr int most = 65536 / backend::threads < 255 ? 65536 / backend::threads : 255, beside = 32;
  return !this_schedule.product || 2 * layout<Shape>::slots * int(sizeof(E)) / 4 + beside <= most;
}

}  // namespace meta

template <bool Masked, class E, class Shape>
T2C_FN void write_window(mirrored_window<E, Shape> const& to, tile<E, Shape> const& value) {
  if constexpr (meta::turns_in_registers<E, Shape>()) {
    using turned = meta::reversed_t<Shape>;
    write_window<Masked>(meta::reverse(to.straight), exchange<turned>(value, meta::reversing_map<turned>{}));
  } else {
    write_window<Masked>(to.straight, value);
  }
}

template <class E, class Shape, class Visit>
T2C_FN void for_each_owned(mirrored_window<E, Shape> const& where, Visit const& visit) {
  for_each_owned(where.straight, visit);
}

}  // namespace tile2cpp
