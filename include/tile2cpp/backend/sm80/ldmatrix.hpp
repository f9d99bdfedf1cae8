// backend/sm80/ldmatrix.hpp: blocks of 8 rows by 16 bytes from shared memory into the lanes of a warp.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp::backend {

T2C_FN unsigned shared_address(void const* place) { return static_cast<unsigned>(__cvta_generic_to_shared(place)); }

/// Four blocks; lanes 8 i to 8 i + 7 give the addresses of the rows of block i. Turned: of 16-bit elements, transposed.
template <bool Turned> T2C_FN void load_four_blocks(unsigned (&to)[4], unsigned address) {
  if constexpr (Turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(address) : "memory");
}

/// Two blocks; lanes 0 to 15 give the addresses.
template <bool Turned> T2C_FN void load_two_blocks(unsigned (&to)[2], unsigned address) {
  if constexpr (Turned)
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(address) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(to[0]), "=r"(to[1]) : "r"(address) : "memory");
}

}  // namespace tile2cpp::backend
