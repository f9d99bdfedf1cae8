// debug.hpp: printing from kernels, once per block.
//
// A tile is printed element by element: the whole line is repeated for each, in row-major order.
#pragma once

#include "tile2cpp/tile.hpp"

#ifndef __CUDACC_RTC__  // which knows both by itself
#include <assert.h>
#include <stdio.h>
#endif

namespace tile2cpp {
namespace meta {

template <class T> inline constexpr size_t tile_size_or_one = 1;
template <class E, class S> inline constexpr size_t tile_size_or_one<tile<E, S>> = shape_size_v<S>;

/// What printf takes in place of an element: numbers of at least int's size, floating ones as double.
template <class E>
T2C_FN auto printable(E const& value) {
  if constexpr (pointer_scalar<E>) return value;
  else if constexpr (integral<E>) return +value;
  else return convert<double>(value);
}

/// Element `i` of an argument, known to every thread; scalars are the same for all elements.
template <class T>
T2C_FN auto element_for_print(T const& x, int i) {
  if constexpr (!is_tile<T>) {
    return x;
  } else {
    using map = layout<tile_shape_t<T>>;
    auto* const shared = reinterpret_cast<tile_element_t<T>*>(backend::scratch());
    int const base = map::base(backend::thread());
    for (int s = 0; s < map::slots; ++s)
      if (map::owner(backend::thread()) && base + map::offset(s) == i) shared[0] = x.own[s];
    backend::sync();
    auto const value = printable(shared[0]);
    backend::sync();
    return value;
  }
}

/// How often a line is printed: once for each element of its largest tile.
template <class... T>
T2C_BOTH constexpr int lines_to_print() {
  int most = 1;
  ((most = static_cast<int>(tile_size_or_one<T>) > most ? static_cast<int>(tile_size_or_one<T>) : most), ...);
  return most;
}

/// One line by one thread.
template <class... T>
T2C_FN int print_line(char const* format, T... values) {
  return backend::thread() == 0 ? ::printf(format, values...) : 0;
}

}  // namespace meta

/// printf of the block. Kernels that hold tiles find it by their arguments; under NVRTC, where a file holds nothing
/// but kernels, every printf is this one.
template <class... T>
T2C_FN int printf(char const* format, T const&... values) {
  int printed = 0;
  for (int i = 0; i < meta::lines_to_print<T...>(); ++i) printed = meta::print_line(format, meta::element_for_print(values, i)...);
  return printed;
}

}  // namespace tile2cpp

#ifdef __CUDACC_RTC__
#define printf(...) ::tile2cpp::printf(__VA_ARGS__)
#endif
