// replicas.hpp: gives the threads that hold copies of an element the value its owner found.
#pragma once

#include "tile2cpp/tile.hpp"

namespace tile2cpp::meta {

/// Whether some element of such a tile is held by more than one thread.
template <class Shape>
inline constexpr bool has_replicas = layout<Shape>::size < layout<Shape>::slots * backend::threads;

/// Replaces every copy by the owner's value; done through scratch memory, in slabs that fit there.
template <class E, class Shape>
T2C_FN void share_from_owners(tile<E, Shape>& value) {
  if constexpr (has_replicas<Shape>) {
    using map = layout<Shape>;
    constexpr int room = backend::scratch_bytes / int(sizeof(E));
    E* const shared = reinterpret_cast<E*>(backend::scratch());
    int const base = map::base(backend::thread());
    bool const owner = map::owner(backend::thread());
    for (int from = 0; from < map::size; from += room) {
      T2C_UNROLL
      for (int s = 0; s < map::slots; ++s) {
        int const at = base + map::offset(s) - from;
        if (owner && at >= 0 && at < room) shared[at] = value.own[s];
      }
      backend::sync();
      T2C_UNROLL
      for (int s = 0; s < map::slots; ++s) {
        int const at = base + map::offset(s) - from;
        if (at >= 0 && at < room) value.own[s] = shared[at];
      }
      backend::sync();
    }
  }
}

}  // namespace tile2cpp::meta
