// backend/sm90/wgmma_turned.hpp: matrix instructions of a warpgroup for results with rows and columns swapped.
//
// 64 columns by N rows of sums += a * b, where the instruction sees the right factor as its left one, in registers. Sums are
// named by the slots of the tile: neighbouring columns, which come from the halves of a block, and in fours from two blocks, first.
#pragma once

#include "tile2cpp/backend/sm90/wgmma.hpp"

namespace tile2cpp::backend {

/// The slot of the instruction's sum `i`: pairs of rows, the two halves, then blocks of eight rows.
template <bool Fours> T2C_BOTH constexpr int turned_slot(int i) {
  return Fours ? (i >> 1 & 1) | (i & 1) << 2 | i >> 2 << 3 : (i >> 1 & 1) | (i & 1) << 1 | i >> 2 << 2;
}

/// `exists` for elements that must lie along the summed axis in shared memory. A is what lies in shared memory.
template <class A, class B> struct turned_instruction {
  static constexpr bool exists = false;
};

#define T2C_SPREAD_4(c, i) "+" c(at(i)), "+" c(at(i + 1)), "+" c(at(i + 2)), "+" c(at(i + 3))
#define T2C_SPREAD_8(c, i) T2C_SPREAD_4(c, i), T2C_SPREAD_4(c, i + 4)
#define T2C_SPREAD_16(c, i) T2C_SPREAD_8(c, i), T2C_SPREAD_8(c, i + 8)
#define T2C_SPREAD_32(c, i) T2C_SPREAD_16(c, i), T2C_SPREAD_16(c, i + 16)
#define T2C_SPREAD_64(c, i) T2C_SPREAD_32(c, i), T2C_SPREAD_32(c, i + 32)
#define T2C_SPREAD_128(c, i) T2C_SPREAD_64(c, i), T2C_SPREAD_64(c, i + 64)
#define at(i) sums[turned_slot<Fours>(i)]

#define T2C_TURNED_PRODUCT(n, r, c, name, rest, w, x, y, z, d, k)                                                              \
  if constexpr (N == n)                                                                                                      \
    asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " k ", 0; wgmma.mma_async.sync.aligned.m64n" #n name                  \
                 " {" T2C_NAMES_##r "}, {" w ", " x ", " y ", " z "}, " d ", keep" rest "; }"                                  \
                 : T2C_SPREAD_##r(c, 0) : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(keep) : "memory");
#define T2C_TURNED_INSTRUCTION(A, B, Sum, c, name, rest)                                                                     \
  template <> struct turned_instruction<A, B> {                                                                              \
    static constexpr bool exists = true;                                                                                     \
    using sum = Sum;                                                                                                         \
    template <int N, bool Fours> T2C_FN static void run(Sum* sums, unsigned long long a, unsigned const (&b)[4], int keep) { \
      T2C_TURNED_PRODUCT(8, 4, c, name, rest, "%4", "%5", "%6", "%7", "%8", "%9")                                             \
      T2C_TURNED_PRODUCT(16, 8, c, name, rest, "%8", "%9", "%10", "%11", "%12", "%13")                                        \
      T2C_TURNED_PRODUCT(32, 16, c, name, rest, "%16", "%17", "%18", "%19", "%20", "%21")                                     \
      T2C_TURNED_PRODUCT(64, 32, c, name, rest, "%32", "%33", "%34", "%35", "%36", "%37")                                     \
      T2C_TURNED_PRODUCT(128, 64, c, name, rest, "%64", "%65", "%66", "%67", "%68", "%69")                                    \
      T2C_TURNED_PRODUCT(256, 128, c, name, rest, "%128", "%129", "%130", "%131", "%132", "%133")                             \
    }                                                                                                                        \
  };
#ifdef T2C_WARPGROUPS
T2C_TURNED_INSTRUCTION(__nv_tf32, __nv_tf32, float, "f", "k8.f32.tf32.tf32", ", 1, 1")
T2C_TURNED_INSTRUCTION(signed char, signed char, int, "r", "k32.s32.s8.s8", "")
T2C_TURNED_INSTRUCTION(signed char, unsigned char, int, "r", "k32.s32.u8.s8", "")
T2C_TURNED_INSTRUCTION(unsigned char, signed char, int, "r", "k32.s32.s8.u8", "")
T2C_TURNED_INSTRUCTION(unsigned char, unsigned char, int, "r", "k32.s32.u8.u8", "")
#endif
#undef at

}  // namespace tile2cpp::backend
