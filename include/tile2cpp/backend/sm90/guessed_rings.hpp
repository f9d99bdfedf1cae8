// backend/sm90/guessed_rings.hpp: what a block remembers of rings whose next factors are guessed, by each product for itself.
#pragma once

#include "tile2cpp/backend/sm90/rings.hpp"

namespace tile2cpp::backend {

/// What a descriptor passed to the kernel is for: factors of this form, whose rows in memory follow axis `row` of the
/// view, and lie along axis `column`.
struct map_form {
  factor_form form;
  int row, column;
};

inline constexpr map_form maps[] = {T2C_MAPS map_form{}};
inline constexpr int map_count = int(sizeof(maps) / sizeof(map_form)) - 1;

/// How the next turns are fetched: not at all, because the factors stay, by the copy engine, or by the threads.
enum class supply { none, engine, threads };

/// What every product looks at, one copy a warp. The products that use a ring take turns, whose numbers only grow; a turn's stage is
/// its number modulo the stages.
struct alignas(16) ring_state {
  unsigned long long expected;  // the key of the factors of the next turn
  unsigned long long step;      // from one key to the next; 0 if they stay
  int turn;      // the next one
  int fetched;   // turns before this one have been fetched, or are about to be
  int released;  // the stages of turns before this one are done with, as far as this warp knows
  supply by;
};

/// What is only needed to fetch and to start anew, one copy a warp.
struct alignas(16) turn_note {
  long long a_bytes, b_bytes;  // from turn to turn, in memory
  int origin;      // the turn at which the ring was started
  int plain;       // fetches of turns before this one need no look at edges
  unsigned long long a_array, b_array;  // keys of the arrays
  tensor_map const* a_map;              // their descriptors; null where there are none
  tensor_map const* b_map;
  int a_index[most_axes], b_index[most_axes];  // of the tiles of turn `origin`
  int a_step[most_axes], b_step[most_axes];
};

/// The box that a warp copies for each turn: where it begins in the array at turn `origin` (elements, innermost axis
/// first), how far it moves from turn to turn, and its place in a stage.
struct alignas(16) box_note {
  long long at[most_axes];
  long long step[most_axes];
  tensor_map const* map;
  int offset;
  int origin;
};

/// Where a thread's part of the factors of turn `origin` lies.
struct alignas(16) ring_start {
  char const* a;
  char const* b;
};

/// Whether threads fetch for some ring.
T2C_BOTH constexpr bool uses_starts() {
  for (int i = 0; i < ring_count; ++i)
    if (!rings[i].mapped) return true;
  return false;
}

struct block_memory {
  unsigned long long map_keys[map_count ? map_count : 1];  // which array each descriptor belongs to
  tensor_map const* map_places[map_count ? map_count : 1];
  ring_barriers barriers[ring_count ? ring_count : 1];
  ring_state states[ring_count ? ring_count : 1][ring_warps];
  turn_note notes[ring_count ? ring_count : 1][ring_warps];
  box_note boxes[ring_count ? ring_count : 1][ring_warps];
  int last_product[ring_count ? ring_count : 1][ring_warps];  // which of all products used the ring last
  int products[ring_warps];                                    // how many there were
  unsigned long long residents[resident_count ? resident_count : 1][ring_warps];  // keys of what is there
  ring_start starts[uses_starts() ? ring_count : 1][uses_starts() ? threads : 1];
};

/// The number of the thread's warpgroup in the block.
T2C_FN int warpgroup() { return steady_thread() / 128; }
T2C_FN block_memory& memory_of_rings() {
  __shared__ block_memory memory;
  return memory;
}
/// Whether there may be a product between two that use one ring; else none needs to be counted.
inline constexpr bool counts_products = ring_count > 1 || resident_count > 1;

template <int Number> T2C_FN void prepare_ring() {
  constexpr int stages = rings[Number].stages;
  if (leads_warp()) {
    memory_of_rings().states[Number][warp()] = ring_state{0, 0, stages, stages, stages, supply::none};
    memory_of_rings().notes[Number][warp()] = turn_note{};
    memory_of_rings().last_product[Number][warp()] = 0;
  }
  if (thread() != 0) return;
  ring_barriers& barriers = memory_of_rings().barriers[Number];
  T2C_UNROLL
  for (int stage = 0; stage < stages; ++stage) {
    prepare_barrier(shared_address(&barriers.full[stage]), 1);
    prepare_barrier(shared_address(&barriers.empty[stage]), ring_warps);
  }
}
template <size_t... Number> T2C_FN void prepare_each_ring(meta::index_list<Number...>) { (prepare_ring<int(Number)>(), ...); }

/// Before the first product of a block.
T2C_FN void prepare_rings() {
  prepare_each_ring(meta::make_index_list<size_t(ring_count)>{});
  if (leads_warp()) {
    T2C_UNROLL
    for (int i = 0; i < resident_count; ++i) memory_of_rings().residents[i][warp()] = 0;
    memory_of_rings().products[warp()] = 2;
  }
  publish_barriers();
  fence_for_tensor_cores();
  sync();
}

/// Tells arrays apart: a sum over address, extents and strides, each with a weight of its own.
template <int Rank> T2C_FN unsigned long long map_key(void const* address, long long const (&extent)[Rank], long long const (&stride)[Rank]) {
  constexpr auto weight = key_weights<2 * Rank + 1>(200);
  unsigned long long key = reinterpret_cast<unsigned long long>(address) * weight.at[0];
  T2C_UNROLL
  for (int axis = 0; axis < Rank; ++axis)
    key += static_cast<unsigned long long>(extent[axis]) * weight.at[1 + axis] + static_cast<unsigned long long>(stride[axis]) * weight.at[1 + Rank + axis];
  return key;
}

/// Before `prepare_rings`: descriptor `Number` belongs to this array, whose axes are those of the view. A descriptor of
/// zeros stands for none.
template <int Number, int Rank>
T2C_FN void bind_map(tensor_map const& map, void const* address, long long const (&extent)[Rank], long long const (&stride)[Rank]) {
  if (thread() != 0) return;
  memory_of_rings().map_keys[Number] = map_key(address, extent, stride);
  memory_of_rings().map_places[Number] = map.words[0] | map.words[1] ? &map : nullptr;
}

template <int Number> T2C_FN void finish_ring() {
  if constexpr (rings[Number].mapped) {
    constexpr unsigned stages = unsigned(rings[Number].stages);
    ring_state const& state = memory_of_rings().states[Number][warp()];
    for (unsigned turn = unsigned(state.turn); turn < unsigned(state.fetched); ++turn)
      await(shared_address(&memory_of_rings().barriers[Number].full[turn % stages]), ~(turn / stages) & 1);
  }
}
template <size_t... Number> T2C_FN void finish_each_ring(meta::index_list<Number...>) { (finish_ring<int(Number)>(), ...); }

/// After the last product: what was fetched in vain must not arrive in the memory of another block.
T2C_FN void finish_rings() {
  wait_all_copies();
  if (thread() == 0) finish_each_ring(meta::make_index_list<size_t(ring_count)>{});
}

}  // namespace tile2cpp::backend
