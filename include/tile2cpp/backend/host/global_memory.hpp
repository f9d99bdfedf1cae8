// global_memory.hpp: element and run accesses to the caller's arrays.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// Ordinary memory needs no alignment to be moved in runs.
template <int N, class E>
inline constexpr int run_alignment = 1;

template <class E>
T2C_FN auto read(E* from) {
  return *from;
}

template <int N, class To, class E>
T2C_FN void read_run(To* to, E* from) {
  for (int i = 0; i < N; ++i) to[i] = from[i];
}

template <class E>
T2C_FN void write(E* to, E value) {
  *to = value;
}

template <int N, class E>
T2C_FN void write_run(E* to, E const* from) {
  for (int i = 0; i < N; ++i) to[i] = from[i];
}

/// Reads a run if it is wanted; else `to` keeps what it holds.
template <int N, class To, class E>
T2C_FN void read_run_if(bool wanted, To* to, E* from) {
  if (wanted) read_run<N>(to, from);
}

/// Writes a run if it is wanted.
template <int N, class E>
T2C_FN void write_run_if(bool wanted, E* to, E const* from) {
  if (wanted) write_run<N>(to, from);
}

}  // namespace tile2cpp::backend
