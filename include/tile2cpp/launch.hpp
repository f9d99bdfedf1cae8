// launch.hpp: how a C++ program starts Tile C++ kernels: on a GPU, or block by block on the CPU.
//
// Which of them it is, the compiler decides: nvcc, nvcc -enable-tile (NVIDIA's tile compiler, which brings a library of its
// own), or a plain C++ compiler. A plain compiler that only calls what nvcc has compiled is told so by T2C_CUDA.
#pragma once

#if defined(__CUDACC__) || defined(T2C_CUDA)
#include <cuda_runtime_api.h>
#endif
#if defined(__CUDACC__) && !defined(__CUDACC_TILE__)
#include "tile2cpp/backend/grid.hpp"
#include "tile2cpp/backend/sm80/note.hpp"
#elif !defined(__CUDACC__) && !defined(T2C_CUDA)
#include "tile2cpp/backend/host/grid.hpp"
#endif

namespace tile2cpp {

// --- types: CUDA's, or on the CPU what stands for them --------------------------------

#if defined(__CUDACC__) || defined(T2C_CUDA)
using ::dim3;
using launch_stream = ::cudaStream_t;
using launch_status = ::cudaError_t;
inline constexpr launch_status launch_done = ::cudaSuccess;
inline constexpr launch_status launch_refused = ::cudaErrorInvalidValue;
#else
using launch_stream = void*;                     // has no meaning: a launch returns when all blocks are done
enum launch_status : int { launch_done = 0, launch_refused = 1 };  // CUDA's numbers
#endif

// --- what a kernel file was specialised for -------------------------------------------

/// Whether an address is a multiple of `bytes`.
inline bool is_aligned(void const* address, unsigned bytes) { return reinterpret_cast<unsigned long long>(address) % bytes == 0; }

/// Whether every element of an array lies less than 2^31 elements from its first: offsets of such arrays have 32 bits.
template <unsigned Rank>
inline bool offsets_fit(long long const (&extents)[Rank], long long const (&strides)[Rank]) {
  long long reach = 0;
  for (unsigned axis = 0; axis < Rank; ++axis) {
    if (extents[axis] <= 0) return true;  // no elements
    if (strides[axis] > 0 && extents[axis] - 1 > ((1ll << 31) - 1 - reach) / strides[axis]) return false;
    reach += (extents[axis] - 1) * strides[axis];
  }
  return true;
}

/// The same for an array that lies row-major and without gaps.
template <unsigned Rank>
inline bool offsets_fit(long long const (&extents)[Rank]) {
  long long strides[Rank], stride = 1;
  for (unsigned axis = Rank; axis-- > 0;) {
    strides[axis] = stride;
    if (extents[axis] > 1 && (stride *= extents[axis]) > 1ll << 40) stride = 1ll << 40;  // far beyond, and no overflow
  }
  return offsets_fit(extents, strides);
}

// --- starting -------------------------------------------------------------------------

#if defined(__CUDACC__)

/// Starts a function of the GPU; a grid without blocks is done at once.
template <class... P>
launch_status start(void (*entry)(P...), dim3 grid, unsigned threads, unsigned shared_bytes, launch_stream stream, P... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return launch_done;
  void const* const function = reinterpret_cast<void const*>(entry);
  if (shared_bytes > 0) {  // beside what the kernel declares, it may be more than the usual 48 KiB
    auto const status = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes));
    if (status != cudaSuccess) return status;
  }
  void* addresses[sizeof...(P) + 1] = {const_cast<void*>(static_cast<void const*>(&arguments))...};
  return cudaLaunchKernel(function, grid, dim3(threads), addresses, shared_bytes, stream);
}

#elif !defined(T2C_CUDA)

/// Calls `block` for every block of a grid, x fastest; `ct::bid()` says which one it is.
template <class Block>
void for_each_block(dim3 grid, Block block) {
  for (unsigned z = 0; z < grid.z; ++z)
    for (unsigned y = 0; y < grid.y; ++y)
      for (unsigned x = 0; x < grid.x; ++x) {
        backend::set_block(x, y, z, grid.x, grid.y, grid.z);
        block();
      }
}

#endif

// --- kernels of this file, by their names ---------------------------------------------

#if defined(__CUDACC__) && !defined(__CUDACC_TILE__)
}  // namespace tile2cpp

// nvcc writes the kernel's name into code of this namespace, without its own: no function of the library may have that name here.
namespace tile2cpp_launch {

/// The function of the GPU around a kernel.
template <auto Kernel, class... P>
__global__ void __launch_bounds__(T2C_THREADS) entry_of(P... arguments) {
  tile2cpp::backend::wait_for_predecessors();
#if T2C_SHARED > 0
  tile2cpp::backend::forget_stages();
#endif
  Kernel(arguments...);
}

}  // namespace tile2cpp_launch

namespace tile2cpp {
#endif

#if defined(__CUDACC__) || !defined(T2C_CUDA)

namespace detail {

/// `A`, where it does not decide what a template is instantiated for.
template <class A> struct as_it_is { using type = A; };
template <class A> using as_it_is_t = typename as_it_is<A>::type;

#if defined(__CUDACC_TILE__)

template <auto Kernel, class... P>
launch_status launch(void (*)(P...), dim3 grid, launch_stream stream, as_it_is_t<P>... arguments) {
  return start(Kernel, grid, 1, 0, stream, arguments...);
}

#elif defined(__CUDACC__)

template <auto Kernel, class... P>
launch_status launch(void (*)(P...), dim3 grid, launch_stream stream, as_it_is_t<P>... arguments) {
#ifdef T2C_SCHEDULE_OF_LAUNCHER
  static_assert(T2C_ORDERED != 0 || sizeof...(P) > 1000,  // it was chosen for what that kernel does with its arrays
                "launch: this file has the schedule of a generated launcher; give kernels of your own another .cu file");
#endif
  return start(tile2cpp_launch::entry_of<Kernel, P...>, grid, T2C_THREADS, T2C_SHARED, stream, arguments...);
}

#else

template <auto Kernel, class... P>
launch_status launch(void (*)(P...), dim3 grid, launch_stream, as_it_is_t<P>... arguments) {
  for_each_block(grid, [&] { Kernel(arguments...); });
  return launch_done;
}

#endif

}  // namespace detail

/// Starts a kernel of this file for every block of `grid`: `launch<scale>(grid, stream, x, n)`. What kernels of templates
/// are called has their arguments in it: `launch<scale<float>>`.
template <auto Kernel, class... A>
launch_status launch(dim3 grid, launch_stream stream, A... arguments) {
  return detail::launch<Kernel>(Kernel, grid, stream, arguments...);
}

#endif

}  // namespace tile2cpp
