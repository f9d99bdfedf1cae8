// backend/sm80/cp_async.hpp: copies from global to shared memory that run on while the thread goes on.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// Starts to copy `bytes` of 16 bytes, and writes zeros for the others.
T2C_FN void copy_piece(unsigned to, void const* from, int bytes) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
}

/// Starts to copy 16 bytes.
T2C_FN void copy_piece(unsigned to, void const* from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

/// The same if `wanted`, without a branch: other instructions may move past it.
T2C_FN void copy_piece_if(bool wanted, unsigned to, void const* from) {
  asm volatile("{ .reg .pred go; setp.ne.u32 go, %2, 0; @go cp.async.cg.shared.global.L2::128B [%0], [%1], 16; }" ::"r"(to), "l"(from), "r"(int(wanted)) : "memory");
}

/// The copies started since the last call are one group.
T2C_FN void close_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Waits until at most `N` of this thread's groups are under way.
template <int N> T2C_FN void wait_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

/// Waits for all copies of this thread, in groups or not.
T2C_FN void wait_all_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }

}  // namespace tile2cpp::backend
