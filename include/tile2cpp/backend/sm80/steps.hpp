// backend/sm80/steps.hpp: the sums of a block += factors in shared memory, warp by warp, step by step.
#pragma once

#include "tile2cpp/backend/primitives.hpp"
#include "tile2cpp/backend/sm80/ahead.hpp"
#include "tile2cpp/backend/sm80/fragments.hpp"
#include "tile2cpp/backend/sm80/mma_sync.hpp"
#include "tile2cpp/mma_types.hpp"

namespace tile2cpp::backend {

/// Which blocks of 16 rows by 8 columns of a result of shape `SC` a warp holds: in its slots, columns first. Blocks
/// of rows that lie in one matrix of a batch form a group.
template <class SA, class SB, class SC> struct warp_share {
  using map = layout<SC>;
  static constexpr meta::product_extents e = meta::extents_of_product<SA, SB>(int(meta::extent_from_end<SC>(2)));

  /// How many blocks the slot bits with these weights make.
  T2C_BOTH static constexpr int blocks(int from, int below) {
    int count = 1;
    for (int k = 0; k < map::bits.slot_bits; ++k)
      if (from <= map::bits.slot[k] && map::bits.slot[k] < below) count *= 2;
    return count;
  }
  static constexpr int columns = blocks(8, e.n);
  static constexpr int rows = blocks(16 * e.n, e.m * e.n);
  static constexpr int groups = blocks(e.m * e.n, e.batch * e.m * e.n);
  static constexpr bool paired = columns > 1;  // 16 columns lie side by side

  T2C_BOTH static constexpr int row_of(int block) { return map::offset(4 * columns * block) / e.n; }
  T2C_BOTH static constexpr int column_of(int block) { return map::offset(4 * block) % e.n; }
};

template <class Share, class MA, class MB> struct fragment_places {
  static constexpr int step = fragment_reader<MA, true>::step;

  template <int Steps> T2C_BOTH static constexpr meta::table<Steps> steps_of_a() {
    meta::table<Steps> places{};
    for (int k = 0; k < Steps; ++k) places.at[k] = MA::element_place(0, k * step);
    return places;
  }
  template <int Steps> T2C_BOTH static constexpr meta::table<Steps> steps_of_b() {
    meta::table<Steps> places{};
    for (int k = 0; k < Steps; ++k) places.at[k] = MB::element_place(0, k * step);
    return places;
  }
  T2C_BOTH static constexpr meta::table<Share::rows> rows() {
    meta::table<Share::rows> places{};
    for (int i = 0; i < Share::rows; ++i) places.at[i] = MA::element_place(Share::row_of(i), 0);
    return places;
  }
  T2C_BOTH static constexpr meta::table<Share::columns> columns() {
    meta::table<Share::columns> places{};
    for (int i = 0; i < Share::columns; ++i) places.at[i] = MB::element_place(Share::column_of(i), 0);
    return places;
  }
};

/// The factors of one step in registers.
template <class Share, class MA, class MB> struct step_fragments {
  static constexpr bool wide = MA::size == 8;
  using word = meta::conditional_t<wide, double, unsigned>;
  using places = fragment_places<Share, MA, MB>;
  word a[Share::rows][wide ? 2 : 4];
  word b[Share::columns][wide ? 1 : 2];
  static constexpr int words = 4 * Share::rows + 2 * Share::columns;  // where they have 32 bits

  T2C_FN word& word_at(int number) {
    return number < 4 * Share::rows ? a[number / 4][number % 4] : b[(number - 4 * Share::rows) / 2][number % 2];
  }
  T2C_FN void read(fragment_reader<MA, true> const& from_a, fragment_reader<MB, false> const& from_b, int a_step, int b_step) {
    constexpr auto rows = places::rows();
    constexpr auto columns = places::columns();
    T2C_UNROLL
    for (int i = 0; i < Share::rows; ++i) from_a.sixteen(a[i], rows.at[i] ^ a_step);
    T2C_UNROLL
    for (int j = 0; j < Share::columns; j += Share::paired ? 2 : 1) {
      if constexpr (Share::paired && !wide) {
        word both[4];
        from_b.sixteen(both, columns.at[j] ^ b_step);
        b[j][0] = both[0], b[j][1] = both[1], b[j + 1][0] = both[2], b[j + 1][1] = both[3];
      } else if constexpr (Share::paired) {
        from_b.eight(b[j], columns.at[j] ^ b_step);
        from_b.eight(b[j + 1], columns.at[j + 1] ^ b_step);
      } else {
        from_b.eight(b[j], columns.at[j] ^ b_step);
      }
    }
  }

  template <class Sum> T2C_FN void multiply(Sum* sums) const {
    if constexpr (is_small_float<typename MA::element>) multiply_widened(sums);
    else multiply_words(sums);
  }

 private:
  /// A word holds four elements along the summed axis, which go to the two words of the wider instruction: in which order does not
  /// matter, as long as it is the same for both factors.
  template <class Sum> T2C_FN void multiply_widened(Sum* sums) const {
    using E = typename MA::element;
    using instruction = matrix_instruction<multiplied_t<E>, multiplied_t<typename MB::element>>;
    T2C_UNROLL
    for (int half = 0; half < 2; ++half) {
      unsigned left[Share::rows][4];
      T2C_UNROLL
      for (int i = 0; i < Share::rows; ++i) {
        T2C_UNROLL
        for (int n = 0; n < 4; ++n) left[i][n] = widen_pair<E>(a[i][2 * half + n % 2], n > 1);
      }
      T2C_UNROLL
      for (int j = 0; j < Share::columns; ++j) {
        unsigned const right[2] = {widen_pair<typename MB::element>(b[j][half], false), widen_pair<typename MB::element>(b[j][half], true)};
        T2C_UNROLL
        for (int i = 0; i < Share::rows; ++i) instruction::run(sums + 4 * (i * Share::columns + j), left[i], right);
      }
    }
  }

  template <class Sum> T2C_FN void multiply_words(Sum* sums) const {
    using instruction = matrix_instruction<multiplied_t<typename MA::element>, multiplied_t<typename MB::element>>;
    T2C_UNROLL
    for (int i = 0; i < Share::rows; ++i) {
      T2C_UNROLL
      for (int n = 0; n < Share::columns; ++n) {
        int const j = i & 1 ? Share::columns - 1 - n : n;  // back and forth: a register just read is read again
        if constexpr (wide) instruction::run(sums + 4 * (i * Share::columns + j), a[i], b[j][0]);
        else instruction::run(sums + 4 * (i * Share::columns + j), a[i], b[j]);
      }
    }
  }
};

/// Nothing to wait for and nothing to do meanwhile: for factors that are there.
struct no_hooks {
  T2C_FN void arrive() const {}
  T2C_FN bool refilled() const { return false; }
  static constexpr bool reads_ahead = false;
  static constexpr int parts = 1;
  T2C_FN void meanwhile(int) const {}
};

/// sums += a * b for one pair of matrices. The factors of the next step are read while those of this one multiply.
/// `hooks.refilled()` is asked once, after the first read: if so that read was too early. `hooks.meanwhile(n)`
/// is called for each of its parts, of which there are no more than steps: one behind each step's instructions.
/// Where `reads_ahead`, the first fragments were read by the product before, and the last step reads those of the next one, from where
/// `hooks.next_arrives()` says, in bytes from here.
template <class Share, int Steps, class MA, class MB, class Sum, class Hooks>
T2C_FN void multiply_steps(Sum* sums, fragment_reader<MA, true> from_a, fragment_reader<MB, false> from_b, Hooks& hooks) {
  constexpr int most = 8, unrolled = Steps < most ? Steps : most;
  constexpr auto a_steps = fragment_places<Share, MA, MB>::template steps_of_a<Steps>();
  constexpr auto b_steps = fragment_places<Share, MA, MB>::template steps_of_b<Steps>();
  int const lane_a = from_a.lane_place, lane_b = from_b.lane_place;
  step_fragments<Share, MA, MB> now, next;
  if constexpr (Hooks::reads_ahead) take_fragments(now, meta::make_index_list<size_t(now.words)>{});
  else now.read(from_a, from_b, 0, 0);
  if (__builtin_expect(hooks.refilled(), 0)) now.read(from_a, from_b, 0, 0);
  T2C_KEEP_LOOP
  for (int first = 0; first < Steps; first += unrolled) {
    if constexpr (Steps > unrolled) {
      from_a.lane_place = lane_a ^ MA::element_place(0, first * from_a.step);
      from_b.lane_place = lane_b ^ MB::element_place(0, first * from_b.step);
      if (first != 0) now.read(from_a, from_b, 0, 0);
    }
    T2C_UNROLL
    for (int k = 0; k < unrolled; ++k) {
      if (k + 1 < unrolled) {
        next.read(from_a, from_b, a_steps.at[k + 1], b_steps.at[k + 1]);
      } else if constexpr (Hooks::reads_ahead) {
        unsigned const distance = hooks.next_arrives();
        from_a.address += distance, from_b.address += distance;
        next.read(from_a, from_b, 0, 0);
        leave_fragments(next, meta::make_index_list<size_t(next.words)>{});
      }
      now.multiply(sums);
      if (first == 0 && k < Hooks::parts) hooks.meanwhile(k);
      now = next;
    }
  }
}

/// sums += a * b for every matrix of the batch; the matrices of a factor lie one behind the other. `hooks.arrive()` is called before
/// the first read, when it is known where to read: what it waits for should not wait for that as well.
template <class Share, class MA, class MB, int Depth, class Sum, class Hooks>
T2C_FN void multiply_shared(Sum* sums, unsigned a, unsigned b, Hooks& hooks) {
  constexpr meta::product_extents e = Share::e;
  constexpr int steps = Depth / fragment_reader<MA, true>::step;
  int const me = thread(), lane = me & 31;
  int const first = Share::map::base(me & ~31), row = first / e.n, column = first % e.n;
  no_hooks none;
  T2C_UNROLL
  for (int group = 0; group < Share::groups; ++group) {
    int const batch = e.batch == 1 ? 0 : (row + Share::row_of(group * Share::rows)) / e.m;
    fragment_reader<MA, true> from_a(a + (e.a_batch == 1 ? 0 : batch * MA::bytes), row % e.m, lane);
    fragment_reader<MB, false> from_b(b + (e.b_batch == 1 ? 0 : batch * MB::bytes), column, lane);
    if (group == 0) {
      from_a.settle();
      from_b.settle();
      hooks.arrive();
    }
    Sum* const mine = sums + 4 * group * Share::rows * Share::columns;
    if (group == 0) multiply_steps<Share, steps>(mine, from_a, from_b, hooks);
    else multiply_steps<Share, steps>(mine, from_a, from_b, none);
  }
}

}  // namespace tile2cpp::backend
