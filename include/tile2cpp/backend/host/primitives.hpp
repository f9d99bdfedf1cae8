// backend/host: one thread is the whole block, so nothing has to be synchronised.
#pragma once

#include "tile2cpp/layout.hpp"

namespace tile2cpp::backend {

inline constexpr int threads = 1;
inline constexpr int scratch_bytes = 32 * 1024;

/// Number of the calling thread in its block.
inline int thread() { return 0; }

/// Waits until every thread of the block is here.
inline void sync() {}

/// Memory that the whole block shares; free for use between two `sync()`.
template <int Bytes = scratch_bytes> unsigned char* scratch() {
  alignas(16) static thread_local unsigned char bytes[scratch_bytes];
  return bytes;
}

/// The value of `value` in the thread whose number differs in `mask`; never needed with one thread.
template <class T> T shuffle_xor(T value, int) { return value; }

}  // namespace tile2cpp::backend
