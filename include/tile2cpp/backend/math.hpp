// backend/math.hpp: elementary functions as the machine has them.
#pragma once

#include "tile2cpp/config.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/math.hpp"
#else
#include "tile2cpp/backend/host/math.hpp"
#endif
