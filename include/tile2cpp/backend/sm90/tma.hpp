// backend/sm90/tma.hpp: boxes of an array copied to shared memory by the copy engine, as a descriptor tells it.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// Describes an array and the boxes that are copied from it; made by the driver, passed to the kernel by value.
struct alignas(64) tensor_map {
  unsigned long long words[16];
};

/// One more arrival, and `bytes` that have to come before the phase ends.
T2C_FN void arrive_expecting(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// Starts to copy the box at `at` (elements, innermost axis first). What lies outside of the array becomes zero.
template <int Rank> T2C_FN void copy_box(unsigned to, tensor_map const* map, unsigned done, int const (&at)[Rank]) {
  if constexpr (Rank == 2)
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to), "l"(map), "r"(done),
                 "r"(at[0]), "r"(at[1]) : "memory");
  if constexpr (Rank == 3)
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to), "l"(map),
                 "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
  if constexpr (Rank == 4)
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to), "l"(map),
                 "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]) : "memory");
}

}  // namespace tile2cpp::backend
