// backend/memory.hpp: the memory primitives of the machine this build is for.
#pragma once

#include "tile2cpp/config.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/atomic.hpp"
#include "tile2cpp/backend/simt/global_memory.hpp"
#include "tile2cpp/backend/simt/guarded_memory.hpp"
#include "tile2cpp/backend/simt/runs.hpp"
#else
#include "tile2cpp/backend/host/atomic.hpp"
#include "tile2cpp/backend/host/global_memory.hpp"
#include "tile2cpp/backend/host/runs.hpp"
#endif
