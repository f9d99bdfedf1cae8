// backend/simt: the threads of a CUDA block.
#pragma once

#include "tile2cpp/element.hpp"
#include "tile2cpp/layout.hpp"

namespace tile2cpp::backend {

inline constexpr int threads = T2C_THREADS;
inline constexpr int scratch_bytes = T2C_SCRATCH;

/// Number of the calling thread in its block; threads that feed the others come behind them, and have numbers of their own.
T2C_FN int steady_thread() { return T2C_FED ? static_cast<int>(threadIdx.x) % threads : static_cast<int>(threadIdx.x); }
/// The same, where it may be computed anew: of what follows from it compilers keep nothing from one block of a walk to the next. That
/// was more than the registers hold.
T2C_FN int thread() {
  int number = steady_thread();
  if constexpr (T2C_WALKING) asm volatile("" : "+r"(number));
  return number;
}

/// Waits until every thread of the block is here, but for those that feed the others.
T2C_FN void sync() {
  if constexpr (T2C_FED) asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
  else if constexpr (threads > 32) __syncthreads();
  else __syncwarp(threads >= 32 ? 0xffffffffu : (1u << (threads & 31)) - 1);
}

namespace detail {
/// Local to a function, so a kernel that never asks for it has no shared memory.
template <int Bytes> T2C_FN unsigned char* shared_bytes() {
  __shared__ alignas(16) unsigned char bytes[Bytes];
  return bytes;
}
inline constexpr unsigned lanes = threads >= 32 ? 0xffffffffu : (1u << (threads & 31)) - 1;
template <int Words> struct words {
  unsigned at[Words];
};
}  // namespace detail

/// Memory that the whole block shares; free for use between two `sync()`. Who needs few bytes has a place apart: with
/// less shared memory, more blocks fit beside each other. Stages of products leave no room for that.
template <int Bytes = scratch_bytes> T2C_FN unsigned char* scratch() {
  constexpr int few = 1024;
  return detail::shared_bytes<Bytes <= few && few < scratch_bytes && T2C_SHARED == 0 && !T2C_PRODUCT ? few : scratch_bytes>();
}

/// The value of `value` in the lane whose number differs in `mask`; 64-bit values travel whole.
template <class T> T2C_FN T shuffle_xor(T value, int mask) {
  if constexpr (sizeof(T) == 1) {
    return meta::bit_cast<T>(static_cast<unsigned char>(
        __shfl_xor_sync(detail::lanes, static_cast<unsigned>(meta::bit_cast<unsigned char>(value)), mask)));
  } else if constexpr (sizeof(T) == 2) {
    return meta::bit_cast<T>(static_cast<unsigned short>(
        __shfl_xor_sync(detail::lanes, static_cast<unsigned>(meta::bit_cast<unsigned short>(value)), mask)));
  } else {
    auto bits = meta::bit_cast<detail::words<static_cast<int>(sizeof(T) / 4)>>(value);
    T2C_UNROLL
    for (int k = 0; k < static_cast<int>(sizeof(T) / 4); ++k) bits.at[k] = __shfl_xor_sync(detail::lanes, bits.at[k], mask);
    return meta::bit_cast<T>(bits);
  }
}

}  // namespace tile2cpp::backend
