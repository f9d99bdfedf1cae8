// backend/sm80/multiply.hpp: products by matrix instructions, the factors written from registers to scratch memory.
#pragma once

#include "tile2cpp/backend/factor.hpp"
#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/backend/sm80/steps.hpp"

namespace tile2cpp::backend {

/// How factors in registers pass through scratch memory: in slabs along the summed axis.
template <class A, class SA, class B, class SB, class SC> struct matrix_plan {
  using left = matrix_factor_t<A>;
  using right = matrix_factor_t<B>;
  static constexpr meta::product_extents e = meta::extents_of_product<SA, SB>(int(meta::extent_from_end<SC>(2)));
  static constexpr int size = int(sizeof(left));
  static constexpr int step = 32 / size;

  T2C_BOTH static constexpr int bytes(int depth) { return (e.a_batch * e.m + e.b_batch * e.n) * depth * size; }
  T2C_BOTH static constexpr int largest_depth() {
    int depth = e.k;
    while (depth > step && bytes(depth) > scratch_bytes) depth /= 2;
    return depth;
  }
  static constexpr int depth = largest_depth();
  static constexpr int slabs = e.k / depth;

  // b lies in rows along its columns, as registers hold it, where ldmatrix can turn it: for elements of 16 bits.
  static constexpr row_holds b_order = size == 2 ? row_holds::outer_axis : row_holds::summed_axis;
  using a_matrix = shared_matrix<left, e.m, depth, row_holds::summed_axis>;
  using b_matrix = shared_matrix<right, e.n, depth, b_order>;

  static constexpr int a_bytes = e.a_batch * a_matrix::bytes;

  T2C_BOTH static constexpr int a_slab(int index) { return index % e.k / depth; }
  T2C_BOTH static constexpr int a_place(int index) {
    return index / e.k / e.m * a_matrix::bytes + a_matrix::element_place(index / e.k % e.m, index % depth);
  }
  T2C_BOTH static constexpr int b_slab(int index) { return index / e.n % e.k / depth; }
  T2C_BOTH static constexpr int b_place(int index) {
    return index / e.n / e.k * b_matrix::bytes + b_matrix::element_place(index % e.n, index / e.n % depth);
  }
};

/// Whether this build has an instruction for the product, and its tiles are large enough for one.
template <class A, class SA, class B, class SB, class SC> T2C_BOTH constexpr bool has_matrix_instruction() {
#ifdef T2C_TENSOR_CORES
  if constexpr (!this_schedule.product || this_schedule.turned || threads < 32) return false;
  else if constexpr (!matrix_instruction<matrix_factor_t<A>, matrix_factor_t<B>>::exists) return false;
  else {
    using plan = matrix_plan<A, SA, B, SB, SC>;
    return plan::e.m >= 16 && plan::e.n >= 8 && plan::e.k >= plan::step && plan::bytes(plan::depth) <= scratch_bytes;
  }
#else
  return false;
#endif
}

template <class To, class E> T2C_FN To as_matrix_factor(E const& value) {
  if constexpr (meta::byte_integer<E>) return static_cast<To>(value);
  else return meta::convert<To>(value);
}

template <class Layout, class Place> T2C_BOTH constexpr meta::table<Layout::slots> matrix_places(Place place) {
  meta::table<Layout::slots> places{};
  for (int s = 0; s < Layout::slots; ++s) places.at[s] = place(Layout::offset(s));
  return places;
}

/// Writes the elements that belong to slab `wanted`, neighbours together where they stay neighbours (`Together`).
template <class To, int Together, class Layout, class E, class Slab, class Place>
T2C_FN void fill_matrix(unsigned char* start, E const* own, [[maybe_unused]] int wanted, Slab slab, Place place) {
  constexpr int run = Layout::vector < Together ? Layout::vector : Together;
  constexpr auto places = matrix_places<Layout>(Place{});
  constexpr auto slabs = matrix_places<Layout>(Slab{});
  int const base = Layout::base(thread());
  int const mine = place(base), here = slab(base);
  if (!Layout::owner(thread())) return;
  T2C_UNROLL
  for (int s = 0; s < Layout::slots; s += run) {
    if ((here | slabs.at[s]) != wanted) continue;
    To part[run];
    T2C_UNROLL
    for (int i = 0; i < run; ++i) part[i] = as_matrix_factor<To>(own[s + i]);
    write_run<run>(reinterpret_cast<To*>(start + (mine ^ places.at[s])), part);
  }
}

template <class A, class SA, class B, class SB, class C, class SC>
T2C_FN void multiply_matrices(tile<A, SA> const& a, tile<B, SB> const& b, tile<C, SC>& c) {
  using plan = matrix_plan<A, SA, B, SB, SC>;
  using sum = sum_t<C>;
  constexpr int slots = layout<SC>::slots;
  unsigned char* const shared = scratch();
  unsigned const address = shared_address(shared);
  sum sums[slots];
  no_hooks none;
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) sums[s] = as_factor<sum>(c.own[s]);
  T2C_KEEP_LOOP
  for (int slab = 0; slab < plan::slabs; ++slab) {
    fill_matrix<typename plan::left, 2, layout<SA>>(shared, a.own, slab, [](int i) { return plan::a_slab(i); },
                                                    [](int i) { return plan::a_place(i); });
    fill_matrix<typename plan::right, plan::size == 2 ? 2 : 1, layout<SB>>(
        shared + plan::a_bytes, b.own, slab, [](int i) { return plan::b_slab(i); }, [](int i) { return plan::b_place(i); });
    sync();
    multiply_shared<warp_share<SA, SB, SC>, typename plan::a_matrix, typename plan::b_matrix, plan::depth>(
        sums, address, address + plan::a_bytes, none);
    sync();
  }
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) c.own[s] = from_sum<C>(sums[s]);
}

}  // namespace tile2cpp::backend
