// repack.hpp: reads runs of elements along an axis as elements of another width.
//
// Elements are laid behind one another with the low bits first; bool counts one bit and e2m1 four.
#pragma once

#include "tile2cpp/slices.hpp"

namespace tile2cpp {
namespace meta {

template <class E> inline constexpr int packed_bits = bits_of<E>;
template <> inline constexpr int packed_bits<bool> = 1;

/// Extent of the axis after repacking; 0 when the bits do not come out even.
template <class E, class T> T2C_BOTH constexpr size_t repacked_extent(size_t axis) {
  size_t const bits = tile_shape_t<T>::static_extent(axis) * packed_bits<tile_element_t<T>>;
  return bits % packed_bits<E> == 0 && bits % 8 == 0 ? bits / packed_bits<E> : 0;
}

template <class E, auto D, class T> T2C_BOTH constexpr bool repacks() {
  if constexpr (!is_tile<T> || !scalar<E>) {
    return false;
  } else if constexpr (D < 0 || static_cast<size_t>(D) >= tile_rank_v<T>) {
    return false;
  } else if constexpr (is_same<E, tile_element_t<T>>) {
    return true;
  } else {
    constexpr size_t extent = repacked_extent<E, T>(D);
    return extent != 0 && is_tile_shape<with_extent_t<tile_shape_t<T>, D, extent>>;
  }
}

template <class E> T2C_FN unsigned long long packed_value(E x) {
  if constexpr (is_same<E, bool>) return x ? 1 : 0;
  else return bit_cast<unsigned_of<E>>(x) & (~0ull >> (64 - packed_bits<E>));
}
template <class E> T2C_FN E from_packed(unsigned long long bits) {
  if constexpr (is_same<E, bool>) return (bits & 1) != 0;
  else return bit_cast<E>(static_cast<unsigned_of<E>>(bits & (~0ull >> (64 - packed_bits<E>))));
}

/// Element of `From` that piece `i` of the element of `To` begins at, or lies in: the axis scaled by extents.
template <class From, class To, size_t Axis> struct scaled_axis_map {
  static constexpr bool linear = false;
  int piece;  // added to the coordinate when elements are joined
  T2C_FN int operator()(int target) const {
    constexpr int to_stride = static_cast<int>(row_major_stride<To>(Axis));
    constexpr int to_extent = static_cast<int>(To::static_extent(Axis));
    constexpr int from_extent = static_cast<int>(From::static_extent(Axis));
    int const along = target / to_stride % to_extent;
    int const source = from_extent >= to_extent ? along * (from_extent / to_extent) + piece : along / (to_extent / from_extent);
    return target / to_stride / to_extent * (to_stride * from_extent) + source * to_stride + target % to_stride;
  }
};

/// Several narrow elements make one wide one.
template <class E, size_t D, class F, class From> T2C_FN auto join_elements(tile<F, From> const& x) {
  using To = with_extent_t<From, D, repacked_extent<E, tile<F, From>>(D)>;
  constexpr int pieces = packed_bits<E> / packed_bits<F>;
  unsigned long long bits[layout<To>::slots] = {};
  for (int piece = 0; piece < pieces; ++piece) {
    auto const part = exchange<To>(x, scaled_axis_map<From, To, D>{piece});
    T2C_UNROLL
    for (int s = 0; s < layout<To>::slots; ++s) bits[s] |= packed_value(part.own[s]) << piece * packed_bits<F>;
  }
  tile<E, To> result;
  T2C_UNROLL
  for (int s = 0; s < layout<To>::slots; ++s) result.own[s] = from_packed<E>(bits[s]);
  return result;
}

/// One wide element makes several narrow ones.
template <class E, size_t D, class F, class From> T2C_FN auto split_elements(tile<F, From> const& x) {
  using To = with_extent_t<From, D, repacked_extent<E, tile<F, From>>(D)>;
  constexpr int pieces = packed_bits<F> / packed_bits<E>;
  constexpr int stride = static_cast<int>(row_major_stride<To>(D));
  auto const whole = exchange<To>(x, scaled_axis_map<From, To, D>{0});
  int const base = layout<To>::base(backend::thread());
  tile<E, To> result;
  T2C_UNROLL
  for (int s = 0; s < layout<To>::slots; ++s) {
    int const piece = (base + layout<To>::offset(s)) / stride % pieces;
    result.own[s] = from_packed<E>(packed_value(whole.own[s]) >> piece * packed_bits<E>);
  }
  return result;
}

}  // namespace meta

/// The bits of `x` along axis `D` as elements of another width; the extent changes by the ratio of the widths.
template <class E, auto D, class T>
  requires(meta::repacks<E, D, T>())
T2C_FN auto repack(T const& x) {
  using F = tile_element_t<T>;
  if constexpr (meta::is_same<E, F>) return tile<E, tile_shape_t<T>>(meta::settled(x));
  else if constexpr (meta::packed_bits<E> >= meta::packed_bits<F>) return meta::join_elements<E, static_cast<size_t>(D)>(meta::settled(x));
  else return meta::split_elements<E, static_cast<size_t>(D)>(meta::settled(x));
}
template <class E, auto D, class T>
  requires(meta::repacks<E, D, T>())
T2C_FN auto repack(T const& x, integral_constant<D>) {
  return repack<E, D>(x);
}

}  // namespace tile2cpp
