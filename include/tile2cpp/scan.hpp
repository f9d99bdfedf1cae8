// scan.hpp: running sums and products along one axis.
//
// The elements of an axis form a hypercube over the bits of their coordinate. Going from the lowest bit to
// the highest, every element knows the total of its block; the block with the bit set takes the total of its
// neighbour into its running values, and both take the sum as their new total. A step over a slot bit renames
// registers, over a lane bit shuffles, over a warp bit goes through scratch memory.
#pragma once

#include "tile2cpp/reduce.hpp"

namespace tile2cpp {
namespace meta {

/// Where bit number `bit` of the coordinate along an axis lives: in a slot bit, or in a thread bit.
struct scan_step {
  int slot_bit;    // -1: not in the slots
  int thread_bit;  // -1: not in the threads
};

T2C_BOTH constexpr scan_step find_step(bit_map const& bits, int weight) {
  for (int k = 0; k < bits.slot_bits; ++k)
    if (bits.slot[k] == weight) return {k, -1};
  for (int k = 0; k < bits.thread_bits; ++k)
    if (bits.thread[k] == weight) return {-1, k};
  return {-1, -1};
}

/// The scan of one layout along one axis. `running` holds the results so far, `total` the sums of blocks:
/// once the slot bits in `Done` are summed over, slots that differ there share the total of the lowest of them.
template <class Shape, size_t Axis, bool Backward> struct axis_scan {
  static constexpr bit_map bits = layout<Shape>::bits;
  static constexpr int slots = layout<Shape>::slots;
  static constexpr int stride = static_cast<int>(row_major_stride<Shape>(Axis));
  static constexpr int steps = log2(Shape::static_extent(Axis));

  /// Slot bits of the axis below bit `step` of the coordinate.
  T2C_BOTH static constexpr int done_before(int step) {
    int done = 0;
    for (int k = 0; k < step; ++k) {
      scan_step const place = find_step(bits, stride << k);
      if (place.slot_bit >= 0) done |= 1 << place.slot_bit;
    }
    return done;
  }

  template <int Done, int SlotBit, class V, class Op> T2C_FN static void slot_step(V* running, V* total, Op op) {
    constexpr int bit = 1 << SlotBit;
    T2C_UNROLL
    for (int s = 0; s < slots; ++s) {
      if (s & bit) continue;
      int const first = Backward ? s | bit : s, second = Backward ? s : s | bit;
      running[second] = op(total[first & ~Done], running[second]);
    }
    T2C_UNROLL
    for (int s = 0; s < slots; ++s) {
      if (s & (bit | Done)) continue;
      total[s] = Backward ? op(total[s | bit], total[s]) : op(total[s], total[s | bit]);
    }
  }

  template <int Done, int ThreadBit, class V, class Op> T2C_FN static void thread_step(V* running, V* total, Op op) {
    V theirs[slots];
    swap_totals<Done, ThreadBit>(total, &theirs[0]);
    bool const upper = backend::thread() >> ThreadBit & 1;
    bool const later = upper != Backward;
    T2C_UNROLL
    for (int s = 0; s < slots; ++s)
      if (later) running[s] = op(theirs[s & ~Done], running[s]);
    T2C_UNROLL
    for (int s = 0; s < slots; ++s) {
      if (s & Done) continue;
      total[s] = later ? op(theirs[s], total[s]) : op(total[s], theirs[s]);
    }
  }

  /// The totals of the thread that differs in one bit of its number.
  template <int Done, int ThreadBit, class V> T2C_FN static void swap_totals(V const* total, V* theirs) {
    if constexpr (ThreadBit < 5) {
      T2C_UNROLL
      for (int s = 0; s < slots; ++s)
        if (!(s & Done)) theirs[s] = backend::shuffle_xor(total[s], 1 << ThreadBit);
    } else {
      constexpr int room = backend::scratch_bytes / static_cast<int>(sizeof(V) * backend::threads);
      V* scratch = reinterpret_cast<V*>(backend::scratch());
      int const me = backend::thread(), other = me ^ 1 << ThreadBit;
      T2C_UNROLL
      for (int first = 0; first < slots; first += room) {
        T2C_UNROLL
        for (int s = first; s < slots && s < first + room; ++s)
          if (!(s & Done)) scratch[(s - first) * backend::threads + me] = total[s];
        backend::sync();
        T2C_UNROLL
        for (int s = first; s < slots && s < first + room; ++s)
          if (!(s & Done)) theirs[s] = scratch[(s - first) * backend::threads + other];
        backend::sync();
      }
    }
  }

  template <int Step, class V, class Op> T2C_FN static void run_from(V* running, V* total, Op op) {
    if constexpr (Step < steps) {
      constexpr scan_step place = find_step(bits, stride << Step);
      if constexpr (place.slot_bit >= 0) slot_step<done_before(Step), place.slot_bit>(running, total, op);
      else thread_step<done_before(Step), place.thread_bit>(running, total, op);
      run_from<Step + 1>(running, total, op);
    }
  }
};

/// One thread holds the whole tile: each element takes the one before it along the axis.
template <class Shape, size_t Axis, bool Backward, class V, class Op> T2C_FN void scan_alone(V* own, Op op) {
  constexpr int extent = static_cast<int>(Shape::static_extent(Axis));
  constexpr int stride = static_cast<int>(row_major_stride<Shape>(Axis));
  constexpr int size = static_cast<int>(product_of_extents<Shape>());
  for (int line = 0; line < size; line += stride * extent)
    for (int k = 1; k < extent; ++k)
      for (int i = 0; i < stride; ++i) {
        int const here = line + i + stride * (Backward ? extent - 1 - k : k);
        own[here] = op(own[here + (Backward ? stride : -stride)], own[here]);
      }
}

/// Inclusive scan of `x` along the axis; `op` is associative.
template <size_t Axis, scan_direction Direction, class E, class Shape, class Op>
T2C_FN tile<E, Shape> scan(tile<E, Shape> x, Op op) {
  constexpr bool backward = Direction == scan_direction::backward;
  if constexpr (backend::threads == 1) {
    scan_alone<Shape, Axis, backward>(&x.own[0], op);
  } else {
    tile<E, Shape> total = x;
    axis_scan<Shape, Axis, backward>::template run_from<0>(&x.own[0], &total.own[0], op);
  }
  return x;
}

/// half and bfloat16 run in float and are rounded at the end.
template <size_t Axis, scan_direction Direction, class T, class Op> T2C_FN remove_cv_t<T> scan_wide(T const& x, Op op) {
  using E = tile_element_t<T>;
  if constexpr (is_half_precision<E>) {
    auto const wide = scan<Axis, Direction>(map_elements<float>(x, [](E const& e) { return convert<float>(e); }), op);
    return map_elements<E>(wide, [](float e) { return convert<E>(e); });
  } else {
    return scan<Axis, Direction>(settled(x), op);
  }
}

}  // namespace meta

// Result i combines the elements up to i; backward, those from i on.
#define T2C_SCAN(name, function)                                                                                  \
  template <auto D, scan_direction Direction = default_scan_direction(), class T>                                 \
    requires meta::reducible<T, D>                                                                                \
  T2C_FN meta::remove_cv_t<T> name(T const& x) {                                                                                     \
    return meta::scan_wide<D, Direction>(x, meta::function<>{});                                                  \
  }                                                                                                               \
  template <auto D, scan_direction Direction = default_scan_direction(), class T>                                 \
    requires meta::reducible<T, D>                                                                                \
  T2C_FN meta::remove_cv_t<T> name(T const& x, integral_constant<D>, scan_direction_constant<Direction> = {}) {                      \
    return meta::scan_wide<D, Direction>(x, meta::function<>{});                                                  \
  }                                                                                                               \
  template <auto D, rounding_mode M, subnormals_rounding_mode S = default_subnormals_rounding_mode(),             \
            scan_direction Direction = default_scan_direction(), class T>                                         \
    requires meta::reducible_rounding<T, D, M, S>                                                                 \
  T2C_FN meta::remove_cv_t<T> name(T const& x, integral_constant<D>, rounding_mode_constant<M>,                                      \
                subnormals_rounding_mode_constant<S> = {}, scan_direction_constant<Direction> = {}) {             \
    return meta::scan<D, Direction>(meta::settled(x), meta::function<M, S>{});                                                   \
  }
T2C_SCAN(partial_sum, add_op)
T2C_SCAN(partial_prod, mul_op)
#undef T2C_SCAN

}  // namespace tile2cpp
