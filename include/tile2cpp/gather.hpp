// gather.hpp: loads and stores through pointers: one address for each element of a tile.
//
// No bounds are known here; masks say which elements exist, and masked-off ones never touch memory.
// A scalar pointer moves one number for the whole block: every thread reads it, one writes it.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/operand.hpp"
#include "tile2cpp/program_order.hpp"
#include "tile2cpp/restrict_pointer.hpp"
#include "tile2cpp/run_tile.hpp"

namespace tile2cpp {

namespace meta {

/// A mask for the elements of `P`.
template <class M, class P>
concept mask_for = bool_tile_convertible<M> && broadcastable_to<M, tile_shape_t<P>>;

/// A padding for the elements of `P`.
template <class V, class P>
concept padding_for = tile_like<V> && broadcastable_to<V, tile_shape_t<P>> &&
                      non_narrowing_scalar_convertible_to<tile_element_t<V>, tile_element_t<tile_load_t<P>>>;

/// Values to be stored through `P`: of the same shape, since stores do not broadcast.
template <class V, class P>
concept value_for = non_narrowing_tile_convertible_to<V, tile_load_t<P>>;

/// `x` as a tile of E with the shape of a pointer tile.
template <class E, class Shape, class T>
T2C_FN tile<E, Shape> spread_to(T const& x) {
  auto const element = operand<E, Shape>(x);
  tile<E, Shape> result;
  T2C_UNROLL
  for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = element(s);
  return result;
}

/// A scalar as a tile of rank 0; tiles stay.
template <class T>
T2C_FN auto whole_tile(T const& x) {
  if constexpr (scalar<T>) return tile<T, shape<>>(x);
  else return settled(x);
}

/// The value of a scalar or of a tile of rank 0.
template <class E, class T>
T2C_FN E only_value(T const& x) {
  if constexpr (scalar<T>) return convert<E>(x);
  else return convert<E>(x.own[0]);
}

/// Whether each run of pointers is known to be a vector in memory.
template <class P>
T2C_FN bool are_vectors([[maybe_unused]] P const& pointers) {
  if constexpr (pointer_runs<P>) return pointers.in_runs();
  else return false;
}

/// Whether N pointers are neighbours in memory and the first may begin a vector access.
template <int N, class E>
T2C_FN bool is_vector(E* const* pointer) {
  bool adjacent = reinterpret_cast<unsigned long long>(pointer[0]) % backend::run_alignment<N, E> == 0;
  T2C_UNROLL
  for (int i = 1; i < N; ++i) adjacent = adjacent && pointer[i] == pointer[0] + i;
  return N > 1 && adjacent;
}

template <int N>
T2C_FN bool all_set(bool const* mask) {
  bool all = true;
  T2C_UNROLL
  for (int i = 0; i < N; ++i) all = all && mask[i];
  return all;
}

}  // namespace meta

/// The elements that the pointers point at.
template <loadable_tile P>
[[nodiscard]] T2C_FN tile_load_t<P> load(P pointers) {
  if constexpr (scalar<P>) {
    return backend::read(pointers);
  } else {
    constexpr int vector = layout<tile_shape_t<P>>::vector;
    tile_load_t<P> result;
    if (meta::are_vectors(pointers)) {
      T2C_UNROLL
      for (int slot = 0; slot < layout<tile_shape_t<P>>::slots; slot += vector)
        backend::read_run<vector>(&result.own[slot], pointers.own[slot]);
      return result;
    }
    T2C_UNROLL
    for (int slot = 0; slot < layout<tile_shape_t<P>>::slots; slot += vector) {
      if (meta::is_vector<vector>(&pointers.own[slot])) {
        backend::read_run<vector>(&result.own[slot], pointers.own[slot]);
      } else {
        T2C_UNROLL
        for (int i = 0; i < vector; ++i) result.own[slot + i] = backend::read(pointers.own[slot + i]);
      }
    }
    return result;
  }
}

/// The elements where `mask` is set, `padding` elsewhere.
template <loadable_tile P, meta::mask_for<P> Mask, meta::padding_for<P> Pad>
[[nodiscard]] T2C_FN tile_load_t<P> load_masked(P pointers, Mask mask, Pad padding) {
  using E = tile_element_t<tile_load_t<P>>;
  using Shape = tile_shape_t<P>;
  if constexpr (scalar<P>) {
    return meta::only_value<bool>(mask) ? backend::read(pointers) : meta::only_value<E>(padding);
  } else {
    constexpr int vector = layout<Shape>::vector;
    auto const wanted = meta::spread_to<bool, Shape>(mask);
    auto result = meta::spread_to<E, Shape>(padding);
    if (meta::are_vectors(pointers) && meta::is_alike<Shape>(mask)) {
      T2C_UNROLL
      for (int slot = 0; slot < layout<Shape>::slots; slot += vector)
        backend::read_run_if<vector>(wanted.own[slot], &result.own[slot], pointers.own[slot]);
      return result;
    }
    T2C_UNROLL
    for (int slot = 0; slot < layout<Shape>::slots; slot += vector) {
      if (meta::all_set<vector>(&wanted.own[slot]) && meta::is_vector<vector>(&pointers.own[slot])) {
        backend::read_run<vector>(&result.own[slot], pointers.own[slot]);
      } else {
        T2C_UNROLL
        for (int i = 0; i < vector; ++i)
          backend::read_run_if<1>(wanted.own[slot + i], &result.own[slot + i], pointers.own[slot + i]);
      }
    }
    return result;
  }
}

/// The elements where `mask` is set; the others have no value to rely on.
template <loadable_tile P, meta::mask_for<P> Mask>
[[nodiscard]] T2C_FN tile_load_t<P> load_masked(P pointers, Mask mask) {
  return load_masked(pointers, mask, tile_element_t<tile_load_t<P>>{});
}

namespace meta {

/// Stores the elements that this thread owns and `wanted(slot)` lets through. `in_runs`: whether runs are vectors, and
/// wanted as one.
template <class E, class Shape, class Wanted>
T2C_FN void store_own(tile<E*, Shape> const& pointers, tile<E, Shape> const& value, bool in_runs, Wanted const& wanted) {
  constexpr int vector = layout<Shape>::vector;
  if (in_runs) {
    T2C_UNROLL
    for (int slot = 0; slot < layout<Shape>::slots; slot += vector)
      backend::write_run_if<vector>(wanted(slot), pointers.own[slot], &value.own[slot]);
    return;
  }
  T2C_UNROLL
  for (int slot = 0; slot < layout<Shape>::slots; slot += vector) {
    bool all = is_vector<vector>(&pointers.own[slot]);
    T2C_UNROLL
    for (int i = 0; i < vector; ++i) all = all && wanted(slot + i);
    if (all) {
      backend::write_run<vector>(pointers.own[slot], &value.own[slot]);
    } else {
      T2C_UNROLL
      for (int i = 0; i < vector; ++i)
        backend::write_run_if<1>(wanted(slot + i), pointers.own[slot + i], &value.own[slot + i]);
    }
  }
}

}  // namespace meta

/// Writes each element to its address; when addresses meet, any one of the values stays.
template <storeable_tile P, meta::value_for<P> Value>
T2C_FN void store(P pointers, Value value) {
  using E = tile_element_t<tile_load_t<P>>;
  if constexpr (scalar<P>) {
    E const one = meta::only_value<E>(value);
    program_order<> order;
    if (backend::thread() == 0) backend::write(pointers, one);
  } else {
    tile_load_t<P> const all = value;
    program_order<> order;
    if (layout<tile_shape_t<P>>::owner(backend::thread())) meta::store_own(pointers, all, meta::are_vectors(pointers), [](int) { return true; });
  }
}

/// Writes the elements where `mask` is set.
template <storeable_tile P, meta::value_for<P> Value, meta::mask_for<P> Mask>
T2C_FN void store_masked(P pointers, Value value, Mask mask) {
  using E = tile_element_t<tile_load_t<P>>;
  if constexpr (scalar<P>) {
    E const one = meta::only_value<E>(value);
    bool const wanted = meta::only_value<bool>(mask);
    program_order<> order;
    if (wanted && backend::thread() == 0) backend::write(pointers, one);
  } else {
    tile_load_t<P> const all = value;
    auto const wanted = meta::spread_to<bool, tile_shape_t<P>>(mask);
    program_order<> order;
    bool const in_runs = meta::are_vectors(pointers) && meta::is_alike<tile_shape_t<P>>(mask);
    if (layout<tile_shape_t<P>>::owner(backend::thread()))
      meta::store_own(pointers, all, in_runs, [&](int slot) { return wanted.own[slot]; });
  }
}

}  // namespace tile2cpp
