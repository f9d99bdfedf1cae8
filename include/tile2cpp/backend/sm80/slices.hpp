// backend/sm80/slices.hpp: products whose factors are too large for two stages, fetched in slices along the summed axis.
//
// A tile of 64 columns is four tiles of 16 columns, so its product is four products of smaller tiles. Registers hold no factors then,
// and while one slice is multiplied the next one is on its way.
#pragma once

#include "tile2cpp/backend/sm80/stream.hpp"

namespace tile2cpp::backend {

template <class Shape, int Axis, int Slices>
using sliced_t = meta::with_extent_t<Shape, size_t(Axis), size_t(Shape::static_extent(Axis)) / Slices>;

/// In how many slices a product is fetched: as few as possible; 0: it is not.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC, int Slices = 1>
T2C_BOTH constexpr int slices_of_product() {
  constexpr int last = int(SA::rank()) - 1, depth = int(SA::static_extent(last));
  // Indices of slices are 32 bits wide; they reach all elements if extents are, too.
  constexpr bool counts = Slices == 1 || (sizeof(typename SpanA::index_type) <= 4 && sizeof(typename SpanB::index_type) <= 4);
  if constexpr (!counts || Slices > most_slices || depth * int(sizeof(A)) < 32 * Slices) return 0;
  else if constexpr (stages_fit<A, sliced_t<SA, last, Slices>, SpanA, B, sliced_t<SB, last - 1, Slices>, SpanB, C, SC>()) return Slices;
  else return slices_of_product<A, SA, SpanA, B, SB, SpanB, C, SC, 2 * Slices>();
}

/// Whether the factors may be fetched by the product.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC>
T2C_BOTH constexpr bool streams() {
  return slices_of_product<A, SA, SpanA, B, SB, SpanB, C, SC>() > 0;
}

/// Single precision that a product fetches counts as tf32.
template <class E> using rounded_t = meta::conditional_t<meta::is_same<E, float>, __nv_tf32, E>;

/// Slice `number` of a tile along an axis. Tiles that begin past all elements are all the same, as are those in front of them.
template <int Axis, int Slices, class E, class Shape, class Span>
T2C_FN auto slice_of(tile_source<E, Shape, Span> const& whole, int number) {
  constexpr int past = static_cast<int>((1u << 31) / static_cast<unsigned>(Shape::static_extent(Axis)));
  tile_source<E, sliced_t<Shape, Axis, Slices>, Span> slice{whole.span, {}};
  T2C_UNROLL
  for (int axis = 0; axis < slice.rank; ++axis) slice.index[axis] = whole.index[axis];
  int const index = whole.index[Axis] < past ? whole.index[Axis] : past;
  slice.index[Axis] = (index < 0 ? -1 : index) * Slices + number;
  return slice;
}

/// c += a * b with both factors fetched from arrays.
template <class A, class SA, class SpanA, class B, class SB, class SpanB, class C, class SC>
T2C_FN void multiply_streamed(tile_source<A, SA, SpanA> const& a, tile_source<B, SB, SpanB> const& b, tile<C, SC>& c) {
  constexpr int slices = slices_of_product<rounded_t<A>, SA, SpanA, rounded_t<B>, SB, SpanB, C, SC>();
  constexpr int slots = layout<SC>::slots, last = int(SC::rank()) - 1;
  using sum = sum_t<C>;
  sum sums[slots];
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) sums[s] = as_factor<sum>(c.own[s]);
  if constexpr (slices == 1) {
    add_streamed<SC>(a, b, sums);
  } else {
    T2C_KEEP_LOOP
    for (int n = 0; n < slices; ++n) add_streamed<SC>(slice_of<last, slices>(a, n), slice_of<last - 1, slices>(b, n), sums);
  }
  T2C_UNROLL
  for (int s = 0; s < slots; ++s) c.own[s] = from_sum<C>(sums[s]);
}

}  // namespace tile2cpp::backend
