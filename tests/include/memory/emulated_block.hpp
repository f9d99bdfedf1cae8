// emulated_block.hpp: a block of T2C_THREADS host threads, so that code for many threads runs without a GPU.
#pragma once

#include <barrier>

#include "tile2cpp/layout.hpp"

namespace tile2cpp::backend {

inline constexpr int threads = T2C_THREADS;
inline constexpr int scratch_bytes = 32 * 1024;

inline thread_local int current_thread = 0;
inline std::barrier<> meeting(threads);

inline int thread() { return current_thread; }
inline void sync() { meeting.arrive_and_wait(); }

inline unsigned char* scratch() {
  alignas(16) static unsigned char bytes[scratch_bytes];
  return bytes;
}

template <class T> T shuffle_xor(T value, int mask) {
  static T posted[threads];
  posted[current_thread] = value;
  sync();
  T const other = posted[current_thread ^ mask];
  sync();
  return other;
}

}  // namespace tile2cpp::backend
