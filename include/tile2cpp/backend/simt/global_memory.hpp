// global_memory.hpp: element and vector accesses to global memory.
//
// A run of N adjacent elements moves in packs of up to 16 bytes. Arrays of const elements go through
// the read-only path when the entry vouches (T2C_ORDERED 0) that no store of the kernel meets their loads, and nobody waits for these (T2C_TELLS 0).
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp::backend {

/// The widest pack that a run of N elements of type E moves in, in bytes; what its address must divide by.
template <int N, class E>
inline constexpr int run_alignment = N * int(sizeof(E)) < 16 ? N * int(sizeof(E)) : 16;

template <int Bytes>
struct pack_of;
template <>
struct pack_of<1> { using type = unsigned char; };
template <>
struct pack_of<2> { using type = unsigned short; };
template <>
struct pack_of<4> { using type = unsigned int; };
template <>
struct pack_of<8> { using type = uint2; };
template <>
struct pack_of<16> { using type = uint4; };

/// Loads of read-only arrays may pass every store, so they are used only where no store can meet them.
template <class E>
inline constexpr bool read_only = false;
template <class E>
inline constexpr bool read_only<E const> = !T2C_ORDERED && !T2C_TELLS;

template <bool ReadOnly, class Pack>
T2C_FN Pack load_pack(Pack const* from) {
  if constexpr (ReadOnly) return __ldg(from);
  else return *from;
}

/// The elements of one pack.
template <class E, int N>
struct elements {
  E at[N];
};

template <int N, class To, class E>
T2C_FN void read_run(To* to, E* from) {
  constexpr int bytes = run_alignment<N, E>, each = bytes / int(sizeof(E));
  using pack = typename pack_of<bytes>::type;
  T2C_UNROLL
  for (int i = 0; i < N; i += each) {
    pack const moved = load_pack<read_only<E>>(reinterpret_cast<pack const*>(from + i));
    auto const part = meta::bit_cast<elements<To, each>>(moved);
    T2C_UNROLL
    for (int k = 0; k < each; ++k) to[i + k] = part.at[k];
  }
}

template <int N, class E>
T2C_FN void write_run(E* to, E const* from) {
  constexpr int bytes = run_alignment<N, E>, each = bytes / int(sizeof(E));
  using pack = typename pack_of<bytes>::type;
  T2C_UNROLL
  for (int i = 0; i < N; i += each) {
    elements<E, each> part;
    T2C_UNROLL
    for (int k = 0; k < each; ++k) part.at[k] = from[i + k];
    *reinterpret_cast<pack*>(to + i) = meta::bit_cast<pack>(part);
  }
}

template <class E>
T2C_FN auto read(E* from) {
  if constexpr (read_only<E>) {
    meta::remove_cv_t<E> result;
    read_run<1>(&result, from);
    return result;
  } else {
    return *from;
  }
}

template <class E>
T2C_FN void write(E* to, E value) {
  *to = value;
}

}  // namespace tile2cpp::backend
