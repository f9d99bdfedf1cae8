// cuda_tile.h: CUDA Tile C++ over plain CUDA blocks and over the host compiler.
#pragma once

#include "tile2cpp/tile_traits.hpp"
#if __has_include("tile2cpp/create.hpp")
#include "tile2cpp/create.hpp"
#endif
#if __has_include("tile2cpp/operators.hpp")
#include "tile2cpp/operators.hpp"
#endif
#if __has_include("tile2cpp/cast.hpp")
#include "tile2cpp/cast.hpp"
#endif
#if __has_include("tile2cpp/math.hpp")
#include "tile2cpp/math.hpp"
#endif
#if __has_include("tile2cpp/reshape.hpp")
#include "tile2cpp/reshape.hpp"
#endif
#if __has_include("tile2cpp/reduce.hpp")
#include "tile2cpp/reduce.hpp"
#endif
#if __has_include("tile2cpp/scan.hpp")
#include "tile2cpp/scan.hpp"
#endif
#if __has_include("tile2cpp/span.hpp")
#include "tile2cpp/span.hpp"
#endif
#if __has_include("tile2cpp/view.hpp")
#include "tile2cpp/view.hpp"
#endif
#if __has_include("tile2cpp/gather.hpp")
#include "tile2cpp/gather.hpp"
#endif
#if __has_include("tile2cpp/grid.hpp")
#include "tile2cpp/grid.hpp"
#endif
#if __has_include("tile2cpp/assume.hpp")
#include "tile2cpp/assume.hpp"
#endif
#if __has_include("tile2cpp/atomics.hpp")
#include "tile2cpp/atomics.hpp"
#endif
#if __has_include("tile2cpp/mma.hpp")
#include "tile2cpp/mma.hpp"
#endif
#if __has_include("tile2cpp/debug.hpp")
#include "tile2cpp/debug.hpp"
#endif

namespace cuda {
namespace tiles = ::tile2cpp;
}
