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
#define printf(...) T2C_PRINTF(__VA_ARGS__)  // by one thread of the block
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177, 550  // the author's variables are his own: those that he does not use
#define __tile__ static __device__ __forceinline__
#define __tile_global__ typedef int t2c_kernel; static __device__ __forceinline__
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"  // the author's variables are his own: those that he does not use
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wattributes"  // hints for compilers that know them
#define __tile__ static inline
#define __tile_global__ typedef int t2c_kernel; static inline
#endif
#endif
