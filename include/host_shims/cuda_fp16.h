// cuda_fp16.h for machines without the CUDA toolkit: __half, its operators and its scalar functions.
// Arithmetic is done in float and rounded once, which for + - * / and square roots is exact rounding.
#pragma once

#include "tile2cpp/small_format.hpp"

struct __nv_bfloat16;

struct __half_raw {
  unsigned short x;
};

struct alignas(2) __half {
  __half() = default;
  __half(float x) : bits(from_float(x)) {}
  __half(double x) : bits(from_float(tile2cpp::meta::round_to_odd(x))) {}
  __half(short x) : __half(static_cast<float>(x)) {}
  __half(unsigned short x) : __half(static_cast<float>(x)) {}
  __half(int x) : __half(static_cast<double>(x)) {}
  __half(unsigned x) : __half(static_cast<double>(x)) {}
  __half(long x) : __half(static_cast<double>(x)) {}
  __half(unsigned long x) : __half(static_cast<double>(x)) {}
  __half(long long x) : __half(static_cast<double>(x)) {}
  __half(unsigned long long x) : __half(static_cast<double>(x)) {}
  __half(__half_raw raw) : bits(raw.x) {}
  explicit inline __half(__nv_bfloat16 x);

  operator float() const { return tile2cpp::meta::widen_bits<tile2cpp::meta::half_format>(bits); }
  operator __half_raw() const { return {bits}; }

  __half& operator+=(__half b) { return *this = __half(float(*this) + float(b)); }
  __half& operator-=(__half b) { return *this = __half(float(*this) - float(b)); }
  __half& operator*=(__half b) { return *this = __half(float(*this) * float(b)); }
  __half& operator/=(__half b) { return *this = __half(float(*this) / float(b)); }
  __half& operator++() { return *this += __half(1.0f); }
  __half& operator--() { return *this -= __half(1.0f); }

  unsigned short bits;

 private:
  static unsigned short from_float(float x) {
    return static_cast<unsigned short>(tile2cpp::meta::narrow_bits<tile2cpp::meta::half_format>(x));
  }
};
using half = __half;

inline __half operator+(__half a, __half b) { return a += b; }
inline __half operator-(__half a, __half b) { return a -= b; }
inline __half operator*(__half a, __half b) { return a *= b; }
inline __half operator/(__half a, __half b) { return a /= b; }
inline __half operator+(__half a) { return a; }
inline __half operator-(__half a) { return __half_raw{static_cast<unsigned short>(a.bits ^ 0x8000)}; }
inline bool operator==(__half a, __half b) { return float(a) == float(b); }
inline bool operator!=(__half a, __half b) { return float(a) != float(b); }
inline bool operator<(__half a, __half b) { return float(a) < float(b); }
inline bool operator<=(__half a, __half b) { return float(a) <= float(b); }
inline bool operator>(__half a, __half b) { return float(a) > float(b); }
inline bool operator>=(__half a, __half b) { return float(a) >= float(b); }

#define T2C_HALF_ROUNDING(name, mode)                                                         \
  inline __half name(float x) {                                                               \
    return __half_raw{static_cast<unsigned short>(                                            \
        tile2cpp::meta::narrow_bits<tile2cpp::meta::half_format, tile2cpp::rounding_mode::mode>(x))}; \
  }
T2C_HALF_ROUNDING(__float2half, round_ties_to_even)
T2C_HALF_ROUNDING(__float2half_rn, round_ties_to_even)
T2C_HALF_ROUNDING(__float2half_rz, round_toward_zero)
T2C_HALF_ROUNDING(__float2half_rd, round_toward_negative)
T2C_HALF_ROUNDING(__float2half_ru, round_toward_positive)
#undef T2C_HALF_ROUNDING
inline float __half2float(__half x) { return x; }
inline __half __double2half(double x) { return x; }
inline __half __int2half_rn(int x) { return x; }
inline int __half2int_rz(__half x) { return static_cast<int>(float(x)); }
inline unsigned short __half_as_ushort(__half x) { return x.bits; }
inline short __half_as_short(__half x) { return static_cast<short>(x.bits); }
inline __half __ushort_as_half(unsigned short x) { return __half_raw{x}; }
inline __half __short_as_half(short x) { return __half_raw{static_cast<unsigned short>(x)}; }

inline __half __hadd(__half a, __half b) { return a + b; }
inline __half __hsub(__half a, __half b) { return a - b; }
inline __half __hmul(__half a, __half b) { return a * b; }
inline __half __hdiv(__half a, __half b) { return a / b; }
inline __half __hfma(__half a, __half b, __half c) {
  return double(float(a)) * double(float(b)) + double(float(c));
}
inline __half __hneg(__half x) { return -x; }
inline __half __habs(__half x) { return __half_raw{static_cast<unsigned short>(x.bits & 0x7fff)}; }
inline bool __hisnan(__half x) { return (x.bits & 0x7fff) > 0x7c00; }
inline int __hisinf(__half x) { return (x.bits & 0x7fff) != 0x7c00 ? 0 : x.bits >> 15 ? -1 : 1; }
inline bool __heq(__half a, __half b) { return a == b; }
inline bool __hne(__half a, __half b) { return a < b || a > b; }
inline bool __hlt(__half a, __half b) { return a < b; }
inline bool __hle(__half a, __half b) { return a <= b; }
inline bool __hgt(__half a, __half b) { return a > b; }
inline bool __hge(__half a, __half b) { return a >= b; }
inline __half __hmax(__half a, __half b) { return __hisnan(a) || b > a || (a == b && a.bits >> 15) ? b : a; }
inline __half __hmin(__half a, __half b) { return __hisnan(a) || b < a || (a == b && b.bits >> 15) ? b : a; }
inline __half hsqrt(__half x) { return __builtin_sqrtf(x); }
inline __half hexp(__half x) { return __builtin_expf(x); }
inline __half hlog(__half x) { return __builtin_logf(x); }
