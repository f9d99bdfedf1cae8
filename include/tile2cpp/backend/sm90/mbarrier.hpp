// backend/sm90/mbarrier.hpp: barriers in shared memory that threads, and copies, arrive at.
//
// A barrier passes through phases. A phase ends when the expected number of arrivals is complete; waiting is for the end
// of a phase of even or odd number.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

T2C_FN void prepare_barrier(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

/// Makes prepared barriers visible to the copies of other units; a block barrier must follow.
T2C_FN void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

T2C_FN void arrive(unsigned barrier) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory"); }

/// Waits for the end of a phase of this parity.
T2C_FN void await(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(barrier), "r"(parity) : "memory");
}

/// What this thread knows to be in shared memory is there for the tensor cores, too.
T2C_FN void fence_for_tensor_cores() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

}  // namespace tile2cpp::backend
