// runs.hpp: a thread's own elements of a tile, run by run: a run is `layout::vector` neighbours on the last axis.
//
// Where a run lies is the sum of a part that only the thread decides and a part that only the slot
// decides. The second comes from a table that is a constant, so unrolled code holds immediates.
#pragma once

#include "tile2cpp/backend/simt/primitives.hpp"
#include "tile2cpp/config.hpp"
#include "tile2cpp/coordinates.hpp"
#include "tile2cpp/layout.hpp"

namespace tile2cpp::backend {

template <class Shape>
struct run_table {
  static constexpr int runs = layout<Shape>::slots / layout<Shape>::vector;
  coordinates<int(Shape::rank())> step[runs];

  T2C_BOTH static constexpr run_table make() {
    run_table table{};
    for (int run = 0; run < runs; ++run)
      table.step[run] = coordinates_of<Shape>(layout<Shape>::offset(run * layout<Shape>::vector));
    return table;
  }
};

/// The part of every coordinate that the thread decides.
template <class Shape>
T2C_FN coordinates<int(Shape::rank())> thread_coordinates() {
  return coordinates_of<Shape>(layout<Shape>::base(thread()));
}

/// The part of every coordinate that a slot, the first of a run, decides.
template <class Shape>
T2C_FN coordinates<int(Shape::rank())> step_of_slot(int slot) {
  constexpr run_table<Shape> table = run_table<Shape>::make();
  return table.step[slot / layout<Shape>::vector];
}

/// Calls `visit(slot, step)` for each run of this thread: its first slot, and the slot's part of its coordinates.
template <class Shape, class Visit>
T2C_FN void for_each_run(Visit const& visit) {
  constexpr run_table<Shape> table = run_table<Shape>::make();
T2C_UNROLL
  for (int run = 0; run < run_table<Shape>::runs; ++run) visit(run * layout<Shape>::vector, table.step[run]);
}

}  // namespace tile2cpp::backend
