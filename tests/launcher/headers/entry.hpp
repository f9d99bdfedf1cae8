// entry.hpp: starts the kernel of entry.cu from C++; written by tile2cpp from kernels.py.
//   entry(x: i32[?], grid: i32, stream: i32)
#pragma once

#include <tile2cpp/launcher.hpp>

// How the threads of a GPU share the work.
#ifdef T2C_WANTS_SCHEDULE
#ifndef T2C_THREADS
#define T2C_SCHEDULE_OF_LAUNCHER
#define T2C_THREADS 32
#define T2C_VECTOR 4
#define T2C_COLUMN_THREADS 4
#define T2C_ORDERED 0
#define T2C_PRODUCT 0
#define T2C_SHARED 0
#elif T2C_THREADS != 32 || T2C_VECTOR != 4 || T2C_COLUMN_THREADS != 4 || T2C_ORDERED != 0 || T2C_PRODUCT != 0 || T2C_SHARED != 0
#error "entry.hpp: this file includes before it what is run in another way; give it a .cu file of its own (T2C_DEFINE_LAUNCHERS)"
#endif
#endif

#include <tile2cpp/launch.hpp>
#ifdef T2C_HAS_KERNELS
#include <cuda_tile.h>
#endif

/// Starts `entry` for every block of `grid_2`, on `stream_2`. With CUDA these are dim3 and cudaStream_t, and the result
/// is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)
/// says that an argument is not what the kernel was made for; `refusal_entry` says which. Arrays must not overlap
/// when one of them is written.
///
///   x_ptr: an array of int, written; x_shape0 elements; the address is a multiple of 16
///   grid: a number (int)
///   stream: a number (int)
T2C_LAUNCHER tile2cpp::launch_status launch_entry(
    tile2cpp::dim3 grid_2, tile2cpp::launch_stream stream_2,
    int* x_ptr, int x_shape0,
    int grid,
    int stream);

/// What of that does not hold for these arguments, in words; null if all does.
inline char const* refusal_entry(
    int* x_ptr, int x_shape0,
    [[maybe_unused]] int grid,
    [[maybe_unused]] int stream) {
  if (!tile2cpp::is_aligned(x_ptr, 16)) return "x_ptr is no multiple of 16 bytes";
  if (!(x_shape0 >= 0)) return "x_shape0 is negative";
  return nullptr;
}

#ifdef T2C_HAS_KERNELS

namespace tile2cpp_entry {

#include <tile2cpp/kernel_begin.hpp>
#include "entry.cu"
#include <tile2cpp/kernel_end.hpp>

#ifdef T2C_WANTS_SCHEDULE
static __global__ void __launch_bounds__(T2C_THREADS) entry__entry(
    int* __restrict__ x_ptr, int x_shape0,
    int grid,
    int stream) {
  tile2cpp::backend::wait_for_predecessors();
  entry(x_ptr, x_shape0, grid, stream);
}
#endif

}  // namespace tile2cpp_entry

T2C_LAUNCHER tile2cpp::launch_status launch_entry(
    tile2cpp::dim3 grid_2, tile2cpp::launch_stream stream_2,
    int* x_ptr, int x_shape0,
    int grid,
    int stream) {
  if (refusal_entry(x_ptr, x_shape0, grid, stream)) return tile2cpp::launch_refused;
#if defined(__CUDACC_TILE__)
  return tile2cpp::start(tile2cpp_entry::entry, grid_2, 1, 0, stream_2, x_ptr, x_shape0, grid, stream);
#elif defined(__CUDACC__)
  return tile2cpp::start(tile2cpp_entry::entry__entry, grid_2, T2C_THREADS, T2C_SHARED, stream_2, x_ptr, x_shape0, grid, stream);
#else
  static_cast<void>(stream_2);
  tile2cpp::for_each_block(grid_2, [&] { tile2cpp_entry::entry(x_ptr, x_shape0, grid, stream); });
  return tile2cpp::launch_done;
#endif
}

#endif
