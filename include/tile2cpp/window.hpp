// window.hpp: moves tiles between registers and a strided window on an array.
//
// All views come down to this: an address, a stride and a count of valid elements for each axis. What
// is the same for the whole tile (alignment, whether an edge cuts it) is tested once per tile.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/program_order.hpp"
#include "tile2cpp/row_store.hpp"
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
  bool cuts_runs;  // whether an edge may go through the middle of a run
  int left[last + 1];  // like `valid`, and counted on past the end of the tile
  unsigned bits;  // low ones, or'd: of the array's address, and of each distance from there in bytes

  T2C_FN static unsigned low_bits(E const* place) { return static_cast<unsigned>(reinterpret_cast<unsigned long long>(place)); }

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
    unsigned all = bits;
    T2C_UNROLL
    for (int axis = 0; axis < last; ++axis)
      if (Shape::static_extent(axis) > 1) all |= static_cast<unsigned>(stride[axis]) * sizeof(E);
    return all % alignment == 0;
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

/// How the runs of a tile move: each as a vector, each as a vector or not at all, or element by element.
enum class movement { vectors, guarded_vectors, elements };

/// The choice for a whole tile, so it is the same in every thread. Where tiles may reach over an edge, whole ones have a way
/// of their own only if runs are short, as for products: else a guard costs less than code and registers for both.
template <bool Masked, class E, class Shape>
T2C_FN movement movement_of(window<E, Shape> const& w) {
  constexpr bool apart = !Masked || this_schedule.product;
  if (!w.runs_are_vectors()) return movement::elements;
  if (apart && (!Masked || w.whole())) return movement::vectors;
  return w.cuts_runs && !w.whole() ? movement::elements : movement::guarded_vectors;
}

/// Reads a whole tile; what lies outside becomes `padding`. `Masked` false promises that nothing does.
template <bool Masked, class E, class Shape>
T2C_FN auto read_window(window<E, Shape> const& from, meta::remove_cv_t<E> padding) {
  constexpr int vector = window<E, Shape>::vector, last = window<E, Shape>::last;
  tile<meta::remove_cv_t<E>, Shape> result;
  auto const mine = backend::thread_coordinates<Shape>();
  auto const room = from.room(mine);
  E* const start = from.origin + from.distance(mine);
  auto const how = movement_of<Masked>(from);
  if (how == movement::vectors) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      backend::read_run<vector>(&result.own[slot], start + from.distance(step));
    });
    return result;
  }
  if constexpr (Masked) {
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = padding;
  }
  if (Masked && how == movement::guarded_vectors) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      bool const inside = meta::run_has_room(step, room) && step.at[last] < room.at[last];
      backend::read_run_if<vector>(inside, &result.own[slot], start + from.distance(step));
    });
    return result;
  }
  backend::for_each_run<Shape>([&](int slot, auto const& step) {
    bool const inside = !Masked || meta::run_has_room(step, room);
    T2C_UNROLL
    for (int i = 0; i < vector; ++i) {
      E* const place = start + from.distance(step) + i * from.stride[last];
      if constexpr (Masked) backend::read_run_if<1>(inside && step.at[last] + i < room.at[last], &result.own[slot + i], place);
      else result.own[slot + i] = backend::read(place);
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
  auto const how = movement_of<Masked>(to);
  if (how == movement::vectors) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      backend::write_run<vector>(start + to.distance(step), &value.own[slot]);
    });
  } else if (Masked && how == movement::guarded_vectors) {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      bool const inside = run_has_room(step, room) && step.at[last] < room.at[last];
      backend::write_run_if<vector>(inside, start + to.distance(step), &value.own[slot]);
    });
  } else {
    backend::for_each_run<Shape>([&](int slot, auto const& step) {
      bool const inside = !Masked || run_has_room(step, room);
      T2C_UNROLL
      for (int i = 0; i < vector; ++i) {
        E* const place = start + to.distance(step) + i * to.stride[last];
        if constexpr (Masked) backend::write_run_if<1>(inside && step.at[last] + i < room.at[last], place, &value.own[slot + i]);
        else backend::write(place, value.own[slot + i]);
      }
    });
  }
}

}  // namespace meta

namespace meta {

/// Writes a tile as pieces of rows, if these lie where 16 bytes may be written at once and no edge cuts them.
template <bool Masked, class E, class Shape>
T2C_FN bool wrote_rows(window<E, Shape> const& to, tile<E, Shape> const& value) {
  constexpr int last = window<E, Shape>::last, columns = static_cast<int>(Shape::static_extent(last));
  auto bits = reinterpret_cast<unsigned long long>(to.origin);
  T2C_UNROLL
  for (int axis = 0; axis < last; ++axis) bits |= static_cast<unsigned long long>(to.stride[axis]) * sizeof(E);
  bool const whole = !Masked || to.whole();
  if (to.stride[last] != 1 || bits % 16 != 0 || (!whole && to.valid[last] % 8 != 0 && to.valid[last] < columns)) return false;
#ifdef T2C_WARPGROUPS
  if constexpr (stages_rows<E, Shape>()) {
    bool exists = true;
    T2C_UNROLL
    for (int axis = 0; axis < last - 1; ++axis) exists = exists && to.valid[axis] > 0;
    for_each_staged_piece(value, [&](int row, int column, uint4 const& piece) {
      bool const inside = whole | (exists & (row < to.valid[last - 1]) & (column < to.valid[last]));
      write_piece_if(inside, to.origin + row * to.stride[last - 1] + column, piece);
    });
    return true;
  }
#endif
  auto const mine = coordinates_of<Shape>(first_of_piece<Shape>());
  auto const room = to.room(mine);
  E* const start = to.origin + to.distance(mine);
  for_each_row_piece(value, [&](int slot, E const* row) {
    auto const step = backend::step_of_slot<Shape>(slot);
    if (whole) backend::write_run<8>(start + to.distance(step), row);
    else backend::write_run_if<8>(run_has_room(step, room) && step.at[last] < room.at[last], start + to.distance(step), row);
  });
  return true;
}

}  // namespace meta

/// Writes a whole tile; `Masked` drops what lies outside. Each element is written by its owner alone.
template <bool Masked, class E, class Shape>
T2C_FN void write_window(window<E, Shape> const& to, tile<E, Shape> const& value) {
  program_order<> order;
  if constexpr (meta::stores_rows<E, Shape>())
    if (meta::wrote_rows<Masked>(to, value)) return;
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
