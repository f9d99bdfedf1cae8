// emulated_block.hpp: a block of T2C_THREADS operating system threads with the primitives of backend/simt,
// so that everything a GPU would do with tiles in registers can be checked on any machine.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

#include "tile2cpp/element.hpp"
#include "tile2cpp/layout.hpp"

namespace tile2cpp::backend {

inline constexpr int threads = T2C_THREADS;
inline constexpr int scratch_bytes = 32 * 1024;

inline thread_local int this_thread = 0;
inline std::barrier block_barrier{threads};
alignas(16) inline unsigned char scratch_memory[scratch_bytes];
alignas(16) inline unsigned char shuffle_memory[threads * 16];

inline int thread() { return this_thread; }
inline void sync() { block_barrier.arrive_and_wait(); }
template <int Bytes = scratch_bytes> unsigned char* scratch() { return scratch_memory; }

/// All threads of the block shuffle together, which is more than a warp needs and therefore enough.
template <class T> T shuffle_xor(T value, int mask) {
  T* all = reinterpret_cast<T*>(shuffle_memory);
  all[this_thread] = value;
  sync();
  T const other = all[this_thread ^ mask];
  sync();
  return other;
}

/// Runs `body` once in each thread of the block.
inline void run_block(std::function<void()> const& body) {
  std::vector<std::thread> block;
  for (int t = 0; t < threads; ++t)
    block.emplace_back([&body, t] {
      this_thread = t;
      body();
    });
  for (auto& thread : block) thread.join();
}

}  // namespace tile2cpp::backend
