// backend/floating.hpp: arithmetic of float, double and integers as the machine does it.
#pragma once

#include "tile2cpp/config.hpp"

#ifdef T2C_GPU
#include "tile2cpp/backend/simt/floating.hpp"
#include "tile2cpp/backend/simt/quotient.hpp"
#else
#include "tile2cpp/backend/host/floating.hpp"
#endif
