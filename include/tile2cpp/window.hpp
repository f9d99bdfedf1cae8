// window.hpp: moves tiles between registers and a strided window on an array.
//
// All views come down to this: an address, a stride and a count of valid elements for each axis. What
// is the same for the whole tile (alignment, whether an edge cuts it) is tested once per tile.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/program_order.hpp"
#include "tile2cpp/tile.hpp"

namespace tile2cpp {

/// Where a tile lies in an array. Element (i, j) is at `origin + i * stride[0] + j * stride[1]`, and exists
/// if `i < valid[0]` and `j < valid[1]`. A tile wholly outside has a `valid` of zero and a meaningless origin.
template <class E, class Shape>
struct window {
  static constexpr int rank = int(Shape::rank());
  static constexpr int last = rank == 0 ? 0 : rank - 1;
  static constexpr int vector = layout<Shape>::vector;
  using place = coordinates<rank>;

  E* origin;
  long long stride[last + 1];
  int valid[last + 1];

  T2C_FN long long distance(place const& c) const {
    long long sum = 0;
    T2C_UNROLL
    for (int axis = 0; axis <= last; ++axis) sum += c.at[axis] * stride[axis];
    return sum;
  }

  /// Whether every element of the tile exists.
  T2C_FN bool whole() const {
    bool all = true;
    T2C_UNROLL
    for (int axis = 0; axis < rank; ++axis) all = all && valid[axis] == int(Shape::static_extent(axis));
    return all;
  }

  /// Whether every run of the tile is adjacent in memory and begins where a vector access may begin.
  T2C_FN bool runs_are_vectors() const {
    if (vector == 1 || stride[last] != 1) return false;
    constexpr int alignment = backend::run_alignment<vector, E>;
    auto bits = reinterpret_cast<unsigned long long>(origin);
    T2C_UNROLL
    for (int axis = 0; axis < last; ++axis)
      if (Shape::static_extent(axis) > 1) bits |= static_cast<unsigned long long>(stride[axis]) * sizeof(E);
    return bits % alignment == 0;
  }

  /// How many more elements exist along each axis, seen from `c`.
  T2C_FN place room(place const& c) const {
    place left;
    T2C_UNROLL
    for (int axis = 0; axis <= last; ++axis) left.at[axis] = valid[axis] - c.at[axis];
    return left;
  }
};

namespace meta {

/// Whether a run exists at all: all axes but the last, along which it runs.
template <int Rank>
T2C_FN bool run_has_room(coordinates<Rank> const& step, coordinates<Rank> const& room) {
  bool inside = true;
  T2C_UNROLL
  for (int axis = 0; axis < Rank - 1; ++axis) inside = inside && step.at[axis] < room.at[axis];
  return inside;
}

}  // namespace meta

/// Reads a whole tile; what lies outside becomes `padding`. `Masked` false promises that nothing does.
template <bool Masked, class E, class Shape>
T2C_FN auto read_window(window<E, Shape> const& from, meta::remove_cv_t<E> padding) {
  using view = window<E, Shape>;
  constexpr int vector = view::vector, last = view::last;
  tile<meta::remove_cv_t<E>, Shape> result;
  auto const mine = backend::thread_coordinates<Shape>();
  auto const room = from.room(mine);
  E* const start = from.origin + from.distance(mine);
  bool const vectors = from.runs_are_vectors();
  if (vectors && (!Masked || from.whole())) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      backend::read_run<vector>(&result.own[slot], start + from.distance(step));
    });
    return result;
  }
  backend::for_each_run<Shape>([&](int slot, auto const& step) {
    E* const run = start + from.distance(step);
    bool const inside = !Masked || meta::run_has_room(step, room);
    int const left = Masked ? room.at[last] - step.at[last] : vector;
    if (Masked && vectors && inside && left >= vector) {
      backend::read_run<vector>(&result.own[slot], run);
    } else {
      T2C_UNROLL
      for (int i = 0; i < vector; ++i)
        result.own[slot + i] = inside && i < left ? backend::read(run + i * from.stride[last]) : padding;
    }
  });
  return result;
}

namespace meta {

template <bool Masked, class E, class Shape>
T2C_FN void write_own(window<E, Shape> const& to, tile<E, Shape> const& value) {
  constexpr int vector = layout<Shape>::vector, last = window<E, Shape>::last;
  auto const mine = backend::thread_coordinates<Shape>();
  auto const room = to.room(mine);
  E* const start = to.origin + to.distance(mine);
  bool const vectors = to.runs_are_vectors();
  if (vectors && (!Masked || to.whole())) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      backend::write_run<vector>(start + to.distance(step), &value.own[slot]);
    });
    return;
  }
  backend::for_each_run<Shape>([&](int slot, auto const& step) {
    E* const run = start + to.distance(step);
    bool const inside = !Masked || run_has_room(step, room);
    int const left = Masked ? room.at[last] - step.at[last] : vector;
    if (Masked && vectors && inside && left >= vector) {
      backend::write_run<vector>(run, &value.own[slot]);
    } else {
      T2C_UNROLL
      for (int i = 0; i < vector; ++i)
        if (inside && i < left) backend::write(run + i * to.stride[last], value.own[slot + i]);
    }
  });
}

}  // namespace meta

/// Writes a whole tile; `Masked` drops what lies outside. Each element is written by its owner alone.
template <bool Masked, class E, class Shape>
T2C_FN void write_window(window<E, Shape> const& to, tile<E, Shape> const& value) {
  program_order<> order;
  if (layout<Shape>::owner(backend::thread())) meta::write_own<Masked>(to, value);
}

/// Calls `visit(slot, address)` for every element that exists and that this thread owns.
template <class E, class Shape, class Visit>
T2C_FN void for_each_owned(window<E, Shape> const& where, Visit const& visit) {
  constexpr int vector = layout<Shape>::vector, last = window<E, Shape>::last;
  if (!layout<Shape>::owner(backend::thread())) return;
  auto const mine = backend::thread_coordinates<Shape>();
  auto const room = where.room(mine);
  E* const start = where.origin + where.distance(mine);
  backend::for_each_run<Shape>([&](int slot, auto const& step) {
    if (!meta::run_has_room(step, room)) return;
    T2C_UNROLL
    for (int i = 0; i < vector; ++i)
      if (step.at[last] + i < room.at[last])
        visit(slot + i, start + where.distance(step) + i * where.stride[last]);
  });
}

}  // namespace tile2cpp
