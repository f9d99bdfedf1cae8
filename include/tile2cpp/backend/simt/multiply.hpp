// backend/simt/multiply.hpp: a product by plain multiply-adds, the factors shared through scratch memory.
//
// The factors pass in slabs of a few columns of a and as many rows of b, already in the type of the sums. Each thread
// keeps its elements of the result in registers; for every k it reads the rows and columns that they need, and
// multiplies all pairs. Which those are follows from the bits of the result's layout.
#pragma once

#include "tile2cpp/backend/factor.hpp"
#include "tile2cpp/backend/memory.hpp"

namespace tile2cpp::backend {

/// How a product passes through scratch memory: a slab holds a as [batch][m][depth] and b as [batch][depth][n].
template <class SA, class SB, class SC, class Sum>
struct product_plan {
  static constexpr meta::product_extents e = meta::extents_of_product<SA, SB>(int(meta::extent_from_end<SC>(2)));
  static constexpr int lines = e.a_batch * e.m + e.b_batch * e.n;  // numbers per k
  static_assert(lines * int(sizeof(Sum)) <= scratch_bytes, "mma: one column of a and one row of b fit the scratch memory");

  T2C_BOTH static constexpr int largest_depth() {
    int depth = e.k;
    while (depth * lines * int(sizeof(Sum)) > scratch_bytes) depth /= 2;
    return depth;
  }
  static constexpr int depth = largest_depth();
  static constexpr int slabs = e.k / depth;
  static constexpr int a_size = e.a_batch * e.m * depth;
  static constexpr int b_begin = a_size * int(sizeof(Sum)) < 16 ? 16 / int(sizeof(Sum)) : a_size;  // where vectors may begin

  /// Where the row of a, or the column of b, that element `index` of the result needs begins in a slab.
  T2C_BOTH static constexpr int a_line(int index) {
    int const m = index / e.n % e.m, batch = e.a_batch == 1 ? 0 : index / e.n / e.m;
    return (batch * e.m + m) * depth;
  }
  T2C_BOTH static constexpr int b_line(int index) {
    int const n = index % e.n, batch = e.b_batch == 1 ? 0 : index / e.n / e.m;
    return b_begin + batch * depth * e.n + n;
  }

  /// The slab that element `index` of a factor belongs to, and its place there.
  T2C_BOTH static constexpr int a_slab(int index) { return index % e.k / depth; }
  T2C_BOTH static constexpr int a_place(int index) { return index / e.k * depth + index % depth; }
  T2C_BOTH static constexpr int b_slab(int index) { return index / e.n % e.k / depth; }
  T2C_BOTH static constexpr int b_place(int index) {
    int const k = index / e.n % depth, batch = index / e.n / e.k;
    return b_begin + (batch * depth + k) * e.n + index % e.n;
  }
};

/// The distinct lines that the slots of one thread need, and which of them each slot needs. A slot bit whose weight
/// moves the line counts; the others repeat it.
template <int Slots>
struct line_table {
  int count = 1;
  int line[Slots] = {};
  int of_slot[Slots] = {};
};

template <class Layout, class Line>
T2C_BOTH constexpr line_table<Layout::slots> lines_of(Line line) {
  line_table<Layout::slots> table{};
  int const origin = line(0);
  for (int bit = 0; bit < Layout::bits.slot_bits; ++bit) {
    int const moved = line(Layout::bits.slot[bit]) - origin;
    for (int s = 0; s < Layout::slots; ++s)
      if (moved != 0 && (s >> bit & 1)) table.of_slot[s] += table.count;
    for (int i = 0; moved != 0 && i < table.count; ++i) table.line[table.count + i] = table.line[i] + moved;
    if (moved != 0) table.count *= 2;
  }
  return table;
}

/// Slab and place of each slot of a factor, for the unrolled copy into scratch memory.
template <int Runs>
struct place_table {
  int slab[Runs];
  int place[Runs];
};

template <class Layout, class Slab, class Place>
T2C_BOTH constexpr place_table<Layout::slots> places_of(Slab slab, Place place) {
  place_table<Layout::slots> table{};
  for (int s = 0; s < Layout::slots; ++s) {
    table.slab[s] = slab(Layout::offset(s));
    table.place[s] = place(Layout::offset(s)) - place(0);
  }
  return table;
}

/// Writes the elements of `factor` that belong to slab `wanted`. `Depth` is how far neighbours stay in one slab.
template <int Depth, class Layout, class Sum, class E, class Slab, class Place>
T2C_FN void fill_slab(Sum* scratch, E const* own, int wanted, Slab slab, Place place) {
  constexpr int run = Layout::vector < Depth ? Layout::vector : Depth;
  constexpr auto table = places_of<Layout>(Slab{}, Place{});
  int const base = Layout::base(thread());
  int const here = slab(base);
  Sum* const start = scratch + place(base);
  if (!Layout::owner(thread())) return;
  T2C_UNROLL
  for (int s = 0; s < Layout::slots; s += run) {
    if (here + table.slab[s] == wanted) {
      Sum part[run];
      T2C_UNROLL
      for (int i = 0; i < run; ++i) part[i] = as_factor<Sum>(own[s + i]);
      write_run<run>(start + table.place[s], part);
    }
  }
}

/// Columns of a that are read at once: registers for them grow with the rows. Without tensor cores other factors wait in registers, too.
template <int Sums> T2C_BOTH constexpr int columns_at_once(int rows) {
#ifdef T2C_TENSOR_CORES
  return rows >= 16 ? 2 : 4;
#else
  if (Sums >= 64) return threads >= 512 ? 1 : 2;
  return rows >= 16 ? 2 : 4;
#endif
}

/// sums += rows of a times columns of b, for every k of the slab in scratch memory.
template <class Plan, class Layout, class Sum>
T2C_FN void multiply_slab(Sum* sums, Sum* scratch) {
  constexpr auto rows = lines_of<Layout>([](int i) { return Plan::a_line(i); });
  constexpr auto columns = lines_of<Layout>([](int i) { return Plan::b_line(i); });
  constexpr int most = columns_at_once<Layout::slots>(rows.count);
  constexpr int step = Plan::depth < most ? Plan::depth : most;
  int const base = Layout::base(thread());
  // Not const: const elements would be read as global memory that nobody writes.
  Sum* row = scratch + Plan::a_line(base);
  Sum* column = scratch + Plan::b_line(base);
#ifdef T2C_GPU
#pragma unroll 1
#endif
  for (int k = 0; k < Plan::depth; k += step, row += step) {
    Sum a[rows.count][step];
    T2C_UNROLL
    for (int r = 0; r < rows.count; ++r) read_run<step>(a[r], row + rows.line[r]);
    T2C_UNROLL
    for (int u = 0; u < step; ++u, column += Plan::e.n) {
      Sum b[columns.count];
      T2C_UNROLL
      for (int c = 0; c < columns.count; c += Layout::vector) read_run<Layout::vector>(b + c, column + columns.line[c]);
      T2C_UNROLL
      for (int s = 0; s < Layout::slots; ++s) sums[s] += a[rows.of_slot[s]][u] * b[columns.of_slot[s]];
    }
  }
}

template <class A, class SA, class B, class SB, class C, class SC>
T2C_FN void multiply_slabs(tile<A, SA> const& a, tile<B, SB> const& b, tile<C, SC>& c) {
  using sum = sum_t<C>;
  using plan = product_plan<SA, SB, SC, sum>;
  constexpr int slots = layout<SC>::slots;
  sum* const shared = reinterpret_cast<sum*>(scratch());
  sum sums[slots];
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) sums[s] = as_factor<sum>(c.own[s]);
#ifdef T2C_GPU
#pragma unroll 1
#endif
  for (int slab = 0; slab < plan::slabs; ++slab) {
    fill_slab<plan::depth, layout<SA>>(shared, a.own, slab, [](int i) { return plan::a_slab(i); },
                                       [](int i) { return plan::a_place(i); });
    fill_slab<plan::e.n, layout<SB>>(shared, b.own, slab, [](int i) { return plan::b_slab(i); },
                                     [](int i) { return plan::b_place(i); });
    sync();
    multiply_slab<plan, layout<SC>>(sums, shared);
    sync();
  }
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) c.own[s] = from_sum<C>(sums[s]);
}

}  // namespace tile2cpp::backend
