// exchange.hpp: moves elements between layouts: every element of the result names the element it takes.
//
// Where each thread already holds what it needs, a move renames registers. Otherwise the elements pass
// through the block's scratch memory, in slabs, at positions that keep the memory banks apart.
#pragma once

#include "tile2cpp/tile.hpp"

namespace tile2cpp {
namespace meta {

/// What one axis of the target contributes to the index of the source element: (i % modulus) * stride.
template <size_t Rank> struct axis_rules {
  int modulus[Rank + 1] = {};
  int stride[Rank + 1] = {};
};

/// Source index as a sum over the target's axes; distinct bits of the target give distinct bits or nothing.
template <class ToShape, axis_rules<ToShape::rank()> Rules> struct axis_map {
  static constexpr bool linear = true;
  T2C_BOTH constexpr int operator()(int target) const {
    int source = 0;
    T2C_UNROLL
    for (size_t axis = 0; axis < ToShape::rank(); ++axis)
      source += target / static_cast<int>(row_major_stride<ToShape>(axis)) % Rules.modulus[axis] * Rules.stride[axis];
    return source;
  }
};

struct same_index {
  static constexpr bool linear = true;
  T2C_BOTH constexpr int operator()(int target) const { return target; }
};

template <class From, class To, size_t Rank> T2C_BOTH constexpr axis_rules<Rank> broadcast_rules() {
  axis_rules<Rank> rules{};
  for (size_t axis = 0; axis < To::rank(); ++axis) {
    size_t const skipped = To::rank() - From::rank();
    bool const repeats = axis < skipped || From::static_extent(axis - skipped) == 1;
    rules.modulus[axis] = repeats ? 1 : static_cast<int>(To::static_extent(axis));
    rules.stride[axis] = repeats ? 0 : static_cast<int>(row_major_stride<From>(axis - skipped));
  }
  return rules;
}

/// Which element of a tile of shape `From` an element of `To` repeats.
template <class From, class To> using broadcast_map = axis_map<To, broadcast_rules<From, To, To::rank()>()>;

/// The slot whose offset is `offset`.
T2C_BOTH constexpr int slot_at(bit_map const& bits, int offset) {
  int slot = 0;
  for (int k = 0; k < bits.slot_bits; ++k)
    if (offset & bits.slot[k]) slot |= 1 << k;
  return slot;
}

/// A map that adds a number known only at run time: two threads may have to change places.
template <class Map> concept starts_anywhere = requires(Map map) { map.start; };

/// Whether each thread holds all it needs: its thread bits mean the same on both sides, and slots come from slots.
template <class To, class From, class Map> T2C_BOTH constexpr bool stays_in_thread() {
  if constexpr (!Map::linear || starts_anywhere<Map>) {
    return false;
  } else {
    constexpr bit_map to = To::bits, from = From::bits;
    for (int k = 0; k < to.thread_bits; ++k)
      if (Map{}(to.thread[k]) != from.thread[k]) return false;
    for (int k = 0; k < to.slot_bits; ++k)
      if (Map{}(to.slot[k]) & weights_of(from.thread, from.thread_bits)) return false;
    return true;
  }
}

/// For a move inside threads: the source slot of each target slot.
template <class To, class From, class Map> struct source_slot {
  T2C_BOTH static constexpr int of(int bit) { return slot_at(From::bits, Map{}(To::bits.slot[bit])); }
  T2C_BOTH static constexpr int at(int slot) {
    if constexpr (backend::threads == 1) return Map{}(slot);
    else return sum_of_bits<source_slot, To::bits.slot_bits>(slot);
  }
};

/// Where an element lies in scratch memory. Folding the high digits of the index into the low one
/// puts rows and columns alike into distinct banks; it is linear: place(a | b) = place(a) ^ place(b).
template <class E> T2C_BOTH constexpr int scratch_place(int index) {
  constexpr int digit = log2(128 / sizeof(E));
  return index ^ ((index >> digit ^ index >> 2 * digit) & ((1 << digit) - 1));
}

template <class Layout, class E, class Map> T2C_BOTH constexpr table<Layout::slots> make_places() {
  table<Layout::slots> places{};
  for (int s = 0; s < Layout::slots; ++s) places.at[s] = scratch_place<E>(Map{}(Layout::offset(s)));
  return places;
}

/// Writes the own elements behind `Start`, a power of two that none of their indices has in it.
template <class From, int Start = 0, class E> T2C_FN void write_scratch(E const* from, E* scratch) {
  constexpr auto places = make_places<From, E, same_index>();
  int const me = backend::thread();
  int const base = scratch_place<E>(From::base(me) | Start);
  if (!From::owner(me)) return;
  T2C_UNROLL
  for (int s = 0; s < From::slots; ++s) scratch[base ^ places.at[s]] = from[s];
}

template <class To, class E, class Map> T2C_FN void read_scratch(E const* scratch, E* to, Map map) {
  int const base = To::base(backend::thread());
  if constexpr (Map::linear) {
    constexpr auto places = make_places<To, E, Map>();
    int const place = scratch_place<E>(map(base));
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) to[s] = scratch[place ^ places.at[s]];
  } else {
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) to[s] = scratch[scratch_place<E>(map(base + To::offset(s)))];
  }
}

/// What the slots add to the source index: as constants when the map is linear, so that nothing is computed per slot.
template <class Layout, class Map> T2C_BOTH constexpr table<Layout::slots> make_sources() {
  table<Layout::slots> sources{};
  for (int s = 0; s < Layout::slots; ++s) sources.at[s] = Map{}(Layout::offset(s));
  return sources;
}

/// Writes those own elements whose index lies in the slab that starts at `start`.
template <class From, int Room, class E> T2C_FN void write_slab(E const* from, E* scratch, int start) {
  constexpr auto places = make_places<From, E, same_index>();
  constexpr auto offsets = make_sources<From, same_index>();
  int const me = backend::thread();
  int const base = From::base(me), place = scratch_place<E>(base);
  if (!From::owner(me)) return;
  T2C_UNROLL
  for (int s = 0; s < From::slots; ++s)
    if (((base | offsets.at[s]) & -Room) == start) scratch[(place ^ places.at[s]) & (Room - 1)] = from[s];
}

/// Takes what lies in the slab. It always reads and then chooses: a branch for each slot would cost the compiler minutes.
template <class To, int Room, class E, class Map> T2C_FN void read_slab(E const* scratch, E* to, int start, Map map) {
  int const base = To::base(backend::thread());
  if constexpr (Map::linear) {
    constexpr auto places = make_places<To, E, Map>();
    constexpr auto sources = make_sources<To, Map>();
    int const source = map(base), place = scratch_place<E>(source);
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) {
      E const found = scratch[(place ^ places.at[s]) & (Room - 1)];
      to[s] = ((source | sources.at[s]) & -Room) == start ? found : to[s];
    }
  } else {
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) {
      int const source = map(base + To::offset(s));
      E const found = scratch[scratch_place<E>(source) & (Room - 1)];
      to[s] = (source & -Room) == start ? found : to[s];
    }
  }
}

/// The same for tiles of `Size` elements, larger than the scratch memory, which holds `Room`.
template <class To, class From, int Size, int Room, class E, class Map>
T2C_FN void move_in_slabs(E const* from, E* to, E* scratch, Map map) {
#ifdef T2C_GPU
#pragma unroll 1
#endif
  for (int start = 0; start < Size; start += Room) {
    write_slab<From, Room>(from, scratch, start);
    backend::sync();
    read_slab<To, Room>(scratch, to, start, map);
    backend::sync();
  }
}

/// to[element i] = from[element map(i)], between any two layouts.
template <class To, class From, class E, class Map> T2C_FN void move(E const* from, E* to, Map map) {
  if constexpr (stays_in_thread<To, From, Map>()) {
    T2C_UNROLL
    for (int s = 0; s < To::slots; ++s) to[s] = from[source_slot<To, From, Map>::at(s)];
  } else if constexpr (backend::threads == 1) {
    for (int s = 0; s < To::slots; ++s) to[s] = from[map(s)];
  } else {
    constexpr int room = backend::scratch_bytes / static_cast<int>(sizeof(E));
    constexpr int size = (weights_of(From::bits.slot, From::bits.slot_bits) |
                          weights_of(From::bits.thread, From::bits.thread_bits)) + 1;
    if constexpr (size <= room) {
      E* scratch = reinterpret_cast<E*>(backend::scratch<size * static_cast<int>(sizeof(E))>());
      write_scratch<From>(from, scratch);
      backend::sync();
      read_scratch<To>(scratch, to, map);
      backend::sync();
    } else {
      move_in_slabs<To, From, size, room>(from, to, reinterpret_cast<E*>(backend::scratch()), map);
    }
  }
}

}  // namespace meta

/// Every element i of the result is element `map(i)` of `from`; both numbers are row-major indices.
template <class ToShape, class E, class FromShape, class Map>
T2C_FN tile<E, ToShape> exchange(tile<E, FromShape> const& from, Map map) {
  tile<E, ToShape> to;
  meta::move<layout<ToShape>, layout<FromShape>>(&from.own[0], &to.own[0], map);
  return to;
}

}  // namespace tile2cpp
