// cuda_tf32.h for toolkits that have none (before 13.3), and for the host: a float whose last 13 bits are zero.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/small_format.hpp"

struct alignas(4) __nv_tf32 {
  __nv_tf32() = default;
  T2C_BOTH explicit __nv_tf32(float x) : bits(tile2cpp::meta::narrow_bits<tile2cpp::meta::tf32_format>(x) << 13) {}
  T2C_BOTH explicit __nv_tf32(double x) : __nv_tf32(tile2cpp::meta::round_to_odd(x)) {}
  template <class I>
    requires tile2cpp::meta::is_one_of<I, short, unsigned short, int, unsigned, long, unsigned long, long long,
                                       unsigned long long>
  T2C_BOTH explicit __nv_tf32(I x) : __nv_tf32(static_cast<double>(x)) {}
  T2C_BOTH explicit operator float() const { return __builtin_bit_cast(float, bits); }
  T2C_BOTH explicit operator double() const { return __builtin_bit_cast(float, bits); }
  T2C_BOTH explicit operator bool() const { return (bits & 0x7fffffffu) != 0; }

  unsigned bits;
};
