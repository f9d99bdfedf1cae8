// add_all.hpp: starts the kernel of add_all.cu from C++; written by tile2cpp from kernels.py.
//   add_all(xs: [f32[?%16]], y: f32[?])
#pragma once

#include <tile2cpp/launcher.hpp>

// How the threads of a GPU share the work.
#ifdef T2C_WANTS_SCHEDULE
#ifndef T2C_THREADS
#define T2C_SCHEDULE_OF_LAUNCHER
#define T2C_THREADS 32
#define T2C_VECTOR 4
#define T2C_COLUMN_THREADS 16
#define T2C_ORDERED 0
#define T2C_PRODUCT 0
#define T2C_SHARED 0
#elif T2C_THREADS != 32 || T2C_VECTOR != 4 || T2C_COLUMN_THREADS != 16 || T2C_ORDERED != 0 || T2C_PRODUCT != 0 || T2C_SHARED != 0
#error "add_all.hpp: this file includes before it what is run in another way; give it a .cu file of its own (T2C_DEFINE_LAUNCHERS)"
#endif
#endif

#include <tile2cpp/launch.hpp>
#ifdef T2C_HAS_KERNELS
#include <cuda_tile.h>
#endif

/// Starts `add_all` for every block of `grid`, on `stream`. With CUDA these are dim3 and cudaStream_t, and the result
/// is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)
/// says that an argument is not what the kernel was made for; `refusal_add_all` says which. Arrays must not overlap
/// when one of them is written.
///
///   xs_ptr, xs_shape0: tables in the kernel's memory, with an entry for each of the xs_length arrays of `xs`
///     (the addresses are multiples of 16)
///     (the numbers in xs_shape0 are multiples of 16)
///   y_ptr: an array of float, written; y_shape0 elements; the address is a multiple of 16
T2C_LAUNCHER tile2cpp::launch_status launch_add_all(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    float const* const* xs_ptr, int const* xs_shape0, int xs_length,
    float* y_ptr, int y_shape0);

/// What of that does not hold for these arguments, in words; null if all does.
inline char const* refusal_add_all(
    [[maybe_unused]] float const* const* xs_ptr, [[maybe_unused]] int const* xs_shape0, int xs_length,
    float* y_ptr, int y_shape0) {
  if (!(xs_length >= 0)) return "xs_length is negative";
  if (!tile2cpp::is_aligned(y_ptr, 16)) return "y_ptr is no multiple of 16 bytes";
  if (!(y_shape0 >= 0)) return "y_shape0 is negative";
  return nullptr;
}

#ifdef T2C_HAS_KERNELS

namespace tile2cpp_add_all {

#include <tile2cpp/kernel_begin.hpp>
#include "add_all.cu"
#include <tile2cpp/kernel_end.hpp>

#ifdef T2C_WANTS_SCHEDULE
static __global__ void __launch_bounds__(T2C_THREADS) add_all__entry(
    float const* const* __restrict__ xs_ptr, int const* __restrict__ xs_shape0, int xs_length,
    float* __restrict__ y_ptr, int y_shape0) {
  tile2cpp::backend::wait_for_predecessors();
  add_all(xs_ptr, xs_shape0, xs_length, y_ptr, y_shape0);
}
#endif

}  // namespace tile2cpp_add_all

T2C_LAUNCHER tile2cpp::launch_status launch_add_all(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    float const* const* xs_ptr, int const* xs_shape0, int xs_length,
    float* y_ptr, int y_shape0) {
  if (refusal_add_all(xs_ptr, xs_shape0, xs_length, y_ptr, y_shape0)) return tile2cpp::launch_refused;
#if defined(__CUDACC_TILE__)
  return tile2cpp::start(tile2cpp_add_all::add_all, grid, 1, 0, stream, xs_ptr, xs_shape0, xs_length, y_ptr, y_shape0);
#elif defined(__CUDACC__)
  return tile2cpp::start(tile2cpp_add_all::add_all__entry, grid, T2C_THREADS, T2C_SHARED, stream, xs_ptr, xs_shape0, xs_length, y_ptr, y_shape0);
#else
  static_cast<void>(stream);
  tile2cpp::for_each_block(grid, [&] { tile2cpp_add_all::add_all(xs_ptr, xs_shape0, xs_length, y_ptr, y_shape0); });
  return tile2cpp::launch_done;
#endif
}

#endif
