// backend/sm90/tma.hpp: boxes of an array copied to shared memory by the copy engine, as a descriptor tells it.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

/// Describes an array and the boxes that are copied from it; made by the driver, passed to the kernel by value.
struct alignas(64) tensor_map {
  unsigned long long words[16];
};

/// The descriptor will be needed soon.
T2C_FN void expect_map(tensor_map const& map) { asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory"); }

/// One more arrival, and `bytes` that have to come before the phase ends.
T2C_FN void arrive_expecting(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

/// The coordinate of the first element of tile `index`. Where 32 bits do not hold it there is no element, nor is there one far
/// below zero.
template <int Extent> T2C_FN int box_coordinate(int index) {
  constexpr unsigned tiles = 0x80000000u / Extent;  // above zero, and below
  if constexpr (Extent == 1) return index;
  else return static_cast<unsigned>(index) + tiles < 2 * tiles ? index * Extent : -0x7fffffff - 1;
}

#define T2C_COPY(rank) "cp.async.bulk.tensor." #rank "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
#define T2C_COPY_END "}], [%2];"
#define T2C_ONE_LANE(copy) "{ .reg .pred leads; elect.sync _|leads, 0xffffffff; @leads " copy " }"

/// Starts to copy the box at `at` (elements, innermost axis first). What lies outside of the array becomes zero.
template <int Rank> T2C_FN void copy_box(unsigned to, tensor_map const* map, unsigned done, int const (&at)[Rank]) {
  if constexpr (Rank == 2)
    asm volatile(T2C_COPY(2) "{%3, %4" T2C_COPY_END ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]) : "memory");
  if constexpr (Rank == 3)
    asm volatile(T2C_COPY(3) "{%3, %4, %5" T2C_COPY_END ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
  if constexpr (Rank == 4)
    asm volatile(T2C_COPY(4) "{%3, %4, %5, %6" T2C_COPY_END ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3]) : "memory");
}

/// The same by one lane of a whole warp. So the compiler sees that all is equal in all lanes, and computes it once.
template <int Rank> T2C_FN void copy_box_by_warp(unsigned to, tensor_map const* map, unsigned done, int const (&at)[Rank]) {
  if constexpr (Rank == 2)
    asm volatile(T2C_ONE_LANE(T2C_COPY(2) "{%3, %4" T2C_COPY_END) ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]) : "memory");
  if constexpr (Rank == 3)
    asm volatile(T2C_ONE_LANE(T2C_COPY(3) "{%3, %4, %5" T2C_COPY_END) ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]) : "memory");
  if constexpr (Rank == 4)
    asm volatile(T2C_ONE_LANE(T2C_COPY(4) "{%3, %4, %5, %6" T2C_COPY_END) ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]), "r"(at[3])
                 : "memory");
  if constexpr (Rank == 5)
    asm volatile(T2C_ONE_LANE(T2C_COPY(5) "{%3, %4, %5, %6, %7" T2C_COPY_END) ::"r"(to), "l"(map), "r"(done), "r"(at[0]), "r"(at[1]), "r"(at[2]),
                 "r"(at[3]), "r"(at[4]) : "memory");
}

/// `arrive_expecting` by one lane of a whole warp.
T2C_FN void arrive_expecting_by_warp(unsigned barrier, int bytes) {
  asm volatile(T2C_ONE_LANE("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;") ::"r"(barrier), "r"(bytes) : "memory");
}

}  // namespace tile2cpp::backend
