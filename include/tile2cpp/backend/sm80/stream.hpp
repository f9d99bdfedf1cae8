// backend/sm80/stream.hpp: products whose factors come straight from arrays, fetched some iterations ahead.
//
// Shared memory holds a ring of stages, each with both factors of one product. A product of a loop is likely to
// be followed by one whose factors lie a step further along the summed axis; so those are fetched in advance. The next
// product compares what was noted with what it is given: arrays, extents, strides and tile indices. If they agree
// it uses the stage, else it fetches its own factors and starts the ring anew. So a wrong guess costs time, never
// correctness, whatever the loop does. Each warp keeps its own copy of the note, so that reading it takes no barrier.
#pragma once

#include "tile2cpp/backend/sm80/fetch.hpp"
#include "tile2cpp/backend/sm80/multiply.hpp"
#include "tile2cpp/backend/sm80/note.hpp"
#include "tile2cpp/mirrored.hpp"
#include "tile2cpp/tile_source.hpp"

namespace tile2cpp::backend {

/// The stages of a product.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class SC> struct stream_plan {
  static constexpr meta::product_extents e = meta::extents_of_product<SA, SB>(int(meta::extent_from_end<SC>(2)));
  static constexpr int rank = int(SC::rank());
  static constexpr bool a_mirrored = meta::is_mirrored<SA, typename SpanA::mapping_type>();
  static constexpr bool b_mirrored = meta::is_mirrored<SB, typename SpanB::mapping_type>();
  using a_matrix = shared_matrix<staged_factor_t<A>, e.m, e.k, a_mirrored ? row_holds::outer_axis : row_holds::summed_axis>;
  using b_matrix = shared_matrix<staged_factor_t<B>, e.n, e.k, b_mirrored ? row_holds::summed_axis : row_holds::outer_axis>;
  static constexpr int a_bytes = e.a_batch * a_matrix::bytes;
  static constexpr int stage_bytes = a_bytes + e.b_batch * b_matrix::bytes;
  static constexpr int room = T2C_SHARED / stage_bytes;
  static constexpr int stages = room < 5 ? room : 5;

  using a_words = meta::span_words<SpanA>;
  using b_words = meta::span_words<SpanB>;
  static constexpr int words = a_words::count + b_words::count + 2 * (rank - 1);

  /// Two kinds with one number have stages of one form, and notes that mean the same.
  static constexpr int kind = 1 + (meta::log2(e.m) | meta::log2(e.n) << 4 | meta::log2(e.k) << 8 | meta::log2(e.a_batch) << 12 |
                                   meta::log2(e.b_batch) << 16 | meta::log2(sizeof(A)) << 20 | (rank - 2) << 22 | a_mirrored << 23 |
                                   b_mirrored << 24 | a_words::dense << 25 | b_words::dense << 26 | (a_words::number - 1) << 27 |
                                   (b_words::number - 1) << 28);
  static constexpr bool fits_kind = e.m < 1 << 16 && e.n < 1 << 16 && e.k < 1 << 16 && e.a_batch < 1 << 16 && e.b_batch < 1 << 16;
  static constexpr bool whole_pieces = a_matrix::row_bytes >= 16 && b_matrix::row_bytes >= 16;
};

/// Whether the stages hold two products or more, and their factors may be fetched by the product.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC>
T2C_BOTH constexpr bool stages_fit() {
  if constexpr (!has_matrix_instruction<A, SA, B, SB, SC>() || sizeof(A) != sizeof(staged_factor_t<A>)) return false;
  else if constexpr (int(meta::extent_from_end<SA>(0)) * int(sizeof(A)) < 32) return false;
  else {
    using plan = stream_plan<A, SA, SpanA, B, SB, SpanB, SC>;
    return plan::stages >= 2 && plan::whole_pieces && plan::fits_kind && plan::words <= most_words;
  }
}

/// Matrix `batch` of a tile as rows of adjacent elements.
template <bool Mirrored, class E, class Shape>
T2C_FN matrix_rows<E> rows_of(window<E const, Shape> const& w, int batch) {
  constexpr int last = window<E const, Shape>::last, row = Mirrored ? last : last - 1, column = 2 * last - 1 - row;
  matrix_rows<E> from{w.origin, w.stride[row], w.stride[column], w.valid[row], w.valid[column]};
  if constexpr (last == 2) {
    from.origin += batch * w.stride[0];
    if (batch >= w.valid[0]) from.rows = 0;
  }
  return from;
}
template <bool, class E, class Shape>
T2C_FN matrix_rows<E> rows_of(mirrored_window<E const, Shape> const& w, int batch) {
  return rows_of<true>(w.straight, batch);
}

template <class E, class Shape> T2C_FN auto const& straight(window<E, Shape> const& w) { return w; }
template <class E, class Shape> T2C_FN auto const& straight(mirrored_window<E, Shape> const& w) { return w.straight; }

/// The same tile, for code that seldom runs: compilers would compute what it needs in front of the branch to it. To be given a name:
/// NVRTC 13.0 lost the indices of a temporary of rank 3.
template <class Source> T2C_FN Source only_here(Source const& tile) {
  int zero = 0;
  asm volatile("" : "+r"(zero));
  Source same = tile;
  T2C_UNROLL
  for (int axis = 0; axis < Source::rank; ++axis) same.index[axis] += zero;
  return same;
}

/// One product on its way through the ring. `ReadsAhead`: it begins with fragments that the last one read, and reads the next one's.
template <class Plan, class SourceA, class SourceB, bool ReadsAhead> struct ring_turn {
  using a_matrix = typename Plan::a_matrix;
  using b_matrix = typename Plan::b_matrix;
  static constexpr int stages = Plan::stages;
  static constexpr int a_axis = Plan::rank - 1, b_axis = Plan::rank - 2;  // the summed ones
  static constexpr bool single = Plan::e.a_batch == 1 && Plan::e.b_batch == 1;
  SourceA const& a;
  SourceB const& b;
  unsigned memory;  // where the stages begin
  int head;         // the stage of this product
  // As noted: its indices, the products that can be fetched without a look at edges, the step from one to the next, where the copies of
  // this thread begin, and which factors the stage holds.
  int a_index, b_index, regular;
  ring_course course{0, 1, 0, 0};
  ring_pointers next{};
  unsigned noted[Plan::words];
  static constexpr int steps = Plan::e.k * a_matrix::size / 32;
  static constexpr int parts = steps > 8 ? 1 : steps < 4 ? steps : 4;  // of a fetch: one for each step, between its instructions
  static constexpr bool reads_ahead = ReadsAhead;
  using notes = ring_notes<ReadsAhead>;
  static constexpr int under_way = parts < steps ? stages - 2 : stages - 3;  // whole fetches behind the next stage, in front of the last step

  T2C_FN unsigned stage(int ahead) const {
    return memory + (head + ahead < stages ? head + ahead : head + ahead - stages) * Plan::stage_bytes;
  }

  /// Starts to fetch the factors of the product `ahead` of this one.
  T2C_FN void fetch(int ahead) const {
    unsigned const to = stage(ahead);
    auto const here_a = only_here(a);
    auto const here_b = only_here(b);
    auto const from_a = here_a.template locate<a_axis>(ahead * course.step);
    auto const from_b = here_b.template locate<b_axis>(ahead * course.step);
    T2C_UNROLL
    for (int batch = 0; batch < Plan::e.a_batch; ++batch) fetch_one<a_matrix>(to + batch * a_matrix::bytes, from_a, batch, a.span);
    T2C_UNROLL
    for (int batch = 0; batch < Plan::e.b_batch; ++batch) fetch_one<b_matrix>(to + Plan::a_bytes + batch * b_matrix::bytes, from_b, batch, b.span);
  }
  template <class Matrix, class Window, class Span> T2C_FN static void fetch_one(unsigned to, Window const& tile, int batch, Span const& array) {
    auto from = rows_of<false>(tile, batch);
    from.lie_in(array);
    fetch_matrix<Matrix>(to, from);
  }

  /// Everything that says where the factors are, but for their indices along the summed axis.
  T2C_FN void describe(unsigned (&words)[Plan::words]) const {
    Plan::a_words::write(a.span, words);
    Plan::b_words::write(b.span, words + Plan::a_words::count);
    int at = Plan::a_words::count + Plan::b_words::count;
    T2C_UNROLL
    for (int axis = 0; axis < Plan::rank; ++axis) {
      if (axis != a_axis) words[at++] = static_cast<unsigned>(a.index[axis]);
      if (axis != b_axis) words[at++] = static_cast<unsigned>(b.index[axis]);
    }
  }

  /// Now the stage of this product is here, and the last one's is free: if all goes as expected. What was noted is read before the
  /// barrier, and compared when the first fragments are on their way.
  T2C_FN void arrive() {
    course = notes::course(noted);
    next = notes::pointers();
    if constexpr (!reads_ahead) {
      wait_copies<stages - 2>();
      sync();
    }
  }

  /// Waits for the next stage, in front of the last step: all warps have then read this one to its end, so the next product may fetch
  /// to it without one more barrier.
  T2C_FN unsigned next_arrives() const {
    wait_copies<under_way>();
    sync();
    return stage(1) - stage(0);
  }

  /// Whether the stage did not hold these factors; then it does now.
  T2C_FN bool refilled() {
    unsigned words[Plan::words];
    describe(words);
    unsigned part[4] = {static_cast<unsigned>(course.kind ^ Plan::kind), 0, 0, 0};  // so that few of them wait for each other
    T2C_UNROLL
    for (int i = 0; i < Plan::words; ++i) part[i % 4] |= noted[i] ^ words[i];
    unsigned const differs = part[0] | part[1] | part[2] | part[3];
    int const off = a.index[a_axis] - a_index;
    if ((differs | static_cast<unsigned>(off) | static_cast<unsigned>(b.index[b_axis] ^ b_index)) == 0) return false;

    // The step may be another one than expected.
    bool const together = differs == 0 && b.index[b_axis] - b_index == off && course.step + off > 0;
    course.step = together ? course.step + off : 1;
    refill();
    return true;
  }

  T2C_FN void refill() {
    wait_copies<0>();
    sync();
    T2C_KEEP_LOOP
    for (int ahead = 0; ahead < stages - 1; ++ahead) {
      fetch(ahead);
      close_copies();
    }
    course.kind = Plan::kind;
    prepare_regular();
    wait_copies<stages - 2>();
    sync();
    unsigned words[Plan::words];
    describe(words);
    notes::note(course, words);
  }

  /// Where this thread's copies begin, and how many products can be fetched from there on without a look at edges.
  T2C_FN void prepare_regular() {
    regular = 0;
    if constexpr (!single) return;
    auto const here_a = only_here(a);
    auto const here_b = only_here(b);
    auto const from_a = here_a.template locate<a_axis>((stages - 1) * course.step);
    auto const from_b = here_b.template locate<b_axis>((stages - 1) * course.step);
    auto const rows_a = rows_of<false>(from_a, 0);
    auto const rows_b = rows_of<false>(from_b, 0);
    auto const& along_a = straight(from_a);
    auto const& along_b = straight(from_b);
    course.a_bytes = course.step * Plan::e.k * along_a.stride[a_axis] * a_matrix::size;
    course.b_bytes = course.step * Plan::e.k * along_b.stride[b_axis] * b_matrix::size;
    next = ring_pointers{first_piece<a_matrix>(rows_a), first_piece<b_matrix>(rows_b)};
    bool const even = pieces_align(rows_a) && pieces_align(rows_b) && (course.a_bytes | course.b_bytes) % 16 == 0;
    if (!even || !is_whole<a_matrix>(rows_a) || !is_whole<b_matrix>(rows_b)) return;
    int const left = along_a.left[a_axis] < along_b.left[b_axis] ? along_a.left[a_axis] : along_b.left[b_axis];
    regular = (left / Plan::e.k - 1) / course.step + 1;
  }

  /// Fetches one product more, in parts, and notes what the next one is expected to be.
  T2C_FN void meanwhile(int part) {
    unsigned const to = stage(stages - 1);
    bool const plain = single && regular > 0;
    if constexpr (single) {
      if (part == 0) notes::note(ring_pointers{next.a + course.a_bytes, next.b + course.b_bytes});
      auto const place_a = a.template locate<a_axis>(0);
      auto const place_b = b.template locate<b_axis>(0);
      long long const a_stride = straight(place_a).stride[Plan::a_mirrored ? a_axis : a_axis - 1];
      long long const b_stride = straight(place_b).stride[Plan::b_mirrored ? b_axis + 1 : b_axis];
      copy_part<a_matrix, parts>(plain && has_pieces<a_matrix>(), to, next.a, a_stride, part);
      copy_part<b_matrix, parts>(plain && has_pieces<b_matrix>(), to + Plan::a_bytes, next.b, b_stride, part);
    }
    if (part == parts - 1) finish(plain);
  }
  T2C_FN void finish(bool plain) const {
    if (__builtin_expect(!plain, 0)) fetch(stages - 1);
    close_copies();
    notes::note(ring_position{head + 1 < stages ? head + 1 : 0, regular - 1 > 0 ? regular - 1 : 0, a.index[a_axis] + course.step, b.index[b_axis] + course.step});
  }
};

/// Whether a product can read the first fragments of the next one: all steps are unrolled, whole fetches are under way behind it, and a
/// thread has registers for the sums, two steps and addresses.
template <class Plan, class Share> T2C_BOTH constexpr bool reads_ahead() {
  constexpr int size = Plan::a_matrix::size, steps = Plan::e.k * size / 32, registers = threads > 256 ? 65536 / threads : 255;
  constexpr int sums = 4 * Share::rows * Share::columns, words = 4 * Share::rows + 2 * Share::columns;
  constexpr bool alone = Share::groups == 1 && Plan::e.batch == 1;
  return T2C_READS_AHEAD && alone && Plan::stages >= 3 && size <= 4 && steps > 1 && steps <= 8 && words <= most_words_ahead && sums + 2 * words + 40 <= registers;
}

/// sums += a * b with both factors fetched from arrays.
template <class SC, class A, class SA, class SpanA, class B, class SB, class SpanB, class Sum>
T2C_FN void add_streamed(tile_source<A, SA, SpanA> const& a, tile_source<B, SB, SpanB> const& b, Sum* sums) {
  using plan = stream_plan<A, SA, SpanA, B, SB, SpanB, SC>;
  using share = warp_share<SA, SB, SC>;
  using turn_type = ring_turn<plan, tile_source<A, SA, SpanA>, tile_source<B, SB, SpanB>, reads_ahead<plan, share>()>;
  if constexpr (!turn_type::reads_ahead) __syncwarp();  // the note was written by one lane
  ring_position const noted = turn_type::notes::position();
  turn_type turn{a, b, shared_address(stage_memory()), noted.head < plan::stages ? noted.head : 0, noted.a_index, noted.b_index, noted.regular};
  unsigned const stage = turn.stage(0);
  multiply_shared<share, typename plan::a_matrix, typename plan::b_matrix, plan::e.k>(sums, stage, stage + plan::a_bytes, turn);
}

}  // namespace tile2cpp::backend
