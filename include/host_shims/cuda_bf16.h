// cuda_bf16.h for machines without the CUDA toolkit: __nv_bfloat16, its operators and its scalar functions.
// Arithmetic is done in float and rounded once, which for + - * / and square roots is exact rounding.
#pragma once

#include "cuda_fp16.h"
#include "tile2cpp/small_format.hpp"

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct alignas(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __nv_bfloat16(float x) : bits(from_float(x)) {}
  __nv_bfloat16(double x) : bits(from_float(tile2cpp::meta::round_to_odd(x))) {}
  __nv_bfloat16(short x) : __nv_bfloat16(static_cast<float>(x)) {}
  __nv_bfloat16(unsigned short x) : __nv_bfloat16(static_cast<float>(x)) {}
  __nv_bfloat16(int x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(unsigned x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(long x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(unsigned long x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(long long x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(unsigned long long x) : __nv_bfloat16(static_cast<double>(x)) {}
  __nv_bfloat16(__nv_bfloat16_raw raw) : bits(raw.x) {}
  explicit __nv_bfloat16(__half x) : __nv_bfloat16(static_cast<float>(x)) {}

  operator float() const { return tile2cpp::meta::widen_bits<tile2cpp::meta::bfloat16_format>(bits); }
  operator __nv_bfloat16_raw() const { return {bits}; }

  __nv_bfloat16& operator+=(__nv_bfloat16 b) { return *this = __nv_bfloat16(float(*this) + float(b)); }
  __nv_bfloat16& operator-=(__nv_bfloat16 b) { return *this = __nv_bfloat16(float(*this) - float(b)); }
  __nv_bfloat16& operator*=(__nv_bfloat16 b) { return *this = __nv_bfloat16(float(*this) * float(b)); }
  __nv_bfloat16& operator/=(__nv_bfloat16 b) { return *this = __nv_bfloat16(float(*this) / float(b)); }
  __nv_bfloat16& operator++() { return *this += __nv_bfloat16(1.0f); }
  __nv_bfloat16& operator--() { return *this -= __nv_bfloat16(1.0f); }

  unsigned short bits;

 private:
  static unsigned short from_float(float x) {
    return static_cast<unsigned short>(tile2cpp::meta::narrow_bits<tile2cpp::meta::bfloat16_format>(x));
  }
};
using nv_bfloat16 = __nv_bfloat16;

inline __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return a += b; }
inline __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return a -= b; }
inline __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return a *= b; }
inline __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return a /= b; }
inline __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
inline __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16_raw{static_cast<unsigned short>(a.bits ^ 0x8000)}; }
inline bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) == float(b); }
inline bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) != float(b); }
inline bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) < float(b); }
inline bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) <= float(b); }
inline bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) > float(b); }
inline bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return float(a) >= float(b); }

#define T2C_BFLOAT16_ROUNDING(name, mode)                                                         \
  inline __nv_bfloat16 name(float x) {                                                               \
    return __nv_bfloat16_raw{static_cast<unsigned short>(                                            \
        tile2cpp::meta::narrow_bits<tile2cpp::meta::bfloat16_format, tile2cpp::rounding_mode::mode>(x))}; \
  }
T2C_BFLOAT16_ROUNDING(__float2bfloat16, round_ties_to_even)
T2C_BFLOAT16_ROUNDING(__float2bfloat16_rn, round_ties_to_even)
T2C_BFLOAT16_ROUNDING(__float2bfloat16_rz, round_toward_zero)
T2C_BFLOAT16_ROUNDING(__float2bfloat16_rd, round_toward_negative)
T2C_BFLOAT16_ROUNDING(__float2bfloat16_ru, round_toward_positive)
#undef T2C_BFLOAT16_ROUNDING
inline float __bfloat162float(__nv_bfloat16 x) { return x; }
inline __nv_bfloat16 __double2bfloat16(double x) { return x; }
inline __nv_bfloat16 __int2bfloat16_rn(int x) { return x; }
inline int __bfloat162int_rz(__nv_bfloat16 x) { return static_cast<int>(float(x)); }
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
inline short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.bits); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16_raw{x}; }
inline __nv_bfloat16 __short_as_bfloat16(short x) { return __nv_bfloat16_raw{static_cast<unsigned short>(x)}; }

inline __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
inline __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
inline __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
inline __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return double(float(a)) * double(float(b)) + double(float(c));
}
inline __nv_bfloat16 __hneg(__nv_bfloat16 x) { return -x; }
inline __nv_bfloat16 __habs(__nv_bfloat16 x) { return __nv_bfloat16_raw{static_cast<unsigned short>(x.bits & 0x7fff)}; }
inline bool __hisnan(__nv_bfloat16 x) { return (x.bits & 0x7fff) > 0x7f80; }
inline int __hisinf(__nv_bfloat16 x) { return (x.bits & 0x7fff) != 0x7f80 ? 0 : x.bits >> 15 ? -1 : 1; }
inline bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
inline bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b || a > b; }
inline bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
inline bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
inline bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
inline bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || b > a || (a == b && a.bits >> 15) ? b : a; }
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __hisnan(a) || b < a || (a == b && b.bits >> 15) ? b : a; }
inline __nv_bfloat16 hsqrt(__nv_bfloat16 x) { return __builtin_sqrtf(x); }
inline __nv_bfloat16 hexp(__nv_bfloat16 x) { return __builtin_expf(x); }
inline __nv_bfloat16 hlog(__nv_bfloat16 x) { return __builtin_logf(x); }

inline __half::__half(__nv_bfloat16 x) : __half(static_cast<float>(x)) {}
