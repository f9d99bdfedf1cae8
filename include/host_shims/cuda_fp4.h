// cuda_fp4.h for machines without the CUDA toolkit: the 4-bit storage type, one to a byte.
#pragma once

#include "cuda_fp8.h"
#include "tile2cpp/small_format.hpp"

using __nv_fp4_storage_t = unsigned char;

struct __nv_fp4_e2m1 {
  __nv_fp4_e2m1() = default;
  explicit __nv_fp4_e2m1(float x)
      : __x(static_cast<unsigned char>(tile2cpp::meta::narrow_bits<tile2cpp::meta::e2m1_format>(x))) {}
  explicit __nv_fp4_e2m1(double x) : __nv_fp4_e2m1(tile2cpp::meta::round_to_odd(x)) {}
  explicit __nv_fp4_e2m1(__half x) : __nv_fp4_e2m1(static_cast<float>(x)) {}
  explicit __nv_fp4_e2m1(__nv_bfloat16 x) : __nv_fp4_e2m1(static_cast<float>(x)) {}
  explicit operator float() const { return tile2cpp::meta::widen_bits<tile2cpp::meta::e2m1_format>(__x); }
  explicit operator double() const { return static_cast<float>(*this); }
  __nv_fp4_storage_t __x;
};
