// standard_integers.hpp: std::size_t and its kin where no standard library is: under NVRTC.
// Kernel parameters are often spelled with them, and nvcc knows them without an include.
#pragma once

#ifdef __CUDACC_RTC__
namespace std {
using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = ptrdiff_t;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = size_t;
}  // namespace std
#else
#include <cstddef>
#include <cstdint>
#endif
