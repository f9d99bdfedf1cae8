// fold.hpp: combines the elements along one axis of a tile, whatever the operation.
//
// First each thread folds its own slots, then lanes of a warp exchange results by shuffles, then warps
// through scratch memory. Every thread that held an element ends with the result, so replicas agree.
#pragma once

#include "tile2cpp/exchange.hpp"
#include "tile2cpp/tile_traits.hpp"

namespace tile2cpp::meta {

/// The bits of a row-major index of `Shape` that count along `axis`.
template <class Shape> T2C_BOTH constexpr int axis_bits(size_t axis) {
  return static_cast<int>((Shape::static_extent(axis) - 1) * row_major_stride<Shape>(axis));
}

/// Numbers of the bits in `weight` that belong to `mask`, as a mask over bit numbers.
T2C_BOTH constexpr int members(int const* weight, int count, int mask) {
  int numbers = 0;
  for (int k = 0; k < count; ++k) numbers |= (weight[k] & mask) != 0 ? 1 << k : 0;
  return numbers;
}

T2C_BOTH constexpr int count_bits(int mask) {
  int count = 0;
  for (; mask != 0; mask &= mask - 1) ++count;
  return count;
}

/// What is left of an index when the bits of one axis are taken out and those above close up.
template <class Shape> T2C_BOTH constexpr int without_axis(int index, size_t axis) {
  int const stride = static_cast<int>(row_major_stride<Shape>(axis));
  int const above = stride * static_cast<int>(Shape::static_extent(axis));
  return index / above * stride + index % stride;
}

/// Layout of the partial results: the kept slots of `Shape`'s layout, and its threads with the axis as replicas.
template <class Shape> T2C_BOTH constexpr bit_map folded_bits(size_t axis) {
  constexpr bit_map bits = layout<Shape>::bits;
  int const mask = axis_bits<Shape>(axis);
  bit_map kept;
  for (int k = 0; k < bits.slot_bits; ++k)
    if (!(bits.slot[k] & mask)) kept.give_slot(without_axis<Shape>(bits.slot[k], axis));
  for (int k = 0; k < bits.thread_bits; ++k)
    kept.give_thread(bits.thread[k] & mask ? 0 : without_axis<Shape>(bits.thread[k], axis));
  return kept;
}

/// Everything about one axis that the fold asks for, as constants.
template <class Shape, size_t Axis> struct fold_plan {
  static constexpr bit_map bits = layout<Shape>::bits;
  static constexpr int mask = axis_bits<Shape>(Axis);
  static constexpr int slot_bits = members(bits.slot, bits.slot_bits, mask);
  static constexpr int thread_bits = members(bits.thread, bits.thread_bits, mask);
  static constexpr int lane_bits = thread_bits & 31;
  static constexpr int warp_bits = thread_bits & ~31;
  static constexpr bit_map result_bits = folded_bits<Shape>(Axis);
  using result_layout = bit_layout<result_bits>;
  static constexpr int slots = layout<Shape>::slots;
  static constexpr int kept = result_layout::slots;
};

/// Numbers without some bits: bit k of a number is the k-th bit that is not in `Mask`.
template <int Mask> struct bits_outside {
  T2C_BOTH static constexpr int of(int k) {
    int bit = 1;
    for (; (Mask & bit) != 0 || k > 0; bit *= 2) k -= (Mask & bit) == 0;
    return bit;
  }
};

/// Folds each slot with bit `Bit` into that without it; those with a bit of `Folded` are done.
template <class Plan, int Bit, int Folded, class V, class Op> T2C_FN void fold_bit(V* part, Op op) {
  if constexpr (Plan::bits.thread_bits == 0) {
    // One thread may hold millions of slots: plain loops.
    for (int start = 0; start < Plan::slots; start += 2 * Bit) {
      if (start & Folded) continue;
      for (int s = start; s < start + Bit; ++s) part[s] = op(part[s], part[s + Bit]);
    }
  } else {
    constexpr int left = Plan::bits.slot_bits - count_bits(Folded);
    T2C_UNROLL
    for (int n = 0; n < 1 << left; ++n) {
      int const s = sum_of_bits<bits_outside<Folded>, left>(n);
      part[s] = op(part[s], part[s | Bit]);
    }
  }
}

/// Folds own slots, highest bit of the slot number first, which keeps host loops contiguous.
template <class Plan, int Bits = Plan::slot_bits, class V, class Op> T2C_FN void fold_slots(V* part, Op op) {
  if constexpr (Bits != 0) {
    constexpr int bit = 1 << log2(size_t(Bits));
    fold_bit<Plan, bit, (Plan::slot_bits & -bit)>(part, op);
    fold_slots<Plan, Bits - bit>(part, op);
  }
}

/// Moves the results, which lie in the first slot of each group, to the front.
template <class Plan, class V> T2C_FN void keep_results(V* part) {
  if constexpr (Plan::bits.thread_bits == 0) {
    int n = 0;
    for (int s = 0; s < Plan::slots; ++s)
      if (!(s & Plan::slot_bits)) part[n++] = part[s];
  } else {
    T2C_UNROLL
    for (int n = 0; n < Plan::kept; ++n) part[n] = part[sum_of_bits<bits_outside<Plan::slot_bits>, log2(size_t(Plan::kept))>(n)];
  }
}

/// Folds the kept values over the lanes of a warp that share a result.
template <class Plan, class V, class Op> T2C_FN void fold_lanes(V* part, Op op) {
  constexpr int lane_bits = Plan::lane_bits;
  T2C_UNROLL
  for (int k = 0; k < 5; ++k) {
    if (!(lane_bits >> k & 1)) continue;
    T2C_UNROLL
    for (int n = 0; n < Plan::kept; ++n) part[n] = op(part[n], backend::shuffle_xor(part[n], 1 << k));
  }
}

/// How the results of warps lie in scratch memory: those that fold into one lie side by side, and lanes that agree have one place.
template <class Plan> struct warp_places {
  static constexpr int warps = 1 << count_bits(Plan::warp_bits);
  static constexpr int size = backend::threads >> count_bits(Plan::lane_bits);  // places for one kept value of each thread

  /// A thread's bits in the order of places: the folded warp bits first, then all but the folded lane bits.
  T2C_BOTH static constexpr bit_map make_bits() {
    bit_map bits;
    int folded = 0, kept = count_bits(Plan::warp_bits);
    for (int k = 0; k < Plan::bits.thread_bits; ++k)
      bits.give_thread(Plan::lane_bits >> k & 1 ? 0 : 1 << (Plan::warp_bits >> k & 1 ? folded++ : kept++));
    return bits;
  }
  static constexpr bit_map bits = make_bits();
  T2C_FN static int of_thread(int thread) { return bit_layout<bits>::base(thread); }
};

/// Folds neighbours, then neighbours of these, which is a shorter chain than one after the other.
template <int Count, class V, class Op> T2C_FN V fold_neighbours(V const* values, Op op) {
  if constexpr (Count == 1) return values[0];
  else return op(fold_neighbours<Count / 2>(values, op), fold_neighbours<Count / 2>(values + Count / 2, op));
}

/// Folds the kept values over warps. All read the same values in the same order, so they agree bit for bit.
template <class Plan, class V, class Op> T2C_FN void fold_warps(V* part, Op op) {
  using places = warp_places<Plan>;
  constexpr int row = places::size * static_cast<int>(sizeof(V)), room = backend::scratch_bytes / row;
  constexpr int step = room < Plan::kept ? room : Plan::kept;
  V* scratch = reinterpret_cast<V*>(backend::scratch<step * row>());
  int const me = backend::thread(), place = places::of_thread(me), first_of_mine = places::of_thread(me & ~Plan::warp_bits);
  T2C_UNROLL
  for (int first = 0; first < Plan::kept; first += step) {
    if ((me & Plan::lane_bits) == 0) {
      T2C_UNROLL
      for (int n = 0; n < step; ++n) scratch[n * places::size + place] = part[first + n];
    }
    backend::sync();
    T2C_UNROLL
    for (int n = 0; n < step; ++n) part[first + n] = fold_neighbours<places::warps>(scratch + n * places::size + first_of_mine, op);
    backend::sync();
  }
}

/// Folds all slots of `part` along the axis; the first `Plan::kept` values are then the results, in result_layout.
template <class Plan, class V, class Op> T2C_FN void fold_axis(V* part, Op op) {
  if constexpr (Plan::slot_bits != 0) {
    fold_slots<Plan>(part, op);
    keep_results<Plan>(part);
  }
  if constexpr (Plan::lane_bits != 0) fold_lanes<Plan>(part, op);
  if constexpr (Plan::warp_bits != 0) fold_warps<Plan>(part, op);
}

template <class T, size_t Axis>
using folded_tile = tile<tile_element_t<T>, with_extent_t<tile_shape_t<T>, Axis, 1>>;

/// Folds `x` along the axis and keeps the axis with extent 1; `op` is associative and commutative.
template <size_t Axis, class E, class Shape, class Op>
T2C_FN tile<E, with_extent_t<Shape, Axis, 1>> fold(tile<E, Shape> const& x, Op op) {
  using Result = with_extent_t<Shape, Axis, 1>;
  using Plan = fold_plan<Shape, Axis>;
  tile<E, Shape> work = x;
  fold_axis<Plan>(&work.own[0], op);
  tile<E, Result> result;
  move<layout<Result>, typename Plan::result_layout>(&work.own[0], &result.own[0], same_index{});
  return result;
}

}  // namespace tile2cpp::meta
