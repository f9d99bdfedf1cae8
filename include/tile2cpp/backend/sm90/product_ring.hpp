// backend/sm90/product_ring.hpp: the factors of a product, fetched from arrays some turns ahead.
//
// A product of a loop is likely to be followed by one whose factors lie a tile further; so those are fetched in advance. The
// next product compares the key that is expected with that of its factors: arrays, extents, strides and tile indices.
// If they agree it uses the stage, else it fetches its own factors and starts anew from there. So a wrong guess costs time,
// never correctness, whatever the loop does.
#pragma once

#include "tile2cpp/backend/sm90/guessed_rings.hpp"
#include "tile2cpp/backend/sm90/placed_factor.hpp"
#include "tile2cpp/backend/sm90/wgmma.hpp"

namespace tile2cpp::backend {

T2C_FN void release_finished() {}  // each product looks after its ring

/// A coordinate of a box. Where 32 bits do not hold it there is no element, nor is there one far below zero.
T2C_FN int near_coordinate(long long at) { return static_cast<int>(at) == at ? static_cast<int>(at) : -0x7fffffff - 1; }

template <class Factor> T2C_BOTH constexpr bool fits(map_form const& m) {
  using source = typename Factor::source_type;
  return m.form == Factor::form && m.row == source::storage_row && m.column == source::storage_column && Factor::rank <= 4;
}
template <class Factor, size_t... I>
T2C_FN tensor_map const* find_map(typename Factor::source_type const& source, meta::index_list<I...>) {
  long long extent[Factor::rank], stride[Factor::rank];
  T2C_UNROLL
  for (int axis = 0; axis < Factor::rank; ++axis)
    extent[axis] = static_cast<long long>(source.span.extent(axis)), stride[axis] = static_cast<long long>(source.span.mapping().stride(axis));
  unsigned long long const key = map_key(source.span.data_handle(), extent, stride);
  tensor_map const* found = nullptr;
  ((fits<Factor>(maps[I]) && memory_of_rings().map_keys[I] == key ? void(found = memory_of_rings().map_places[I]) : void()), ...);
  return found;
}
/// The descriptor of an array, for the copy engine; null if there is none.
template <class Factor> T2C_FN tensor_map const* find_map(typename Factor::source_type const& source) {
  return find_map<Factor>(source, meta::make_index_list<size_t(map_count)>{});
}

/// `A` and `B` are placed factors or absent ones.
template <int Number, class A, class B, class SourceA, class SourceB> struct product_ring {
  static constexpr bool has_a = A::form.lines != 0, has_b = B::form.lines != 0, mapped = rings[Number].mapped;
  static constexpr int stages = rings[Number].stages;
  static constexpr int a_bytes = A::form.bytes(), stage_bytes = rings[Number].stage_bytes();
  SourceA const& a;
  SourceB const& b;
  ring_state state;

  T2C_FN product_ring(SourceA const& a, SourceB const& b) : a(a), b(b), state(memory_of_rings().states[Number][warp()]) {}

  /// The address of the stage with the factors of this product, where they have arrived.
  T2C_FN unsigned acquire(int products) {
    // At most the product just before this one is still running.
    if (counts_products && products - memory_of_rings().last_product[Number][warp()] >= 2) release(state.turn);
    if (__builtin_expect(state.expected != key(), 0)) restart();
    if constexpr (mapped) {
      await(full(state.turn), parity(state.turn));
    } else {
      // Each product closes one group of copies, so those of this turn are not among the latest.
      wait_copies<stages - 3 < 0 ? 0 : stages - 3>();
      fence_for_tensor_cores();
      sync();
    }
    return stage(state.turn);
  }

  /// While the product runs: fetches one turn more.
  T2C_FN void fetch_ahead() {
    if (state.by != supply::none && state.fetched < state.released + stages) {
      fetch(state.fetched);
      ++state.fetched;
    }
    if constexpr (!mapped) close_copies();
  }

  /// When all products but this one are complete.
  T2C_FN void finish(int products) {
    release(state.turn);
    if (state.by != supply::none) ++state.turn;
    state.expected += state.step;
    if (leads_warp()) {
      memory_of_rings().states[Number][warp()] = state;
      if (counts_products) memory_of_rings().last_product[Number][warp()] = products;
    }
  }

 private:
  T2C_FN static unsigned barriers() { return shared_address(&memory_of_rings().barriers[Number]); }
  T2C_FN static unsigned full(int turn) { return barriers() + static_cast<unsigned>(turn) % stages * 8; }
  T2C_FN static unsigned empty(int turn) { return full(turn) + most_stages() * 8; }
  /// Turns begin with number `stages`, in phase 0.
  T2C_FN static unsigned parity(int turn) { return ~(static_cast<unsigned>(turn) / stages) & 1; }
  T2C_FN static unsigned stage(int turn) { return ring_memory() + rings[Number].offset + static_cast<unsigned>(turn) % stages * stage_bytes; }
  T2C_FN static turn_note& note() { return memory_of_rings().notes[Number][warp()]; }

  T2C_FN unsigned long long a_array() const {
    if constexpr (has_a) return A::array_key(a);
    else return 0;
  }
  T2C_FN unsigned long long b_array() const {
    if constexpr (has_b) return B::array_key(b);
    else return 0;
  }
  T2C_FN unsigned long long key() const {
    unsigned long long sum = 0;
    if constexpr (has_a) sum += A::array_key(a) + A::index_key(a.index);
    if constexpr (has_b) sum += 3 * (B::array_key(b) + B::index_key(b.index));
    return sum;
  }

  /// The key of the factors that are expected after these.
  T2C_FN unsigned long long next_key() const {
    turn_note const& n = note();
    unsigned long long sum = 0;
    if constexpr (has_a) sum += A::array_key(a) + stepped_key<A>(a.index, n.a_step);
    if constexpr (has_b) sum += 3 * (B::array_key(b) + stepped_key<B>(b.index, n.b_step));
    return sum;
  }
  template <class Factor> T2C_FN static unsigned long long stepped_key(int const* index, int const* step) {
    int next[Factor::rank];
    T2C_UNROLL
    for (int axis = 0; axis < Factor::rank; ++axis) next[axis] = index[axis] + step[axis];
    return Factor::index_key(next);
  }

  /// Of all turns before this one.
  T2C_FN void release(int turn) {
    if (state.released >= turn) return;
    if (mapped && leads_warp()) arrive(empty(state.released));
    ++state.released;
  }

  T2C_FN void fetch(int turn) const {
    if constexpr (mapped) {
      if (__builtin_expect(state.by == supply::engine, 1)) {
        copy(turn);
        return;
      }
      await(empty(turn), parity(turn - stages));
    }
    turn_note const& n = note();
    unsigned const to = stage(turn);
    if (!mapped && __builtin_expect(turn < n.plain, 1)) {
      ring_start const start = memory_of_rings().starts[Number][thread()];
      if constexpr (has_a) A::fetch_plain(a, to, start.a + (turn - n.origin) * n.a_bytes);
      if constexpr (has_b) B::fetch_plain(b, to + a_bytes, start.b + (turn - n.origin) * n.b_bytes);
      return;
    }
    if constexpr (has_a) A::fetch(a, to, n.a_index, n.a_step, turn - n.origin);
    if constexpr (has_b) B::fetch(b, to + a_bytes, n.b_index, n.b_step, turn - n.origin);
    if constexpr (mapped) {
      wait_all_copies();
      fence_for_tensor_cores();
      sync();
      if (thread() == 0) arrive(full(turn));
    }
  }

  /// By the copy engine; the warps share the boxes. One that has several looks the others up.
  T2C_FN void copy(int turn) const {
    constexpr int boxes = boxes_of<A>() + boxes_of<B>();
    if (warp() >= boxes || !leads_warp()) return;
    await(empty(turn), parity(turn - stages));
    if (warp() == 0) arrive_expecting(full(turn), stage_bytes);
    copy_box_of(memory_of_rings().boxes[Number][warp()], warp(), turn);
    if constexpr (boxes > ring_warps) {
      T2C_KEEP_LOOP
      for (int box = warp() + ring_warps; box < boxes; box += ring_warps) {
        box_note n;
        describe_box(box, note(), n);
        copy_box_of(n, box, turn);
      }
    }
  }

  T2C_FN static void copy_box_of(box_note const& n, int box, int turn) {
    int const ahead = turn - n.origin;
    unsigned const to = stage(turn) + n.offset, done = full(turn);
    if constexpr (!has_b || (has_a && rank_of<A>() == rank_of<B>())) copy_moved<rank_of<A>()>(n, ahead, to, done);
    else if constexpr (!has_a) copy_moved<rank_of<B>()>(n, ahead, to, done);
    else if (box < boxes_of<A>()) copy_moved<rank_of<A>()>(n, ahead, to, done);
    else copy_moved<rank_of<B>()>(n, ahead, to, done);
  }
  template <int Rank> T2C_FN static void copy_moved(box_note const& n, int ahead, unsigned to, unsigned done) {
    int at[Rank];
    T2C_UNROLL
    for (int axis = 0; axis < Rank; ++axis) at[axis] = near_coordinate(n.at[axis] + ahead * n.step[axis]);
    copy_box<Rank>(to, n.map, done, at);
  }

  /// Notes what copies need of box `box`; `n` is the note of the turns.
  T2C_FN static void describe_box(int box, turn_note const& n, box_note& of_box) {
    constexpr int a_boxes = boxes_of<A>();
    if constexpr (has_a) {
      if (box < a_boxes) {
        describe_box_of<A>(box, n.a_index, n.a_step, of_box);
        of_box.map = n.a_map;
      }
    }
    if constexpr (has_b) {
      if (box >= a_boxes) {
        describe_box_of<B>(box - a_boxes, n.b_index, n.b_step, of_box);
        of_box.map = n.b_map, of_box.offset += a_bytes;
      }
    }
    of_box.origin = n.origin;
  }

  /// Box `box` of a tile: its first element, how far `step` tiles are, and where it lies in shared memory.
  template <class Factor> T2C_FN static void describe_box_of(int box, int const* index, int const* step, box_note& n) {
    constexpr auto places = Factor::places_in_map();
    T2C_UNROLL
    for (int axis = 0; axis < most_axes; ++axis) n.at[axis] = n.step[axis] = 0;
    T2C_UNROLL
    for (int axis = 0; axis < Factor::rank; ++axis) {
      long long const extent = Factor::source_type::shape::static_extent(axis);
      n.at[places.at[axis]] = index[axis] * extent, n.step[places.at[axis]] = step[axis] * extent;
    }
    n.at[0] += box * Factor::box_elements;
    n.offset = box * Factor::box_bytes;
  }

  template <class Factor> T2C_BOTH static constexpr int rank_of() {
    if constexpr (Factor::form.lines != 0) return Factor::rank;
    else return 2;
  }
  template <class Factor> T2C_BOTH static constexpr int boxes_of() {
    if constexpr (Factor::form.lines != 0) return Factor::boxes;
    else return 0;
  }

  /// Drops what was fetched in vain, and fetches from these factors on.
  T2C_FN void restart() {
    await_products<0>();
    int const last = state.turn;
    if constexpr (mapped) {
      for (int turn = last; turn < state.fetched; ++turn) await(full(turn), parity(turn));
      while (state.released < state.fetched) release(state.fetched);
    } else {
      wait_all_copies();
      sync();
      state.released = state.fetched;
    }
    choose_step(last);
    state.turn = state.fetched;
    int const count = state.by != supply::none ? stages : 1;
    T2C_KEEP_LOOP
    for (int i = 0; i < count; ++i) {
      fetch(state.turn + i);
      if constexpr (!mapped) close_copies();
    }
    if (!mapped && count == 1) wait_all_copies();
    state.fetched = state.turn + count;
    if constexpr (!mapped) prepare_plain();
    state.expected = key();
    state.step = 0;
    if (state.by != supply::none) state.step = next_key() - state.expected;
  }

  /// Notes how far the next factors are likely to be from these. `last`: the turn that was expected to be this one.
  T2C_FN void choose_step(int last) {
    __syncwarp();
    turn_note& n = note();
    int a_step[most_axes] = {}, b_step[most_axes] = {};
    // As far as from the last factors to these, if they lie in the same arrays.
    bool const known = n.a_array == a_array() && n.b_array == b_array();
    if constexpr (has_a) step_from(a_step, a.index, n.a_index, n.a_step, last - 1 - n.origin, known);
    if constexpr (has_b) step_from(b_step, b.index, n.b_index, n.b_step, last - 1 - n.origin, known);
    if (!known) {
      if constexpr (has_a) A::guess(a, a_step);
      if constexpr (has_b) B::guess(b, b_step);
    }
    __syncwarp();
    if (leads_warp()) {
      n.a_array = a_array(), n.b_array = b_array();
      n.origin = state.fetched, n.plain = 0;
      T2C_UNROLL
      for (int axis = 0; axis < most_axes; ++axis) n.a_step[axis] = a_step[axis], n.b_step[axis] = b_step[axis];
      if constexpr (has_a) {
        if constexpr (mapped) n.a_map = find_map<A>(a);
        T2C_UNROLL
        for (int axis = 0; axis < A::rank; ++axis) n.a_index[axis] = a.index[axis];
      }
      if constexpr (has_b) {
        if constexpr (mapped) n.b_map = find_map<B>(b);
        T2C_UNROLL
        for (int axis = 0; axis < B::rank; ++axis) n.b_index[axis] = b.index[axis];
      }
      if (mapped && warp() < boxes_of<A>() + boxes_of<B>()) describe_box(warp(), n, memory_of_rings().boxes[Number][warp()]);
    }
    __syncwarp();
    int moves = 0;
    T2C_UNROLL
    for (int axis = 0; axis < most_axes; ++axis) moves |= a_step[axis] | b_step[axis];
    state.by = moves == 0 ? supply::none : mapped && (!has_a || n.a_map != nullptr) && (!has_b || n.b_map != nullptr) ? supply::engine : supply::threads;
  }

  template <int Rank>
  T2C_FN static void step_from(int (&step)[most_axes], int const (&index)[Rank], int const* first, int const* old, int turns, bool known) {
    T2C_UNROLL
    for (int axis = 0; axis < Rank; ++axis) step[axis] = known ? index[axis] - (first[axis] + turns * old[axis]) : 0;
  }

  T2C_FN void prepare_plain() const {
    turn_note& n = note();
    long long from_a = 0, from_b = 0;
    ring_start start{};
    int plain = 0x3fffffff;
    if constexpr (has_a) {
      int const tiles = A::plain_tiles(a, n.a_step, from_a, start.a);
      plain = tiles < plain ? tiles : plain;
    }
    if constexpr (has_b) {
      int const tiles = B::plain_tiles(b, n.b_step, from_b, start.b);
      plain = tiles < plain ? tiles : plain;
    }
    memory_of_rings().starts[Number][thread()] = start;
    __syncwarp();
    if (leads_warp()) n.a_bytes = from_a, n.b_bytes = from_b, n.plain = n.origin + plain;
    __syncwarp();
  }
};

/// The address of a factor that stays, where it has arrived.
template <int Number, class Factor, class Source> T2C_FN unsigned acquire_resident(Source const& source) {
  unsigned long long const key = resident_key<Factor>(source);
  unsigned const place = ring_memory() + residents[Number].offset;
  unsigned long long& known = memory_of_rings().residents[Number][warp()];
  if (__builtin_expect(known != key, 0)) {
    constexpr int still[most_axes] = {};
    await_products<0>();
    sync();
    Factor::fetch(source, place, source.index, still, 0);
    wait_all_copies();
    fence_for_tensor_cores();
    sync();
    if (leads_warp()) known = key;
  }
  return place;
}

}  // namespace tile2cpp::backend
