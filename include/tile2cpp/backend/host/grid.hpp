// backend/host/grid.hpp: the block a host thread is running, set by the entry's loop over the grid.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp {

/// Three unsigned numbers, as CUDA spells them.
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  unsigned x, y, z;
};

namespace backend {

inline thread_local uint3 current_block{0, 0, 0};
inline thread_local dim3 current_grid{1, 1, 1};

/// Makes block (x, y, z) of a grid of (nx, ny, nz) blocks the one that this host thread runs.
inline void set_block(unsigned x, unsigned y, unsigned z, unsigned nx, unsigned ny, unsigned nz) {
  current_block = {x, y, z};
  current_grid = dim3(nx, ny, nz);
}

T2C_FN uint3 block_index() { return current_block; }
T2C_FN dim3 grid_extent() { return current_grid; }

}  // namespace backend
}  // namespace tile2cpp
