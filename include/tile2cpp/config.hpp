// config.hpp: which machine this build is for, how its functions are declared, and the schedule.
// Everything that depends on the compiler is decided here or in backend/.
#pragma once

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define T2C_GPU 1
#else
#define T2C_HOST 1
#include <stddef.h>
#include <stdint.h>
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define T2C_TENSOR_CORES 1
#endif

// Products by whole warpgroups: where the entry lists the rings in which their factors wait, and the target has them.
#if defined(T2C_RINGS) && defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define T2C_WARPGROUPS 1
#endif

#ifndef T2C_SCRATCH  // bytes of shared memory in which tiles move between the threads, in slabs if need be
#define T2C_SCRATCH 32768
#endif

#ifndef T2C_KEEPS_SUMS  // 1: sums may be asked for after another product began with them
#define T2C_KEEPS_SUMS 0
#endif

#ifndef T2C_READS_AHEAD  // 1: a product may read the first fragments of the next one
#define T2C_READS_AHEAD 0
#endif

#ifndef T2C_FED  // 1: warps of their own fetch the factors of products
#define T2C_FED 0
#endif

#ifndef T2C_FLAT  // 1: these products have too few rows for warpgroups
#define T2C_FLAT 0
#endif

#ifndef T2C_WALKING  // 1: the blocks of a launch run several blocks of the grid, one after the other
#define T2C_WALKING 0
#endif

#ifndef T2C_WIDE_LINES  // 1: there is room for whole lines of wide results on their way to memory
#define T2C_WIDE_LINES 0
#endif

#ifndef T2C_PACKS_EARLY  // 1: narrow factors of turned loops are packed before the next product begins
#define T2C_PACKS_EARLY 0
#endif
#ifndef T2C_FULL  // 1: the compiler leaves registers for as many threads as a multiprocessor can hold
#define T2C_FULL 0
#endif
#ifndef T2C_WRITTEN_ZEROS  // lines with sums that are read before a product adds to them, each with a comma behind it
#define T2C_WRITTEN_ZEROS
#endif
#ifndef T2C_OVERTAKEN  // lines with products that are complete before anyone asks, each with a comma behind it
#define T2C_OVERTAKEN
#endif

#ifndef T2C_FIXED_LOADS  // 1: no variable that was loaded takes another value later
#define T2C_FIXED_LOADS 0
#endif

// T2C_FN: code of the kernel. T2C_BOTH: pure functions of shapes, also for the launching side.
// T2C_KEEP_LOOP: a loop that stays one. T2C_UNROLL: a loop over the elements of one thread; a GPU keeps them in registers only when unrolled.
#ifdef T2C_GPU
#define T2C_FN __device__ __forceinline__
#define T2C_BOTH __host__ __device__ __forceinline__
#define T2C_UNROLL _Pragma("unroll")
#define T2C_KEEP_LOOP _Pragma("unroll 1")
#else
#define T2C_FN inline
#define T2C_BOTH inline
#define T2C_UNROLL
#define T2C_KEEP_LOOP
#endif

// The toolkit predefines both words (since 13.0) for its own tile compiler.
#undef __tile_global__
#undef __tile__
#ifdef T2C_GPU
// A kernel may be instantiated explicitly, where "inline" is an error. It is called once, so it is inlined all the same.
#define __tile_global__ __device__
#define __tile__ __device__ __forceinline__
// 1835: "inline" on a variable; 2803: [[cutile::hint]]; 186: a loop over the axes of a rank 0 shape compares with zero.
#pragma nv_diag_suppress 1835, 2803, 186
#else
#define __tile_global__
#define __tile__
#endif

// The schedule of the kernel; the generated entry defines these before it includes the kernel.
#ifndef T2C_THREADS
#ifdef T2C_GPU
#define T2C_THREADS 128
#else
#define T2C_THREADS 1
#endif
#endif

// A block of one thread holds whole tiles, which can then be constants themselves.
#if T2C_THREADS == 1 && !defined(T2C_BACKEND_HEADER)
#define T2C_ONE_THREAD 1
#define T2C_CONSTEVAL consteval
#else
#define T2C_CONSTEVAL T2C_FN
#endif

#ifndef T2C_VECTOR  // most elements of the last axis that one thread holds side by side
#define T2C_VECTOR 4
#endif

#ifndef T2C_COLUMN_THREADS  // threads along the last axis
#if T2C_THREADS < 32
#define T2C_COLUMN_THREADS T2C_THREADS
#else
#define T2C_COLUMN_THREADS 32
#endif
#endif

#ifndef T2C_PRODUCT  // 1: tiles lie as matrix instructions hold them, and 4 column threads stand for a warp
#define T2C_PRODUCT 0
#endif

#ifndef T2C_TURNED  // 1: warpgroups compute results with rows and columns swapped, and tiles lie like that
#define T2C_TURNED 0
#endif

#ifndef T2C_SHARED  // bytes of dynamic shared memory, in which the loads of products run ahead
#define T2C_SHARED 0
#endif

#ifndef T2C_ORDERED  // 1: every store is fenced by block barriers, so memory follows program order
#define T2C_ORDERED 1
#endif

#ifndef T2C_STORES_MEET  // 1: several threads may store one element, which nobody loads: they meet before each store
#define T2C_STORES_MEET 0
#endif

#ifndef T2C_EARLY  // 1: products may fetch their factors before the program comes to them; elements of `const` arrays, which nobody writes
#if T2C_ORDERED
#define T2C_EARLY 0
#else
#define T2C_EARLY 1
#endif
#endif

#ifndef T2C_ASKS  // 0: no block looks what others have done: nobody uses what an atomic operation gives, nor loads in an order
#define T2C_ASKS 1
#endif

#ifndef T2C_TELLS  // 1: others may wait for what a block has done, `const` arrays read included: loads keep their place, without barriers too
#define T2C_TELLS 0
#endif

// Files of relocatable device code are linked on the GPU's side as well. What this file makes of the library depends on its
// schedule, so its names must not be taken for those of a file with another one.
#ifdef __CUDACC_RDC__
#define T2C_NAME_OF(threads, vector, columns, ordered, product, shared, turned, meet, early, asks, tells) \
  tile2cpp_##threads##_##vector##_##columns##_##ordered##_##product##_##shared##_##turned##_##meet##_##early##_##asks##_##tells
#define T2C_NAME(...) T2C_NAME_OF(__VA_ARGS__)
#define tile2cpp T2C_NAME(T2C_THREADS, T2C_VECTOR, T2C_COLUMN_THREADS, T2C_ORDERED, T2C_PRODUCT, T2C_SHARED, T2C_TURNED, T2C_STORES_MEET, T2C_EARLY, T2C_ASKS, T2C_TELLS)
#endif

namespace tile2cpp {

using size_t = decltype(sizeof(0));
using ptrdiff_t = decltype(static_cast<char*>(nullptr) - static_cast<char*>(nullptr));
using int32_t = int;
using uint32_t = unsigned int;
#ifdef T2C_HOST
using int64_t = ::int64_t;
using uint64_t = ::uint64_t;
#else
using int64_t = ptrdiff_t;
using uint64_t = size_t;
#endif

}  // namespace tile2cpp
