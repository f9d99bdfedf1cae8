// memory.hpp: memory that both this program and its kernels can use; given back when the program ends.
#pragma once

#include <tile2cpp/launch.hpp>

#ifndef T2C_CUDA
#include <new>
#endif

/// Memory for `count` elements.
template <class E>
E* memory(unsigned count) {
#ifdef T2C_CUDA
  void* address = nullptr;
  return cudaMallocManaged(&address, count * sizeof(E)) == cudaSuccess ? static_cast<E*>(address) : nullptr;
#else
  return static_cast<E*>(::operator new(count * sizeof(E), std::align_val_t(16)));
#endif
}

/// Until all kernels are done; whether nothing went wrong.
inline bool wait() {
#ifdef T2C_CUDA
  return cudaDeviceSynchronize() == cudaSuccess;
#else
  return true;
#endif
}
