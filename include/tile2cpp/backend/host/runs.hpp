// backend/host/runs.hpp: a thread's own elements of a tile, run by run, in plain loops.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/coordinates.hpp"

namespace tile2cpp::backend {

/// The part of every coordinate that the thread decides; all zero when one thread is the block.
template <class Shape>
T2C_FN coordinates<int(Shape::rank())> thread_coordinates() {
  return coordinates_of<Shape>(layout<Shape>::base(thread()));
}

/// The part of every coordinate that a slot, the first of a run, decides.
template <class Shape>
T2C_FN coordinates<int(Shape::rank())> step_of_slot(int slot) {
  return coordinates_of<Shape>(layout<Shape>::offset(slot));
}

/// Calls `visit(slot, step)` for each run of this thread: its first slot, and the slot's part of its coordinates.
template <class Shape, class Visit>
T2C_FN void for_each_run(Visit const& visit) {
  for (int slot = 0; slot < layout<Shape>::slots; slot += layout<Shape>::vector)
    visit(slot, coordinates_of<Shape>(layout<Shape>::offset(slot)));
}

}  // namespace tile2cpp::backend
