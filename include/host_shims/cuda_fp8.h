// cuda_fp8.h for machines without the CUDA toolkit: storage types of 8 bits and their conversions.
// Numbers beyond the largest finite one become it; e8m0 rounds up, the others to nearest even.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "tile2cpp/small_format.hpp"
#include "tile2cpp/ue5m3.hpp"

using __nv_fp8_storage_t = unsigned char;

#define T2C_FP8(type, format)                                                                               \
  struct type {                                                                                             \
    type() = default;                                                                                       \
    explicit type(float x) : __x(static_cast<unsigned char>(tile2cpp::meta::narrow_bits<tile2cpp::meta::format>(x))) {} \
    explicit type(double x) : type(tile2cpp::meta::round_to_odd(x)) {}                                      \
    explicit type(__half x) : type(static_cast<float>(x)) {}                                                \
    explicit type(__nv_bfloat16 x) : type(static_cast<float>(x)) {}                                         \
    template <class I>                                                                                      \
      requires tile2cpp::meta::is_one_of<I, short, unsigned short, int, unsigned, long, unsigned long, long long, \
                                         unsigned long long>                                                \
    explicit type(I x) : type(tile2cpp::meta::round_to_odd(static_cast<double>(x))) {}                      \
    explicit operator float() const { return tile2cpp::meta::widen_bits<tile2cpp::meta::format>(__x); }     \
    explicit operator double() const { return static_cast<float>(*this); }                                  \
    explicit operator __half() const { return static_cast<float>(*this); }                                  \
    explicit operator __nv_bfloat16() const { return static_cast<float>(*this); }                           \
    __nv_fp8_storage_t __x;                                                                                 \
  }
T2C_FP8(__nv_fp8_e4m3, e4m3_format);
T2C_FP8(__nv_fp8_e5m2, e5m2_format);
#undef T2C_FP8

/// A power of two between 2^-127 and 2^127, as its exponent plus 127; 0xff is NaN.
struct __nv_fp8_e8m0 {
  __nv_fp8_e8m0() = default;
  explicit __nv_fp8_e8m0(float x) : __x(tile2cpp::meta::narrow_to_e8m0(x)) {}
  explicit __nv_fp8_e8m0(double x) : __nv_fp8_e8m0(tile2cpp::meta::round_to_odd(x)) {}
  explicit operator float() const {
    if (__x == 0xff) return __builtin_nanf("");
    return __builtin_ldexpf(1.0f, int(__x) - 127);
  }
  explicit operator double() const { return static_cast<float>(*this); }
  __nv_fp8_storage_t __x;
};
