// backend/sm90/wgmma.hpp: matrix instructions of a warpgroup: 64 rows by N columns of sums += a * b.
//
// Both factors lie in shared memory, told by descriptors, or `a` in registers. They run on while the threads go on:
// sums and factors may not be touched before `await_products`.
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp::backend {

/// Registers written before are there for the instructions that follow.
T2C_FN void open_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

/// The instructions since the last call are one group.
T2C_FN void close_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

/// Waits until at most `N` of the warpgroup's groups are under way.
template <int N> T2C_FN void await_products() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

/// What is computed above stays above: ptxas moves waits to the beginning of straight code, where there is more to wait for. A branch
/// that nobody takes ends it.
T2C_FN void stay_above() {
  asm volatile("{\n.reg .pred never;\nsetp.gt.u32 never, %0, 0xffff;\n@never bra out;\nbra.uni in;\nout: bar.warp.sync 0xffffffff;\nin:\n}" ::"r"(threadIdx.x) : "memory");
}

/// No use of these values moves above this, nor what they are computed from below. Four in one statement, since compilers
/// think long about each.
T2C_FN void pin(float* x) { asm volatile("" : "+f"(x[0]), "+f"(x[1]), "+f"(x[2]), "+f"(x[3])); }
T2C_FN void pin(int* x) { asm volatile("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])); }
T2C_FN void pin(unsigned* x) { asm volatile("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])); }

/// Zero in a way that compilers do not take apart.
T2C_FN void set_zero(float* x) { asm volatile("mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;" : "=f"(x[0]), "=f"(x[1]), "=f"(x[2]), "=f"(x[3])); }
T2C_FN void set_zero(int* x) { asm volatile("mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;" : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])); }

/// `exists` for the factors that there are instructions for; `run<N>` takes the sums in N / 2 registers. `Turned`
/// factors lie with the summed axis across their rows.
template <class A, class B> struct warpgroup_instruction {
  static constexpr bool exists = false;
};

// The operands of the sums, and their names in the instruction: "%0, %1, ..., %127".
#define T2C_TEN(t) "%" #t "0, %" #t "1, %" #t "2, %" #t "3, %" #t "4, %" #t "5, %" #t "6, %" #t "7, %" #t "8, %" #t "9"
#define T2C_NAMES_4 "%0, %1, %2, %3"
#define T2C_NAMES_8 T2C_NAMES_4 ", %4, %5, %6, %7"
#define T2C_NAMES_16 T2C_TEN() ", %10, %11, %12, %13, %14, %15"
#define T2C_NAMES_32 T2C_TEN() ", " T2C_TEN(1) ", " T2C_TEN(2) ", %30, %31"
#define T2C_NAMES_64 T2C_TEN() ", " T2C_TEN(1) ", " T2C_TEN(2) ", " T2C_TEN(3) ", " T2C_TEN(4) ", " T2C_TEN(5) ", %60, %61, %62, %63"
#define T2C_NAMES_128                                                                                                        \
  T2C_TEN() ", " T2C_TEN(1) ", " T2C_TEN(2) ", " T2C_TEN(3) ", " T2C_TEN(4) ", " T2C_TEN(5) ", " T2C_TEN(6) ", " T2C_TEN(7)   \
  ", " T2C_TEN(8) ", " T2C_TEN(9) ", " T2C_TEN(10) ", " T2C_TEN(11) ", %120, %121, %122, %123, %124, %125, %126, %127"
#define T2C_SUMS_4(c, i) "+" c(sums[i]), "+" c(sums[i + 1]), "+" c(sums[i + 2]), "+" c(sums[i + 3])
#define T2C_SUMS_8(c, i) T2C_SUMS_4(c, i), T2C_SUMS_4(c, i + 4)
#define T2C_SUMS_16(c, i) T2C_SUMS_8(c, i), T2C_SUMS_8(c, i + 8)
#define T2C_SUMS_32(c, i) T2C_SUMS_16(c, i), T2C_SUMS_16(c, i + 16)
#define T2C_SUMS_64(c, i) T2C_SUMS_32(c, i), T2C_SUMS_32(c, i + 32)
#define T2C_SUMS_128(c, i) T2C_SUMS_64(c, i), T2C_SUMS_64(c, i + 64)

// One instruction of `n` columns, `r` = n / 2 registers; the names of the operands behind the sums are given: those of
// descriptors (x, y), of the switch that keeps the old sums (k) and of the flags for turned factors (t, u).
#define T2C_HALF_PRODUCT(n, r, name, x, y, k, t, u)                                                                          \
  if constexpr (N == n)                                                                                                      \
    asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " k ", 0; wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." name      \
                 " {" T2C_NAMES_##r "}, " x ", " y ", keep, 1, 1, " t ", " u "; }"                                             \
                 : T2C_SUMS_##r("f", 0) : "l"(a), "l"(b), "r"(keep), "n"(TurnedA), "n"(TurnedB) : "memory");
#define T2C_HALF_PRODUCT_IN_REGISTERS(n, r, name, w, x, y, z, d, k, u)                                                        \
  if constexpr (N == n)                                                                                                      \
    asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " k ", 0; wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." name      \
                 " {" T2C_NAMES_##r "}, {" w ", " x ", " y ", " z "}, " d ", keep, 1, 1, " u "; }"                             \
                 : T2C_SUMS_##r("f", 0) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep), "n"(TurnedB) : "memory");
#define T2C_HALF_INSTRUCTION(E, name)                                                                                        \
  template <> struct warpgroup_instruction<E, E> {                                                                           \
    static constexpr bool exists = true, turns = true;                                                                       \
    using sum = float;                                                                                                       \
    template <int N, bool TurnedA, bool TurnedB> T2C_FN static void run(float* sums, unsigned long long a, unsigned long long b, int keep) { \
      T2C_HALF_PRODUCT(8, 4, name, "%4", "%5", "%6", "%7", "%8")                                                              \
      T2C_HALF_PRODUCT(16, 8, name, "%8", "%9", "%10", "%11", "%12")                                                          \
      T2C_HALF_PRODUCT(32, 16, name, "%16", "%17", "%18", "%19", "%20")                                                       \
      T2C_HALF_PRODUCT(64, 32, name, "%32", "%33", "%34", "%35", "%36")                                                       \
      T2C_HALF_PRODUCT(128, 64, name, "%64", "%65", "%66", "%67", "%68")                                                      \
      T2C_HALF_PRODUCT(256, 128, name, "%128", "%129", "%130", "%131", "%132")                                                \
    }                                                                                                                        \
    template <int N, bool TurnedB> T2C_FN static void run(float* sums, unsigned const (&a)[4], unsigned long long b, int keep) {                   \
      T2C_HALF_PRODUCT_IN_REGISTERS(8, 4, name, "%4", "%5", "%6", "%7", "%8", "%9", "%10")                                           \
      T2C_HALF_PRODUCT_IN_REGISTERS(16, 8, name, "%8", "%9", "%10", "%11", "%12", "%13", "%14")                                      \
      T2C_HALF_PRODUCT_IN_REGISTERS(32, 16, name, "%16", "%17", "%18", "%19", "%20", "%21", "%22")                                   \
      T2C_HALF_PRODUCT_IN_REGISTERS(64, 32, name, "%32", "%33", "%34", "%35", "%36", "%37", "%38")                                   \
      T2C_HALF_PRODUCT_IN_REGISTERS(128, 64, name, "%64", "%65", "%66", "%67", "%68", "%69", "%70")                                  \
      T2C_HALF_PRODUCT_IN_REGISTERS(256, 128, name, "%128", "%129", "%130", "%131", "%132", "%133", "%134")                           \
    }                                                                                                                        \
  };
#ifdef T2C_WARPGROUPS
T2C_HALF_INSTRUCTION(__half, "f16.f16")
T2C_HALF_INSTRUCTION(__nv_bfloat16, "bf16.bf16")
#endif

// Factors of other sizes always lie with the summed axis along their rows. `rest`: what follows the switch.
#define T2C_STRAIGHT_PRODUCT(n, r, c, name, rest, x, y, k)                                                                   \
  if constexpr (N == n)                                                                                                      \
    asm volatile("{ .reg .pred keep; setp.ne.b32 keep, " k ", 0; wgmma.mma_async.sync.aligned.m64n" #n name                  \
                 " {" T2C_NAMES_##r "}, " x ", " y ", keep" rest "; }"                                                         \
                 : T2C_SUMS_##r(c, 0) : "l"(a), "l"(b), "r"(keep) : "memory");
#define T2C_STRAIGHT_INSTRUCTION(A, B, Sum, c, name, rest)                                                                   \
  template <> struct warpgroup_instruction<A, B> {                                                                           \
    static constexpr bool exists = true, turns = false;                                                                      \
    using sum = Sum;                                                                                                         \
    template <int N, bool, bool> T2C_FN static void run(Sum* sums, unsigned long long a, unsigned long long b, int keep) {                   \
      T2C_STRAIGHT_PRODUCT(8, 4, c, name, rest, "%4", "%5", "%6")                                                             \
      T2C_STRAIGHT_PRODUCT(16, 8, c, name, rest, "%8", "%9", "%10")                                                           \
      T2C_STRAIGHT_PRODUCT(32, 16, c, name, rest, "%16", "%17", "%18")                                                        \
      T2C_STRAIGHT_PRODUCT(64, 32, c, name, rest, "%32", "%33", "%34")                                                        \
      T2C_STRAIGHT_PRODUCT(128, 64, c, name, rest, "%64", "%65", "%66")                                                       \
      T2C_STRAIGHT_PRODUCT(256, 128, c, name, rest, "%128", "%129", "%130")                                                   \
    }                                                                                                                        \
  };
#ifdef T2C_WARPGROUPS
T2C_STRAIGHT_INSTRUCTION(__nv_tf32, __nv_tf32, float, "f", "k8.f32.tf32.tf32", ", 1, 1")
T2C_STRAIGHT_INSTRUCTION(__nv_fp8_e4m3, __nv_fp8_e4m3, float, "f", "k32.f32.e4m3.e4m3", ", 1, 1")
T2C_STRAIGHT_INSTRUCTION(__nv_fp8_e5m2, __nv_fp8_e5m2, float, "f", "k32.f32.e5m2.e5m2", ", 1, 1")
T2C_STRAIGHT_INSTRUCTION(signed char, signed char, int, "r", "k32.s32.s8.s8", "")
T2C_STRAIGHT_INSTRUCTION(signed char, unsigned char, int, "r", "k32.s32.s8.u8", "")
T2C_STRAIGHT_INSTRUCTION(unsigned char, signed char, int, "r", "k32.s32.u8.s8", "")
T2C_STRAIGHT_INSTRUCTION(unsigned char, unsigned char, int, "r", "k32.s32.u8.u8", "")
#endif

}  // namespace tile2cpp::backend
