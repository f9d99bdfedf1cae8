// backend/simt/floating.hpp: float and double arithmetic with rounding modes: intrinsics, and PTX for flushing.
//
// Without a rounding suffix PTX rounds to nearest and may contract a product with a sum, as plain operators do.
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp::backend {

#define T2C_PTX_BINARY(name, ptx)                                  \
  T2C_FN float name(float a, float b) {                            \
    float r;                                                       \
    asm(ptx " %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));            \
    return r;                                                      \
  }
#define T2C_PTX_ROUNDED(op)                       \
  T2C_PTX_BINARY(op##_ftz, #op ".ftz.f32")        \
  T2C_PTX_BINARY(op##_ftz_rz, #op ".rz.ftz.f32")  \
  T2C_PTX_BINARY(op##_ftz_rd, #op ".rm.ftz.f32")  \
  T2C_PTX_BINARY(op##_ftz_ru, #op ".rp.ftz.f32")
namespace ptx {
T2C_PTX_ROUNDED(add)
T2C_PTX_ROUNDED(sub)
T2C_PTX_ROUNDED(mul)
T2C_PTX_BINARY(div_ftz, "div.rn.ftz.f32")
T2C_PTX_BINARY(div_ftz_rz, "div.rz.ftz.f32")
T2C_PTX_BINARY(div_ftz_rd, "div.rm.ftz.f32")
T2C_PTX_BINARY(div_ftz_ru, "div.rp.ftz.f32")
T2C_PTX_BINARY(div_approx, "div.approx.f32")
T2C_PTX_BINARY(div_approx_ftz, "div.approx.ftz.f32")
T2C_PTX_BINARY(div_full, "div.full.f32")
T2C_PTX_BINARY(div_full_ftz, "div.full.ftz.f32")
T2C_PTX_BINARY(max_ftz, "max.ftz.f32")
T2C_PTX_BINARY(min_ftz, "min.ftz.f32")
T2C_PTX_BINARY(max_plain, "max.f32")
T2C_PTX_BINARY(min_plain, "min.f32")

#define T2C_PTX_UNARY(name, ptx)                         \
  T2C_FN float name(float x) {                           \
    float r;                                             \
    asm(ptx " %0, %1;" : "=f"(r) : "f"(x));              \
    return r;                                            \
  }
T2C_PTX_UNARY(sqrt_ftz, "sqrt.rn.ftz.f32")
T2C_PTX_UNARY(sqrt_ftz_rz, "sqrt.rz.ftz.f32")
T2C_PTX_UNARY(sqrt_ftz_rd, "sqrt.rm.ftz.f32")
T2C_PTX_UNARY(sqrt_ftz_ru, "sqrt.rp.ftz.f32")
T2C_PTX_UNARY(sqrt_approx, "sqrt.approx.f32")
T2C_PTX_UNARY(sqrt_approx_ftz, "sqrt.approx.ftz.f32")
T2C_PTX_UNARY(exp2_approx, "ex2.approx.f32")
T2C_PTX_UNARY(exp2_approx_ftz, "ex2.approx.ftz.f32")
T2C_PTX_UNARY(rsqrt_approx, "rsqrt.approx.f32")
T2C_PTX_UNARY(rsqrt_approx_ftz, "rsqrt.approx.ftz.f32")
T2C_PTX_UNARY(tanh_approx, "tanh.approx.f32")
#undef T2C_PTX_UNARY

#define T2C_PTX_FMA(name, ptx)                                              \
  T2C_FN float name(float a, float b, float c) {                            \
    float r;                                                                \
    asm(ptx " %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));         \
    return r;                                                               \
  }
T2C_PTX_FMA(fma_ftz, "fma.rn.ftz.f32")
T2C_PTX_FMA(fma_ftz_rz, "fma.rz.ftz.f32")
T2C_PTX_FMA(fma_ftz_rd, "fma.rm.ftz.f32")
T2C_PTX_FMA(fma_ftz_ru, "fma.rp.ftz.f32")
#undef T2C_PTX_FMA
}  // namespace ptx
#undef T2C_PTX_ROUNDED
#undef T2C_PTX_BINARY

// One function of the mode over four spellings of the operation.
#define T2C_BY_MODE(nearest, zero, negative, positive)                      \
  if constexpr (M == rounding_mode::round_toward_zero) return zero;         \
  else if constexpr (M == rounding_mode::round_toward_negative) return negative; \
  else if constexpr (M == rounding_mode::round_toward_positive) return positive; \
  else return nearest

template <subnormals_rounding_mode S>
inline constexpr bool flushes = S == subnormals_rounding_mode::round_subnormals_to_zero;

#define T2C_FLOATING_OPERATION(op, symbol)                                                                        \
  template <rounding_mode M, subnormals_rounding_mode S> T2C_FN float op(float a, float b) {                      \
    if constexpr (flushes<S>) {                                                                                   \
      T2C_BY_MODE(ptx::op##_ftz(a, b), ptx::op##_ftz_rz(a, b), ptx::op##_ftz_rd(a, b), ptx::op##_ftz_ru(a, b));   \
    } else {                                                                                                      \
      T2C_BY_MODE(a symbol b, __f##op##_rz(a, b), __f##op##_rd(a, b), __f##op##_ru(a, b));                        \
    }                                                                                                             \
  }                                                                                                               \
  template <rounding_mode M, subnormals_rounding_mode S> T2C_FN double op(double a, double b) {                   \
    T2C_BY_MODE(a symbol b, __d##op##_rz(a, b), __d##op##_rd(a, b), __d##op##_ru(a, b));                          \
  }
T2C_FLOATING_OPERATION(add, +)
T2C_FLOATING_OPERATION(sub, -)
T2C_FLOATING_OPERATION(mul, *)
#undef T2C_FLOATING_OPERATION

template <rounding_mode M, subnormals_rounding_mode S> T2C_FN float div(float a, float b) {
  if constexpr (M == rounding_mode::round_approximate) {
    return flushes<S> ? ptx::div_approx_ftz(a, b) : ptx::div_approx(a, b);
  } else if constexpr (M == rounding_mode::round_full) {
    return flushes<S> ? ptx::div_full_ftz(a, b) : ptx::div_full(a, b);
  } else if constexpr (flushes<S>) {
    T2C_BY_MODE(ptx::div_ftz(a, b), ptx::div_ftz_rz(a, b), ptx::div_ftz_rd(a, b), ptx::div_ftz_ru(a, b));
  } else {
    T2C_BY_MODE(__fdiv_rn(a, b), __fdiv_rz(a, b), __fdiv_rd(a, b), __fdiv_ru(a, b));
  }
}
template <rounding_mode M, subnormals_rounding_mode S> T2C_FN double div(double a, double b) {
  T2C_BY_MODE(a / b, __ddiv_rz(a, b), __ddiv_rd(a, b), __ddiv_ru(a, b));
}

template <rounding_mode M, subnormals_rounding_mode S> T2C_FN float fma(float a, float b, float c) {
  if constexpr (flushes<S>) {
    T2C_BY_MODE(ptx::fma_ftz(a, b, c), ptx::fma_ftz_rz(a, b, c), ptx::fma_ftz_rd(a, b, c), ptx::fma_ftz_ru(a, b, c));
  } else {
    T2C_BY_MODE(::fmaf(a, b, c), __fmaf_rz(a, b, c), __fmaf_rd(a, b, c), __fmaf_ru(a, b, c));
  }
}
template <rounding_mode M, subnormals_rounding_mode S> T2C_FN double fma(double a, double b, double c) {
  T2C_BY_MODE(::fma(a, b, c), __fma_rz(a, b, c), __fma_rd(a, b, c), __fma_ru(a, b, c));
}

template <rounding_mode M, subnormals_rounding_mode S> T2C_FN float sqrt(float x) {
  if constexpr (M == rounding_mode::round_approximate) {
    return flushes<S> ? ptx::sqrt_approx_ftz(x) : ptx::sqrt_approx(x);
  } else if constexpr (flushes<S>) {
    T2C_BY_MODE(ptx::sqrt_ftz(x), ptx::sqrt_ftz_rz(x), ptx::sqrt_ftz_rd(x), ptx::sqrt_ftz_ru(x));
  } else {
    T2C_BY_MODE(__fsqrt_rn(x), __fsqrt_rz(x), __fsqrt_rd(x), __fsqrt_ru(x));
  }
}
template <rounding_mode M, subnormals_rounding_mode S> T2C_FN double sqrt(double x) {
  T2C_BY_MODE(__dsqrt_rn(x), __dsqrt_rz(x), __dsqrt_rd(x), __dsqrt_ru(x));
}

/// double to float in any of the four directions.
template <rounding_mode M> T2C_FN float narrow(double x) {
  T2C_BY_MODE(__double2float_rn(x), __double2float_rz(x), __double2float_rd(x), __double2float_ru(x));
}
#undef T2C_BY_MODE

/// Larger of two numbers: NaN as the mode says, and +0 above -0.
template <nan_propagation_mode N, subnormals_rounding_mode S> T2C_FN float max(float a, float b) {
  float const larger = flushes<S> ? ptx::max_ftz(a, b) : ptx::max_plain(a, b);
  return N == nan_propagation_mode::propagate_nan && (a != a || b != b) ? a + b : larger;
}
template <nan_propagation_mode N, subnormals_rounding_mode S> T2C_FN float min(float a, float b) {
  float const smaller = flushes<S> ? ptx::min_ftz(a, b) : ptx::min_plain(a, b);
  return N == nan_propagation_mode::propagate_nan && (a != a || b != b) ? a + b : smaller;
}
template <nan_propagation_mode N, subnormals_rounding_mode S> T2C_FN double max(double a, double b) {
  return N == nan_propagation_mode::propagate_nan && (a != a || b != b) ? a + b : ::fmax(a, b);
}
template <nan_propagation_mode N, subnormals_rounding_mode S> T2C_FN double min(double a, double b) {
  return N == nan_propagation_mode::propagate_nan && (a != a || b != b) ? a + b : ::fmin(a, b);
}

// half and bfloat16 have their own instructions from sm_80 on; float holds all their values before.
// Their names are found when the kernel includes their header.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr bool half_instructions = false;
#else
inline constexpr bool half_instructions = true;
#endif

template <nan_propagation_mode N, subnormals_rounding_mode S, class E>
  requires meta::is_half_precision<E>
T2C_FN E max(E a, E b) {
  if constexpr (!half_instructions) return E(max<N, S>(static_cast<float>(a), static_cast<float>(b)));
  else if constexpr (N == nan_propagation_mode::propagate_nan) return __hmax_nan(a, b);
  else return __hmax(a, b);
}
template <nan_propagation_mode N, subnormals_rounding_mode S, class E>
  requires meta::is_half_precision<E>
T2C_FN E min(E a, E b) {
  if constexpr (!half_instructions) return E(min<N, S>(static_cast<float>(a), static_cast<float>(b)));
  else if constexpr (N == nan_propagation_mode::propagate_nan) return __hmin_nan(a, b);
  else return __hmin(a, b);
}
template <class E>
  requires meta::is_half_precision<E>
T2C_FN E fused(E a, E b, E c) {
  if constexpr (half_instructions || meta::is_same<E, __half>) return __hfma(a, b, c);
  else return E(::fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}

template <class E> T2C_FN E divide(E a, E b) { return static_cast<E>(a / b); }
template <class E> T2C_FN E modulo(E a, E b) { return static_cast<E>(a % b); }

/// -x, in two steps that ptxas does not read as a negation. ptxas 12.9 and 13.0 (not 13.5) lose the sign of a negated
/// operand where they join two minima or maxima of 32-bit integers into one VIMNMX3 (sm_90): min(min(-a, b), c) came out wrong.
T2C_FN int negated(int x) {
  int result;
  asm("{.reg .b32 flipped; not.b32 flipped, %1; add.s32 %0, flipped, 1;}" : "=r"(result) : "r"(x));
  return result;
}

/// `x`, whatever made it hidden from that same join.
template <class T> T2C_FN T const& unjoined(T const& x) { return x; }
T2C_FN int unjoined(int x) { return negated(negated(x)); }

template <class E> T2C_FN E high_product(E a, E b) {
  if constexpr (sizeof(E) == 8 && meta::is_signed<E>) return static_cast<E>(__mul64hi(a, b));
  else if constexpr (sizeof(E) == 8) return static_cast<E>(__umul64hi(a, b));
  else return static_cast<E>(static_cast<long long>(a) * static_cast<long long>(b) >> 8 * sizeof(E));
}

}  // namespace tile2cpp::backend
