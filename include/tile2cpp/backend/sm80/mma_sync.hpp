// backend/sm80/mma_sync.hpp: one matrix instruction each: a block of 16 rows by 8 columns of sums += a * b.
//
// `a` holds 16 rows and `b` 8 columns, both over 32 bytes of the summed axis; for double a 4th of the
// sums and of `a` belong to one instruction. Who holds what is the layout of `schedule::product`.
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp::backend {

template <class A, class B> struct matrix_instruction {
  static constexpr bool exists = false;
};

#define T2C_MATRIX_INSTRUCTION(A, B, Sum, letter, name)                                              \
  template <> struct matrix_instruction<A, B> {                                                       \
    static constexpr bool exists = true;                                                              \
    T2C_FN static void run(Sum* sums, unsigned const (&a)[4], unsigned const (&b)[2]) {               \
      asm("mma.sync.aligned." name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
                   : "+" letter(sums[0]), "+" letter(sums[1]), "+" letter(sums[2]), "+" letter(sums[3]) \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));               \
    }                                                                                                 \
  };
T2C_MATRIX_INSTRUCTION(__half, __half, float, "f", "m16n8k16.row.col.f32.f16.f16.f32")
T2C_MATRIX_INSTRUCTION(__nv_bfloat16, __nv_bfloat16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
T2C_MATRIX_INSTRUCTION(__nv_tf32, __nv_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")
T2C_MATRIX_INSTRUCTION(signed char, signed char, unsigned, "r", "m16n8k32.row.col.s32.s8.s8.s32")
T2C_MATRIX_INSTRUCTION(signed char, unsigned char, unsigned, "r", "m16n8k32.row.col.s32.s8.u8.s32")
T2C_MATRIX_INSTRUCTION(unsigned char, signed char, unsigned, "r", "m16n8k32.row.col.s32.u8.s8.s32")
T2C_MATRIX_INSTRUCTION(unsigned char, unsigned char, unsigned, "r", "m16n8k32.row.col.s32.u8.u8.s32")
#undef T2C_MATRIX_INSTRUCTION

template <> struct matrix_instruction<double, double> {
  static constexpr bool exists = true;
  /// Two blocks of 8 rows; a[0] belongs to the upper one.
  T2C_FN static void run(double* sums, double const (&a)[2], double const& b) {
    T2C_UNROLL
    for (int half = 0; half < 2; ++half)
      asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+d"(sums[2 * half]), "+d"(sums[2 * half + 1])
                   : "d"(a[half]), "d"(b));
  }
};

/// What an element is multiplied as; `no_type` has no matrix instruction. fp8 is exact in half.
template <class E> struct matrix_factor { using type = E; };
template <> struct matrix_factor<__nv_fp8_e4m3> { using type = __half; };
template <> struct matrix_factor<__nv_fp8_e5m2> { using type = __half; };
template <> struct matrix_factor<char> {
  using type = meta::conditional_t<meta::is_signed<char>, signed char, unsigned char>;
};
template <> struct matrix_factor<float> { using type = void; };  // float stays exact
template <class E> using matrix_factor_t = typename matrix_factor<E>::type;

template <class E> inline constexpr bool is_small_float = meta::is_one_of<E, __nv_fp8_e4m3, __nv_fp8_e5m2>;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
inline constexpr bool widens_pairs = true;
#else
inline constexpr bool widens_pairs = false;
#endif

/// What an element is in the stages of a product: what has to be converted lies there as it is, and is converted when it is read:
/// single precision that counts as tf32, and 8-bit floats.
template <class E>
using staged_factor_t = meta::conditional_t<meta::is_same<E, float> || (is_small_float<E> && widens_pairs), E, matrix_factor_t<E>>;
template <class E> using multiplied_t = meta::conditional_t<meta::is_same<E, float>, __nv_tf32, matrix_factor_t<E>>;

/// Two 8-bit floats, the `upper` or the lower ones of a word, as halves.
template <class E> T2C_FN unsigned widen_pair(unsigned word, bool upper) {
  unsigned short const pair = static_cast<unsigned short>(upper ? word >> 16 : word);
  unsigned halves = 0;
  if constexpr (!widens_pairs) return halves;
  else if constexpr (meta::is_same<E, __nv_fp8_e4m3>) asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(pair));
  else asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(pair));
  return halves;
}

}  // namespace tile2cpp::backend
