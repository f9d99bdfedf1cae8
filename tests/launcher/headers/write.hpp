// write_.hpp: starts the kernel of write_.cu from C++; written by tile2cpp from kernels.py.
//   write_(x: i64[?]W, n: i32)
#pragma once

#include <tile2cpp/launcher.hpp>

// How the threads of a GPU share the work.
#ifdef T2C_WANTS_SCHEDULE
#ifndef T2C_THREADS
#define T2C_SCHEDULE_OF_LAUNCHER
#define T2C_THREADS 32
#define T2C_VECTOR 2
#define T2C_COLUMN_THREADS 8
#define T2C_ORDERED 0
#define T2C_PRODUCT 0
#define T2C_SHARED 0
#elif T2C_THREADS != 32 || T2C_VECTOR != 2 || T2C_COLUMN_THREADS != 8 || T2C_ORDERED != 0 || T2C_PRODUCT != 0 || T2C_SHARED != 0
#error "write_.hpp: this file includes before it what is run in another way; give it a .cu file of its own (T2C_DEFINE_LAUNCHERS)"
#endif
#endif

#include <tile2cpp/launch.hpp>
#ifdef T2C_HAS_KERNELS
#include <cuda_tile.h>
#endif

/// Starts `write_` for every block of `grid`, on `stream`. With CUDA these are dim3 and cudaStream_t, and the result
/// is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)
/// says that an argument is not what the kernel was made for; `refusal_write_` says which. Arrays must not overlap
/// when one of them is written.
///
///   x_ptr: an array of long long, written; x_shape0 elements; the address is a multiple of 16
///   n: a number (int)
T2C_LAUNCHER tile2cpp::launch_status launch_write_(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    long long* x_ptr, long long x_shape0,
    int n);

/// What of that does not hold for these arguments, in words; null if all does.
inline char const* refusal_write_(
    long long* x_ptr, long long x_shape0,
    [[maybe_unused]] int n) {
  if (!tile2cpp::is_aligned(x_ptr, 16)) return "x_ptr is no multiple of 16 bytes";
  if (!(x_shape0 >= 0)) return "x_shape0 is negative";
  return nullptr;
}

#ifdef T2C_HAS_KERNELS

namespace tile2cpp_write_ {

#include <tile2cpp/kernel_begin.hpp>
#include "write_.cu"
#include <tile2cpp/kernel_end.hpp>

#ifdef T2C_WANTS_SCHEDULE
static __global__ void __launch_bounds__(T2C_THREADS, 2) write___entry(
    long long* __restrict__ x_ptr, long long x_shape0,
    int n) {
  tile2cpp::backend::wait_for_predecessors();
  write_(x_ptr, x_shape0, n);
}
#endif

}  // namespace tile2cpp_write_

T2C_LAUNCHER tile2cpp::launch_status launch_write_(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    long long* x_ptr, long long x_shape0,
    int n) {
  if (refusal_write_(x_ptr, x_shape0, n)) return tile2cpp::launch_refused;
#if defined(__CUDACC_TILE__)
  return tile2cpp::start(tile2cpp_write_::write_, grid, 1, 0, stream, x_ptr, x_shape0, n);
#elif defined(__CUDACC__)
  return tile2cpp::start(tile2cpp_write_::write___entry, grid, T2C_THREADS, T2C_SHARED, stream, x_ptr, x_shape0, n);
#else
  static_cast<void>(stream);
  tile2cpp::for_each_block(grid, [&] { tile2cpp_write_::write_(x_ptr, x_shape0, n); });
  return tile2cpp::launch_done;
#endif
}

#endif
