// scale_rows.hpp: starts the kernel of scale_rows.cu from C++; written by tile2cpp from kernels.py.
//   scale_rows(x: f32[?,?]:(?%16,1), y: f32[?%16,64], factor: f32, shape: (=4, =64), FLAG=True)
#pragma once

#include <tile2cpp/launcher.hpp>

// How the threads of a GPU share the work.
#ifdef T2C_WANTS_SCHEDULE
#ifndef T2C_THREADS
#define T2C_SCHEDULE_OF_LAUNCHER
#define T2C_THREADS 64
#define T2C_VECTOR 4
#define T2C_COLUMN_THREADS 16
#define T2C_ORDERED 0
#define T2C_PRODUCT 0
#define T2C_SHARED 0
#elif T2C_THREADS != 64 || T2C_VECTOR != 4 || T2C_COLUMN_THREADS != 16 || T2C_ORDERED != 0 || T2C_PRODUCT != 0 || T2C_SHARED != 0
#error "scale_rows.hpp: this file includes before it what is run in another way; give it a .cu file of its own (T2C_DEFINE_LAUNCHERS)"
#endif
#endif

#include <tile2cpp/launch.hpp>
#ifdef T2C_HAS_KERNELS
#include <cuda_tile.h>
#endif

/// Starts `scale_rows` for every block of `grid`, on `stream`. With CUDA these are dim3 and cudaStream_t, and the result
/// is a cudaError_t; on the CPU the call returns when all blocks are done. The result 0 is success. cudaErrorInvalidValue (1)
/// says that an argument is not what the kernel was made for; `refusal_scale_rows` says which. Arrays must not overlap
/// when one of them is written.
///
///   x_ptr: an array of float, read; x_shape0 x x_shape1 elements, element (i, j) at [i * x_stride0 + j]; the address is a multiple of 16
///   y_ptr: an array of float, written; y_shape0 x 64 elements, row-major; the address is a multiple of 16
///   factor: a number (float)
///
/// Part of the kernel: shape[0] = 4, shape[1] = 64, FLAG = True.
T2C_LAUNCHER tile2cpp::launch_status launch_scale_rows(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    float const* x_ptr, int x_shape0, int x_shape1, int x_stride0,
    float* y_ptr, int y_shape0,
    float factor);

/// What of that does not hold for these arguments, in words; null if all does.
inline char const* refusal_scale_rows(
    float const* x_ptr, int x_shape0, int x_shape1, int x_stride0,
    float* y_ptr, int y_shape0,
    [[maybe_unused]] float factor) {
  if (!tile2cpp::is_aligned(x_ptr, 16)) return "x_ptr is no multiple of 16 bytes";
  if (!(x_shape0 >= 0)) return "x_shape0 is negative";
  if (!(x_shape1 >= 0)) return "x_shape1 is negative";
  if (!(x_stride0 >= 0)) return "x_stride0 is negative";
  if (!(x_stride0 % 16 == 0)) return "x_stride0 is no multiple of 16";
  if (!tile2cpp::offsets_fit({x_shape0, x_shape1}, {x_stride0, 1})) return "x spans 2^31 elements or more";
  if (!tile2cpp::is_aligned(y_ptr, 16)) return "y_ptr is no multiple of 16 bytes";
  if (!(y_shape0 >= 0)) return "y_shape0 is negative";
  if (!(y_shape0 % 16 == 0)) return "y_shape0 is no multiple of 16";
  if (!tile2cpp::offsets_fit({y_shape0, 64})) return "y spans 2^31 elements or more";
  return nullptr;
}

#ifdef T2C_HAS_KERNELS

namespace tile2cpp_scale_rows {

#include <tile2cpp/kernel_begin.hpp>
#include "scale_rows.cu"
#include <tile2cpp/kernel_end.hpp>

#ifdef T2C_WANTS_SCHEDULE
static __global__ void __launch_bounds__(T2C_THREADS) scale_rows__entry(
    float const* __restrict__ x_ptr, int x_shape0, int x_shape1, int x_stride0,
    float* __restrict__ y_ptr, int y_shape0,
    float factor) {
  tile2cpp::backend::wait_for_predecessors();
  scale_rows(x_ptr, x_shape0, x_shape1, x_stride0, y_ptr, y_shape0, factor);
}
#endif

}  // namespace tile2cpp_scale_rows

T2C_LAUNCHER tile2cpp::launch_status launch_scale_rows(
    tile2cpp::dim3 grid, tile2cpp::launch_stream stream,
    float const* x_ptr, int x_shape0, int x_shape1, int x_stride0,
    float* y_ptr, int y_shape0,
    float factor) {
  if (refusal_scale_rows(x_ptr, x_shape0, x_shape1, x_stride0, y_ptr, y_shape0, factor)) return tile2cpp::launch_refused;
#if defined(__CUDACC_TILE__)
  return tile2cpp::start(tile2cpp_scale_rows::scale_rows, grid, 1, 0, stream, x_ptr, x_shape0, x_shape1, x_stride0, y_ptr, y_shape0, factor);
#elif defined(__CUDACC__)
  return tile2cpp::start(tile2cpp_scale_rows::scale_rows__entry, grid, T2C_THREADS, T2C_SHARED, stream, x_ptr, x_shape0, x_shape1, x_stride0, y_ptr, y_shape0, factor);
#else
  static_cast<void>(stream);
  tile2cpp::for_each_block(grid, [&] { tile2cpp_scale_rows::scale_rows(x_ptr, x_shape0, x_shape1, x_stride0, y_ptr, y_shape0, factor); });
  return tile2cpp::launch_done;
#endif
}

#endif
