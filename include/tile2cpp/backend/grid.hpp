// backend/grid.hpp: where this block is in its grid.
#pragma once

#include "tile2cpp/config.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/grid.hpp"
#else
#include "tile2cpp/backend/host/grid.hpp"
#endif
