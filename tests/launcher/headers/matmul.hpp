// matmul.hpp: starts the kernel of matmul.cu from C++; written by tile2cpp from kernels.py.
//   matmul(A: f16[?,?], B: f16[?,?], C: f32[?,?])
#pragma once

#include <tile2cpp/launcher.hpp>

// How the threads of a GPU share the work.
#ifdef T2C_WANTS_SCHEDULE
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#error "matmul.hpp uses tensor cores; for older GPUs: tile2cpp translate --launcher --target sm_75"
#endif
#ifndef T2C_THREADS
#define T2C_SCHEDULE_OF_LAUNCHER
#define T2C_THREADS 128
#define T2C_VECTOR 2
#define T2C_COLUMN_THREADS 8
#define T2C_ORDERED 0
#define T2C_PRODUCT 1
#define T2C_SHARED 32768
#elif T2C_THREADS != 128 || T2C_VECTOR != 2 || T2C_COLUMN_THREADS != 8 || T2C_ORDERED != 0 || T2C_PRODUCT != 1 || T2C_SHARED != 32768
#error "matmul.hpp: this file includes before it what is run in another way; give it a .cu file of its own (T2C_DEFINE_LAUNCHERS)"
#endif
#endif

#include <tile2cpp/launch.hpp>
#include <cuda_fp16.h>
#ifdef T2C_HAS_KERNELS
#include <cuda_tile.h>
#endif

/// Starts `matmul` for every block of `grid`, on `stream`. With CUDA these are dim3 and cudaStream_t, and the result
/// is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)
/// says that an argument is not what the kernel was made for; `refusal_matmul` says which. Arrays must not overlap
/// when one of them is written.
///
///   A_ptr: an array of __half, read; A_shape0 x A_shape1 elements, row-major; the address is a multiple of 16
///   B_ptr: an array of __half, read; B_shape0 x B_shape1 elements, row-major; the address is a multiple of 16
///   C_ptr: an array of float, written; C_shape0 x C_shape1 elements, row-major; the address is a multiple of 16
T2C_LAUNCHER tile2cpp::launch_status launch_matmul(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    __half const* A_ptr, int A_shape0, int A_shape1,
    __half const* B_ptr, int B_shape0, int B_shape1,
    float* C_ptr, int C_shape0, int C_shape1);

/// What of that does not hold for these arguments, in words; null if all does.
inline char const* refusal_matmul(
    __half const* A_ptr, int A_shape0, int A_shape1,
    __half const* B_ptr, int B_shape0, int B_shape1,
    float* C_ptr, int C_shape0, int C_shape1) {
  if (!tile2cpp::is_aligned(A_ptr, 16)) return "A_ptr is no multiple of 16 bytes";
  if (!(A_shape0 >= 0)) return "A_shape0 is negative";
  if (!(A_shape1 >= 0)) return "A_shape1 is negative";
  if (!tile2cpp::offsets_fit({A_shape0, A_shape1})) return "A spans 2^31 elements or more";
  if (!tile2cpp::is_aligned(B_ptr, 16)) return "B_ptr is no multiple of 16 bytes";
  if (!(B_shape0 >= 0)) return "B_shape0 is negative";
  if (!(B_shape1 >= 0)) return "B_shape1 is negative";
  if (!tile2cpp::offsets_fit({B_shape0, B_shape1})) return "B spans 2^31 elements or more";
  if (!tile2cpp::is_aligned(C_ptr, 16)) return "C_ptr is no multiple of 16 bytes";
  if (!(C_shape0 >= 0)) return "C_shape0 is negative";
  if (!(C_shape1 >= 0)) return "C_shape1 is negative";
  if (!tile2cpp::offsets_fit({C_shape0, C_shape1})) return "C spans 2^31 elements or more";
  return nullptr;
}

#ifdef T2C_HAS_KERNELS

namespace tile2cpp_matmul {

#include <tile2cpp/kernel_begin.hpp>
#include "matmul.cu"
#include <tile2cpp/kernel_end.hpp>

#ifdef T2C_WANTS_SCHEDULE
static __global__ void __launch_bounds__(T2C_THREADS, 1) matmul__entry(
    __half const* __restrict__ A_ptr, int A_shape0, int A_shape1,
    __half const* __restrict__ B_ptr, int B_shape0, int B_shape1,
    float* __restrict__ C_ptr, int C_shape0, int C_shape1) {
  tile2cpp::backend::wait_for_predecessors();
  tile2cpp::backend::forget_stages();
  matmul(A_ptr, A_shape0, A_shape1, B_ptr, B_shape0, B_shape1, C_ptr, C_shape0, C_shape1);
}
#endif

}  // namespace tile2cpp_matmul

T2C_LAUNCHER tile2cpp::launch_status launch_matmul(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    __half const* A_ptr, int A_shape0, int A_shape1,
    __half const* B_ptr, int B_shape0, int B_shape1,
    float* C_ptr, int C_shape0, int C_shape1) {
  if (refusal_matmul(A_ptr, A_shape0, A_shape1, B_ptr, B_shape0, B_shape1, C_ptr, C_shape0, C_shape1)) return tile2cpp::launch_refused;
#if defined(__CUDACC_TILE__)
  return tile2cpp::start(tile2cpp_matmul::matmul, grid, 1, 0, stream, A_ptr, A_shape0, A_shape1, B_ptr, B_shape0, B_shape1, C_ptr, C_shape0, C_shape1);
#elif defined(__CUDACC__)
  return tile2cpp::start(tile2cpp_matmul::matmul__entry, grid, T2C_THREADS, T2C_SHARED, stream, A_ptr, A_shape0, A_shape1, B_ptr, B_shape0, B_shape1, C_ptr, C_shape0, C_shape1);
#else
  static_cast<void>(stream);
  tile2cpp::for_each_block(grid, [&] { tile2cpp_matmul::matmul(A_ptr, A_shape0, A_shape1, B_ptr, B_shape0, B_shape1, C_ptr, C_shape0, C_shape1); });
  return tile2cpp::launch_done;
#endif
}

#endif
