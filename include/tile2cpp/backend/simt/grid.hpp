// backend/simt/grid.hpp: the block that the hardware gave to these threads.
#pragma once

#include "tile2cpp/config.hpp"
#if T2C_WALKING
#include "tile2cpp/backend/sm90/block_walk.hpp"
#endif

namespace tile2cpp {

using ::dim3;
using ::uint3;

namespace backend {

#if !T2C_WALKING
T2C_FN uint3 block_index() { return blockIdx; }
T2C_FN dim3 grid_extent() { return gridDim; }
#endif

/// Waits for the kernels before this one in its stream, where the launch let it begin early (programmatic dependent launch).
/// Without that it returns at once.
T2C_FN void wait_for_predecessors() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The kernel behind this one may begin early in its turn, when all blocks of this one have got here: it waits for their end where it
/// starts, so what runs beside them is its own preparation. Where kernels say so by themselves, the GPU starts half as many blocks in a second.
T2C_FN void let_dependents_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

}  // namespace backend
}  // namespace tile2cpp
