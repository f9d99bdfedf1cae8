// backend/simt/grid.hpp: the block that the hardware gave to these threads.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp {

using ::dim3;
using ::uint3;

namespace backend {

T2C_FN uint3 block_index() { return blockIdx; }
T2C_FN dim3 grid_extent() { return gridDim; }

}  // namespace backend
}  // namespace tile2cpp
