// cuda_tile.h: CUDA Tile C++ over plain CUDA blocks and over the host compiler.
#pragma once

#ifdef __CUDACC_TILE__  // nvcc -enable-tile has a library of its own
#include_next <cuda_tile.h>
#else

#include "tile2cpp/assume.hpp"
#include "tile2cpp/atomics.hpp"
#include "tile2cpp/cast.hpp"
#include "tile2cpp/create.hpp"
#include "tile2cpp/debug.hpp"
#include "tile2cpp/functions.hpp"
#include "tile2cpp/gather.hpp"
#include "tile2cpp/grid.hpp"
#include "tile2cpp/math.hpp"
#ifndef T2C_WITHOUT_PRODUCTS  // says the entry of a kernel that has none
#include "tile2cpp/mma.hpp"
#endif
#include "tile2cpp/nonfinite.hpp"
#include "tile2cpp/operators.hpp"
#include "tile2cpp/reduce.hpp"
#include "tile2cpp/repack.hpp"
#include "tile2cpp/reshape.hpp"
#include "tile2cpp/scan.hpp"
#include "tile2cpp/slices.hpp"
#include "tile2cpp/span.hpp"
#include "tile2cpp/view.hpp"

namespace cuda {
namespace tiles = ::tile2cpp;
}

#endif
