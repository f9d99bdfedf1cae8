// backend/sm90/rings.hpp: the shared memory in which factors of products wait, and what a block remembers of them.
//
// A product of a loop has a ring of stages, which hold those of its factors that change from turn to turn. Factors
// that stay have a place of their own. The generated entry lists both, with their offsets in dynamic shared memory.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/cp_async.hpp"
#include "tile2cpp/backend/sm80/ldmatrix.hpp"
#include "tile2cpp/backend/sm90/key.hpp"
#include "tile2cpp/backend/sm90/mbarrier.hpp"
#include "tile2cpp/backend/sm90/tma.hpp"

namespace tile2cpp::backend {

enum class role { a, b };

/// The form of a factor: `lines` rows (a) or columns (b) of the product, `depth` elements of `size` bytes along the summed
/// axis. `turned`: rows in memory run across the summed axis.
struct factor_form {
  int lines, depth, size, turned;
  T2C_BOTH constexpr bool operator==(factor_form const& o) const {
    return lines == o.lines && depth == o.depth && size == o.size && turned == o.turned;
  }
  T2C_BOTH constexpr int bytes() const { return lines * depth * size; }
};
inline constexpr factor_form no_factor{};

/// The stages of a product; `no_factor` for a factor that is not in them. `mapped`: descriptors of the arrays are
/// expected, so that the copy engine fills the stages; else the threads do.
struct ring {
  factor_form a, b;
  int offset, stages;
  bool mapped;
  T2C_BOTH constexpr int stage_bytes() const { return a.bytes() + b.bytes(); }
};
/// The place of a factor that stays. The left and the right one of a product have two, even if their forms are equal.
struct resident {
  role of;
  factor_form form;
  int offset;
};

/// What a descriptor passed to the kernel is for: factors of this form, whose rows in memory follow axis `row` of the
/// view, and lie along axis `column`.
struct map_form {
  factor_form form;
  int row, column;
};

inline constexpr map_form maps[] = {T2C_MAPS map_form{}};
inline constexpr int map_count = int(sizeof(maps) / sizeof(map_form)) - 1;
inline constexpr ring rings[] = {T2C_RINGS ring{}};
inline constexpr resident residents[] = {T2C_RESIDENTS resident{role::a, no_factor, 0}};
inline constexpr int ring_count = int(sizeof(rings) / sizeof(ring)) - 1;
inline constexpr int resident_count = int(sizeof(residents) / sizeof(resident)) - 1;
inline constexpr int ring_warps = threads < 32 ? 1 : threads / 32;

/// Their numbers; -1 where there is none.
T2C_BOTH constexpr int find_ring(factor_form const& a, factor_form const& b) {
  for (int i = 0; i < ring_count; ++i)
    if (rings[i].a == a && rings[i].b == b) return i;
  return -1;
}
T2C_BOTH constexpr int find_resident(role of, factor_form const& form) {
  for (int i = 0; i < resident_count; ++i)
    if (residents[i].of == of && residents[i].form == form) return i;
  return -1;
}

T2C_BOTH constexpr int most_stages() {
  int most = 1;
  for (ring const& r : rings) most = r.stages > most ? r.stages : most;
  return most;
}

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

inline constexpr int most_axes = 4;

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
  int at[most_axes];
  int step[most_axes];
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

struct ring_barriers {
  unsigned long long full[most_stages()];   // the factors have arrived
  unsigned long long empty[most_stages()];  // all warps are done
};

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

T2C_FN block_memory& memory_of_rings() {
  __shared__ block_memory memory;
  return memory;
}
T2C_FN int warp() { return thread() / 32; }
T2C_FN bool leads_warp() { return thread() % 32 == 0; }

/// Whether there may be a product between two that use one ring; else none needs to be counted.
inline constexpr bool counts_products = ring_count > 1 || resident_count > 1;

/// Aligned as the swizzled matrices must be.
T2C_FN unsigned ring_memory() {
  extern __shared__ __align__(128) unsigned char dynamic_shared_memory[];
  return (shared_address(dynamic_shared_memory) + 1023) & ~1023u;
}

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
