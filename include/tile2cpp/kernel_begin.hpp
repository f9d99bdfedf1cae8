// kernel_begin.hpp: between this and kernel_end.hpp, `extern "C" __tile_global__ void f()` is a function of the namespace it
// stands in, and of this file alone: it may be called what a function of the C library is called, and be in many files.
// Included once for each kernel file, so there is no #pragma once.
#ifndef __CUDACC_TILE__  // NVIDIA's compiler knows both words by itself
#pragma push_macro("__tile__")
#pragma push_macro("__tile_global__")
#undef __tile__
#undef __tile_global__
#ifdef T2C_GPU
#pragma push_macro("printf")
#undef printf
#define printf(...) ::tile2cpp::printf(__VA_ARGS__)  // by one thread of the block
#define __tile__ static __device__ __forceinline__
#define __tile_global__ typedef int t2c_kernel; static __device__ __forceinline__
#else
#define __tile__ static inline
#define __tile_global__ typedef int t2c_kernel; static inline
#endif
#endif
