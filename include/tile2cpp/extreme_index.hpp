// extreme_index.hpp: where along an axis the extreme is, by folding pairs of value and index.
#pragma once

#include "tile2cpp/fold.hpp"
#include "tile2cpp/operators.hpp"

namespace tile2cpp {
namespace meta {

template <class E> struct indexed {
  E value;
  uint32_t index;
};

/// Keeps the better value; of equal ones the one with the smaller index, so the order of folding does not matter.
template <class Better> struct better_of {
  template <class E> T2C_FN indexed<E> operator()(indexed<E> const& a, indexed<E> const& b) const {
    bool const first = Better{}(a.value, b.value) || (!Better{}(b.value, a.value) && a.index < b.index);
    return first ? a : b;
  }
};

template <size_t D, class Better, class E, class Shape>
T2C_FN tile<uint32_t, with_extent_t<Shape, D, 1>> extreme_index(tile<E, Shape> const& x) {
  using Result = with_extent_t<Shape, D, 1>;
  using Plan = fold_plan<Shape, D>;
  using L = layout<Shape>;
  constexpr int stride = static_cast<int>(row_major_stride<Shape>(D));
  constexpr int mask = Plan::mask;
  indexed<E> part[L::slots];
  int const base = L::base(backend::thread());
  T2C_UNROLL
  for (int s = 0; s < L::slots; ++s)
    part[s] = indexed<E>{x.own[s], static_cast<uint32_t>(((base & mask) | (L::offset(s) & mask)) / stride)};
  fold_axis<Plan>(&part[0], better_of<Better>{});
  uint32_t index[Plan::kept];
  T2C_UNROLL
  for (int n = 0; n < Plan::kept; ++n) index[n] = part[n].index;
  tile<uint32_t, Result> result;
  move<layout<Result>, typename Plan::result_layout>(&index[0], &result.own[0], same_index{});
  return result;
}

}  // namespace meta

namespace backend {
/// Members travel one by one, so padding between them does not.
template <class E> T2C_FN meta::indexed<E> shuffle_xor(meta::indexed<E> const& pair, int mask) {
  return {shuffle_xor(pair.value, mask), shuffle_xor(pair.index, mask)};
}
}  // namespace backend

}  // namespace tile2cpp
