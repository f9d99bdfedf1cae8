// vector_types.h: CUDA's short vectors for machines without a toolkit: dim3, float4, make_int2, ...
#pragma once
#include "tile2cpp/backend/host/grid.hpp"

using tile2cpp::dim3;
using tile2cpp::uint3;  // what ct::bid() gives

#define T2C_VECTOR_OF_3(name, type)    \
  struct name##3 {                     \
    type x, y, z;                      \
  };
#define T2C_VECTORS(name, type)                                                                  \
  struct name##1 {                                                                               \
    type x;                                                                                      \
  };                                                                                             \
  struct alignas(2 * sizeof(type)) name##2 {                                                     \
    type x, y;                                                                                   \
  };                                                                                             \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 {                        \
    type x, y, z, w;                                                                             \
  };                                                                                             \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; }                               \
  inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                    \
  inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define T2C_SHORT_VECTORS(name, type) T2C_VECTOR_OF_3(name, type) T2C_VECTORS(name, type)
T2C_SHORT_VECTORS(char, signed char)
T2C_SHORT_VECTORS(uchar, unsigned char)
T2C_SHORT_VECTORS(short, short)
T2C_SHORT_VECTORS(ushort, unsigned short)
T2C_SHORT_VECTORS(int, int)
T2C_VECTORS(uint, unsigned)
T2C_SHORT_VECTORS(longlong, long long)
T2C_SHORT_VECTORS(ulonglong, unsigned long long)
T2C_SHORT_VECTORS(float, float)
T2C_SHORT_VECTORS(double, double)
#undef T2C_SHORT_VECTORS
#undef T2C_VECTORS
#undef T2C_VECTOR_OF_3
