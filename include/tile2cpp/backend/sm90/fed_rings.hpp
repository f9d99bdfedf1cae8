// backend/sm90/fed_rings.hpp: rings that a warp of their own fills, the feeder.
//
// The feeder runs the part of the kernel that decides which factors are multiplied next, which the translator has taken out
// of it, and copies each product's factors to the next stage of its ring. So product and feeder meet turn by turn, and nothing has
// to be guessed or compared.
#pragma once

#include "tile2cpp/backend/sm90/notes.hpp"
#include "tile2cpp/backend/sm90/placed_factor.hpp"
#include "tile2cpp/backend/sm90/wgmma.hpp"

namespace tile2cpp::backend {

struct block_memory {
  ring_barriers barriers[ring_count ? ring_count : 1];
  unsigned long long arrived[resident_count ? resident_count : 1];  // for factors that stay
  unsigned long long left[resident_count ? resident_count : 1];     // all warps are done with the old one
};

T2C_FN block_memory& memory_of_rings() {
  __shared__ block_memory memory;
  return memory;
}
T2C_FN unsigned arrived_barrier(int resident) { return shared_address(&memory_of_rings().arrived[resident]); }
T2C_FN unsigned left_barrier(int resident) { return shared_address(&memory_of_rings().left[resident]); }
T2C_FN unsigned full_barrier(int ring, int stage) { return shared_address(&memory_of_rings().barriers[ring]) + stage * 8; }
T2C_FN unsigned empty_barrier(int ring, int stage) { return full_barrier(ring, stage) + most_stages() * 8; }
template <int Number> T2C_FN unsigned stage_memory(int stage) { return ring_memory() + rings[Number].offset + stage * rings[Number].stage_bytes(); }

/// Before feeder and products begin; by all threads of the block.
T2C_FN void prepare_rings() {
  declare_notes(meta::make_index_list<size_t(ring_count)>{}, meta::make_index_list<size_t(resident_count)>{});
  if (threadIdx.x == 0) {
    T2C_UNROLL
    for (int i = 0; i < ring_count; ++i) {
      T2C_UNROLL
      for (int stage = 0; stage < rings[i].stages; ++stage) {
        prepare_barrier(full_barrier(i, stage), 1);
        prepare_barrier(empty_barrier(i, stage), ring_warps);
      }
    }
    T2C_UNROLL
    for (int i = 0; i < resident_count; ++i) {
      prepare_barrier(arrived_barrier(i), 1);
      prepare_barrier(left_barrier(i), ring_warps);
    }
    publish_barriers();
    fence_for_tensor_cores();
  }
  __syncthreads();
}

// Every product passes here, and all that its threads do before and behind it delays the next one. So there are no branches, which lanes would
// have to meet behind; all lanes keep the same notes, and one of them arrives.

/// Once for the warp, if there is such a barrier (0: none).
T2C_FN void arrive_by_leader(unsigned barrier) {
  asm volatile("{ .reg .pred leads; setp.eq.u32 leads, %1, 0; setp.ne.and.u32 leads, %0, 0, leads; @leads mbarrier.arrive.shared::cta.b64 _, [%0]; }"
               ::"r"(barrier), "r"(threadIdx.x % 32) : "memory");
}

/// The stage of the last product, where nobody has said so yet.
T2C_FN void release_finished() {
  arrive_by_leader(noted_finish());
  note_finish(0);
}

/// A product's turn at its ring.
template <int Number> struct product_turn {
  ring_place place;
  unsigned finished;  // the barrier of the product before

  T2C_FN product_turn() : place(noted_place<Number>()), finished(noted_finish()) {}

  /// The address of the stage with the factors of this product, where they have arrived.
  T2C_FN unsigned acquire() const {
    await(full_barrier(Number, place.stage), place.phase);
    return stage_memory<Number>(place.stage);
  }

  /// When all products but this one are complete, or (`Complete`) this one, too.
  template <bool Complete> T2C_FN void finish() {
    unsigned const own = empty_barrier(Number, place.stage);
    arrive_by_leader(finished);
    if constexpr (Complete) arrive_by_leader(own);
    note_finish(Complete ? 0 : own);
    place.template advance<rings[Number].stages>();
    note_place<Number>(place);
  }
};

/// The address of a factor that stays, where it has arrived.
template <int Number, class Factor, class Source> T2C_FN unsigned acquire_resident(Source const& source) {
  unsigned long long const key = resident_key<Factor>(source);
  resident_state known = noted_resident<Number>();
  if (__builtin_expect(known.key != key, 0)) {
    await_products<0>();
    if (known.key != 0 && leads_warp()) arrive(left_barrier(Number));
    await(arrived_barrier(Number), known.phase);
    note_resident<Number>({key, known.phase ^ 1});
    __syncwarp();
  }
  return ring_memory() + residents[Number].offset;
}

/// The descriptor of an array, for factors in a part of it along axis `Axis` of their views, which ends where the kernel says. What lies behind
/// the end must become zero, but descriptors know the whole array only. So the last three axes of this one are the cut one, and two more:
///
///     address = base + at[cut] * stride + at[rank] * 16 + at[rank + 1] * (2^34 - stride)     (bytes, modulo 2^64)
///
/// The cut axis has `end` = 2^30 elements, and the part is seen as its last ones; the other two move them to where the part lies.
template <int Axis> struct part_map {
  static constexpr int end = 1 << 30;
  tensor_map const* map;
  void const* base;

  template <class Source> T2C_FN void place(Source const& source, int& cut, int& pieces, int& back) const {
    long long const stride = static_cast<long long>(source.span.mapping().stride(Axis)) * sizeof(typename Source::element);
    long long const extent = static_cast<long long>(source.span.extent(Axis));
    long long const row = static_cast<long long>(source.index[Axis]) * static_cast<long long>(Source::shape::static_extent(Axis));
    // There is nothing before the part, and nothing behind it.
    cut = row < 0 || row > extent ? end : static_cast<int>(end - extent + row);
    pieces = static_cast<int>((reinterpret_cast<char const*>(source.span.data_handle()) - static_cast<char const*>(base) + extent * stride) / 16);
    back = end;
  }
};

/// What the feeder knows. All lanes of its warp run together.
struct feeder {
  ring_place places[ring_count ? ring_count : 1] = {};
  unsigned long long keys[resident_count ? resident_count : 1] = {};  // of the factors that stay
  int changes[resident_count ? resident_count : 1] = {};
  bool maps_exist = true;  // of all arrays; one of zeros stands for none

  template <class... Map> T2C_FN explicit feeder(Map const&... maps) { ((maps_exist = maps_exist && (maps.words[0] | maps.words[1]) != 0), ...); }

  /// The factors of a product of `A` and `B` with result `C`, if it takes any from a ring. Maps: null where there can be none.
  template <class C, class A, class B, class MapA, class MapB> T2C_FN void give(A const& a, B const& b, MapA a_map, MapB b_map);

 private:
  template <int Number, class A, class B, class SourceA, class SourceB, class MapA, class MapB>
  T2C_FN void fill(SourceA const& a, SourceB const& b, MapA a_map, MapB b_map) {
    constexpr bool has_a = A::form.lines != 0, has_b = B::form.lines != 0;
    ring_place place = places[Number];
    unsigned const to = stage_memory<Number>(place.stage), full = full_barrier(Number, place.stage);
    await(empty_barrier(Number, place.stage), place.phase ^ 1);
    if (__builtin_expect(maps_exist && (!has_a || exists(a_map)) && (!has_b || exists(b_map)), 1)) {
      arrive_expecting_by_warp(full, rings[Number].stage_bytes());
      if constexpr (has_a) copy_boxes<A>(a, to, a_map, full);
      if constexpr (has_b) copy_boxes<B>(b, to + A::form.bytes(), b_map, full);
    } else {
      if constexpr (has_a) A::fetch_by_warp(a, to, a.index);
      if constexpr (has_b) B::fetch_by_warp(b, to + A::form.bytes(), b.index);
      if (leads_warp()) arrive(full);
      __syncwarp();
    }
    place.template advance<rings[Number].stages>();
    places[Number] = place;
  }

  /// A factor that stays, if it is another one than before.
  template <int Number, class Factor, class Source, class Map> T2C_FN void keep(Source const& source, Map map) {
    unsigned long long const key = resident_key<Factor>(source);
    if (keys[Number] == key) return;
    keys[Number] = key;
    unsigned const to = ring_memory() + residents[Number].offset, full = arrived_barrier(Number);
    if (changes[Number] > 0) await(left_barrier(Number), (changes[Number] - 1) & 1);
    ++changes[Number];
    if (__builtin_expect(maps_exist && exists(map), 1)) {
      arrive_expecting_by_warp(full, Factor::form.bytes());
      copy_boxes<Factor>(source, to, map, full);
    } else {
      Factor::fetch_by_warp(source, to, source.index);
      if (leads_warp()) arrive(full);
      __syncwarp();
    }
  }

  T2C_FN static bool exists(tensor_map const* map) { return map != nullptr; }
  template <int Axis> T2C_FN static bool exists(part_map<Axis> const&) { return true; }

  template <class Factor, class Source> T2C_FN static void copy_boxes(Source const& source, unsigned to, tensor_map const* map, unsigned full) {
    int at[Factor::rank];
    place_box<Factor>(source, at, meta::make_index_list<size_t(Factor::rank)>{});
    copy_boxes_at<Factor, Factor::rank>(to, map, full, at);
  }
  template <class Factor, class Source, int Axis> T2C_FN static void copy_boxes(Source const& source, unsigned to, part_map<Axis> const& part, unsigned full) {
    int at[Factor::rank + 2];
    place_box<Factor>(source, at, meta::make_index_list<size_t(Factor::rank)>{});
    part.place(source, at[Factor::places_in_map().at[Axis]], at[Factor::rank], at[Factor::rank + 1]);
    copy_boxes_at<Factor, Factor::rank + 2>(to, part.map, full, at);
  }
  template <class Factor, int Rank> T2C_FN static void copy_boxes_at(unsigned to, tensor_map const* map, unsigned full, int (&at)[Rank]) {
    int const first = at[0];
    T2C_UNROLL
    for (int box = 0; box < Factor::boxes; ++box) {
      at[0] = first + box * Factor::box_elements;
      copy_box_by_warp<Rank>(to + box * Factor::box_bytes, map, full, at);
    }
  }
  template <class Factor, class Source, int Rank, size_t... Axis> T2C_FN static void place_box(Source const& source, int (&at)[Rank], meta::index_list<Axis...>) {
    constexpr auto places = Factor::places_in_map();
    ((at[places.at[Axis]] = box_coordinate<int(Source::shape::static_extent(Axis))>(source.index[Axis])), ...);
  }
};

/// The threads that multiply take the registers that the feeder's warps do not need.
template <int Registers> T2C_FN void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Registers)); }
template <int Registers> T2C_FN void leave_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Registers)); }

}  // namespace tile2cpp::backend
