// backend/simt/guarded_memory.hpp: accesses to global memory that happen or not, without a branch.
//
// A guard on the instruction itself keeps the code in one piece: all loads of a tile are issued before the first one
// is waited for, and the compiler sees no control flow.
#pragma once

#include "tile2cpp/backend/simt/global_memory.hpp"

namespace tile2cpp::backend {

// %0... are the value, then come the address and the guard; `at` and `guard` are their numbers.
// Reads of read-only arrays may move freely; all other accesses keep their place among stores and barriers.
#define T2C_GUARD(guard, instruction) "{.reg .pred p; setp.ne.b32 p, %" guard ", 0; @p " instruction ";}"
#define T2C_INPUTS(place) "l"(place), "r"(static_cast<int>(wanted))
#define T2C_GUARDED(Pack, Type, value_text, at, guard, ReadWrite, Read)                                                 \
  template <bool ReadOnly> T2C_FN void load_pack_if(bool wanted, Pack const* from, Pack& v) {                           \
    if constexpr (ReadOnly)                                                                                             \
      asm(T2C_GUARD(guard, "ld.global.nc." Type " " value_text ", [%" at "]") : ReadWrite : T2C_INPUTS(from));          \
    else                                                                                                                \
      asm volatile(T2C_GUARD(guard, "ld.global." Type " " value_text ", [%" at "]") : ReadWrite : T2C_INPUTS(from) : "memory"); \
  }                                                                                                                     \
  T2C_FN void store_pack_if(bool wanted, Pack* to, Pack const& v) {                                                     \
    asm volatile(T2C_GUARD(guard, "st.global." Type " [%" at "], " value_text) ::Read, T2C_INPUTS(to) : "memory");      \
  }
#define T2C_LIST(...) __VA_ARGS__
T2C_GUARDED(unsigned short, "u16", "%0", "1", "2", "+h"(v), "h"(v))
T2C_GUARDED(unsigned int, "u32", "%0", "1", "2", "+r"(v), "r"(v))
T2C_GUARDED(unsigned long long, "u64", "%0", "1", "2", "+l"(v), "l"(v))
T2C_GUARDED(uint2, "v2.u32", "{%0, %1}", "2", "3", T2C_LIST("+r"(v.x), "+r"(v.y)), T2C_LIST("r"(v.x), "r"(v.y)))
T2C_GUARDED(uint4, "v4.u32", "{%0, %1, %2, %3}", "4", "5", T2C_LIST("+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)),
            T2C_LIST("r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)))
#undef T2C_LIST
#undef T2C_GUARDED

// Registers have no 8-bit class: a byte travels in a wider one.
template <bool ReadOnly>
T2C_FN void load_pack_if(bool wanted, unsigned char const* from, unsigned char& v) {
  unsigned wide = v;
  if constexpr (ReadOnly)
    asm(T2C_GUARD("2", "ld.global.nc.u8 %0, [%1]") : "+r"(wide) : T2C_INPUTS(from));
  else
    asm volatile(T2C_GUARD("2", "ld.global.u8 %0, [%1]") : "+r"(wide) : T2C_INPUTS(from) : "memory");
  v = static_cast<unsigned char>(wide);
}
T2C_FN void store_pack_if(bool wanted, unsigned char* to, unsigned char const& v) {
  unsigned const wide = v;
  asm volatile(T2C_GUARD("2", "st.global.u8 [%1], %0") ::"r"(wide), T2C_INPUTS(to) : "memory");
}
#undef T2C_INPUTS
#undef T2C_GUARD

/// Reads a run if it is wanted; else `to` keeps what it holds.
template <int N, class To, class E>
T2C_FN void read_run_if(bool wanted, To* to, E* from) {
  constexpr int bytes = run_alignment<N, E>, each = bytes / int(sizeof(E));
  using pack = typename pack_of<bytes>::type;
  T2C_UNROLL
  for (int i = 0; i < N; i += each) {
    elements<To, each> part;
    T2C_UNROLL
    for (int k = 0; k < each; ++k) part.at[k] = to[i + k];
    pack moved = meta::bit_cast<pack>(part);
    load_pack_if<read_only<E>>(wanted, reinterpret_cast<pack const*>(from + i), moved);
    part = meta::bit_cast<elements<To, each>>(moved);
    T2C_UNROLL
    for (int k = 0; k < each; ++k) to[i + k] = part.at[k];
  }
}

/// Writes a run if it is wanted.
template <int N, class E>
T2C_FN void write_run_if(bool wanted, E* to, E const* from) {
  constexpr int bytes = run_alignment<N, E>, each = bytes / int(sizeof(E));
  using pack = typename pack_of<bytes>::type;
  T2C_UNROLL
  for (int i = 0; i < N; i += each) {
    elements<E, each> part;
    T2C_UNROLL
    for (int k = 0; k < each; ++k) part.at[k] = from[i + k];
    store_pack_if(wanted, reinterpret_cast<pack*>(to + i), meta::bit_cast<pack>(part));
  }
}

}  // namespace tile2cpp::backend
