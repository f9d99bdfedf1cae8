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
  if constexpr (integral<E>) return +value;
  else if constexpr (floating_point_scalar<E>) return convert<double>(value);
  else return value;
}

/// Element `i` of an argument, known to every thread; scalars are the same for all elements.
template <class T>
T2C_FN auto element_for_print(T const& x, int i) {
  if constexpr (!is_tile<T>) {
    return printable(x);
  } else {
    using map = layout<tile_shape_t<T>>;
    auto const& all = settled(x);
    auto* const shared = reinterpret_cast<tile_element_t<T>*>(backend::scratch());
    int const base = map::base(backend::thread());
    for (int s = 0; s < map::slots; ++s)
      if (map::owner(backend::thread()) && base + map::offset(s) == i) shared[0] = all.own[s];
    backend::sync();
    auto const value = printable(shared[0]);
    backend::sync();
    return value;
  }
}
template <size_t N> T2C_FN char const* element_for_print(char const (&text)[N], int) { return text; }

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

template <class... T>
T2C_FN int print(char const* format, T const&... values) {
  int printed = 0;
  for (int i = 0; i < lines_to_print<T...>(); ++i) printed = print_line(format, element_for_print(values, i)...);
  return printed;
}

/// Scalars that the C library's printf cannot take, or would print once for each thread.
template <class... T>
#ifdef T2C_HOST
concept printed_here = (scalar<T> && ...) && ((floating_point_scalar<T> && !is_built_in<T>) || ...);
#else
concept printed_here = (scalar<T> && ...) && sizeof...(T) > 0;
#endif

/// How many arguments a format takes; -1 when a width is among them.
T2C_BOTH constexpr int arguments_of(char const* format) {
  int count = 0;
  for (bool inside = false; *format != 0; ++format) {
    if (!inside) {
      inside = *format == '%';
    } else if (*format == '*') {
      return -1;
    } else if (*format == '%' || (*format >= 'A' && *format <= 'Z' && *format != 'L') ||
               (*format >= 'a' && *format <= 'z' && *format != 'h' && *format != 'l' && *format != 'j' && *format != 'z' && *format != 't')) {
      count += *format != '%';
      inside = false;
    }
  }
  return count;
}

template <int Wanted, class... T>
T2C_FN int print_checked(char const* format, T const&... values) {
  static_assert(Wanted >= 0, "printf: widths and precisions are written in the format");
  static_assert(sizeof...(T) <= Wanted || Wanted < 0, "printf: the format ends before the last argument");
  static_assert(static_cast<int>(sizeof...(T)) >= Wanted, "printf: the format needs more arguments");
  return print(format, values...);
}

}  // namespace meta

/// printf of the block. Kernels that print tiles find it by their arguments; under NVRTC, where a file holds nothing
/// but kernels, every printf is this one. The line of a scalar is printed once, that of a tile for each of its elements.
template <class... T>
  requires(meta::is_tile<T> || ...)
T2C_FN int printf(char const* format, T const&... values) {
  return meta::print(format, values...);
}

}  // namespace tile2cpp

// printf where nothing but kernels is meant: the format is a literal, and it has a place for each argument.
#define T2C_PRINTF(format, ...) \
  ::tile2cpp::meta::print_checked<::tile2cpp::meta::arguments_of("" format)>("" format __VA_OPT__(, ) __VA_ARGS__)

#ifdef __CUDACC_RTC__
#define printf(...) T2C_PRINTF(__VA_ARGS__)
#elif defined(T2C_HOST) || defined(__CUDA_ARCH__)
/// Numbers of CUDA's own types are printed as double; on a GPU, every line with numbers by one thread.
template <class... T>
  requires(::tile2cpp::meta::printed_here<T...>)
T2C_FN int printf(char const* format, T const&... values) {
  return ::tile2cpp::meta::print(format, values...);
}
#endif
