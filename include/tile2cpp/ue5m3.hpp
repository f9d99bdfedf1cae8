// ue5m3.hpp: scales of 5 exponent and 3 fraction bits without a sign, for toolkits that have none (before 13.4), and for the host.
#pragma once

#include "tile2cpp/config.hpp"
#include "tile2cpp/small_format.hpp"

struct __nv_fp8_ue5m3 {
  __nv_fp8_ue5m3() = default;
  T2C_BOTH explicit __nv_fp8_ue5m3(float x) : __x(narrow(x)) {}
  T2C_BOTH explicit __nv_fp8_ue5m3(double x) : __nv_fp8_ue5m3(tile2cpp::meta::round_to_odd(x)) {}
  template <class I>
    requires tile2cpp::meta::is_one_of<I, short, unsigned short, int, unsigned, long, unsigned long, long long,
                                       unsigned long long>
  T2C_BOTH explicit __nv_fp8_ue5m3(I x) : __nv_fp8_ue5m3(static_cast<double>(x)) {}
  T2C_BOTH explicit operator float() const {
    return __x == 0xff ? __builtin_bit_cast(float, 0x7fffffffu) : tile2cpp::meta::widen_bits<tile2cpp::meta::ue5m3_format>(__x);
  }
  T2C_BOTH explicit operator double() const { return static_cast<float>(*this); }

  unsigned char __x;

 private:
  /// The sign is dropped first.
  T2C_BOTH static unsigned char narrow(float x) {
    float const size = __builtin_bit_cast(float, __builtin_bit_cast(unsigned, x) & 0x7fffffffu);
    return static_cast<unsigned char>(tile2cpp::meta::narrow_bits<tile2cpp::meta::ue5m3_format>(size));
  }
};
