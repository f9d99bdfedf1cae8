// operand.hpp: operands of elementwise functions, read slot by slot in the shape and element of the result.
#pragma once

#include "tile2cpp/exchange.hpp"
#include "tile2cpp/tile_traits.hpp"

namespace tile2cpp::meta {

/// A scalar beside tiles: one value for all slots.
template <class E> struct scalar_operand {
  static constexpr int values = 1;  // that are distinct
  T2C_BOTH static constexpr int number(int) { return 0; }  // of a slot's value among them
  E value;
  T2C_FN E operator()(int) const { return value; }
};

/// A tile whose elements each thread already holds, repeated by renaming slots.
/// `Held`: the tile, or a reference to it.
template <class C, class E, class From, class To, class Held> struct tile_operand {
  static constexpr int values = layout<From>::slots;
  T2C_BOTH static constexpr int number(int slot) {
    if constexpr (is_same<From, To>) return slot;
    else return source_slot<layout<To>, layout<From>, broadcast_map<From, To>>::at(slot);
  }
  Held from;
  T2C_FN C operator()(int slot) const { return convert<C>(from.own[number(slot)]); }
};

/// A tile that had to be moved between threads first.
template <class C, class E, class To> struct moved_operand {
  static constexpr int values = layout<To>::slots;
  T2C_BOTH static constexpr int number(int slot) { return slot; }
  tile<E, To> from;
  T2C_FN C operator()(int slot) const { return convert<C>(from.own[slot]); }
};

/// `x` as elements `C` in shape `To`; `operand(slot)` is the calling thread's element there.
template <class C, class To, class T> T2C_FN auto operand(T const& x) {
  if constexpr (scalar<T>) {
    return scalar_operand<C>{convert<C>(x)};
  } else {
    using E = tile_element_t<T>;
    using From = tile_shape_t<T>;
    using map = broadcast_map<From, To>;
    if constexpr (is_same<From, To> || stays_in_thread<layout<To>, layout<From>, map>())
      return tile_operand<C, E, From, To, decltype(settled(x))>{settled(x)};
    else
      return moved_operand<C, E, To>{exchange<To>(settled(x), map{})};
  }
}

/// Applies `op` to each element; a scalar gives a scalar.
template <class R, class T, class Op> T2C_FN tile_with_element_t<T, R> map_elements(T const& x, Op op) {
  if constexpr (scalar<T>) {
    return op(x);
  } else {
    auto const& from = settled(x);
    tile<R, tile_shape_t<T>> result;
    T2C_UNROLL
    for (int s = 0; s < layout<tile_shape_t<T>>::slots; ++s) result.own[s] = op(from.own[s]);
    return result;
  }
}

/// Applies `op` to pairs of elements, both converted to `C`, in the common shape.
template <class R, class C, class T, class U, class Op>
T2C_FN mutual_broadcast_t<T, U, R> zip_elements(T const& a, U const& b, Op op) {
  if constexpr (scalar<T> && scalar<U>) {
    return op(convert<C>(a), convert<C>(b));
  } else {
    using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
    auto const x = operand<C, Shape>(a);
    auto const y = operand<C, Shape>(b);
    tile<R, Shape> result;
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = op(x(s), y(s));
    return result;
  }
}

}  // namespace tile2cpp::meta
