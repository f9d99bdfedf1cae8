// backend/primitives.hpp: what the machine offers: thread(), sync(), scratch(), shuffle_xor().
// T2C_BACKEND_HEADER names another machine, such as the emulated block of the tests.
#pragma once

#include "tile2cpp/config.hpp"

#if defined(T2C_BACKEND_HEADER)
#include T2C_BACKEND_HEADER
#elif defined(T2C_GPU)
#include "tile2cpp/backend/simt/primitives.hpp"
#else
#include "tile2cpp/backend/host/primitives.hpp"
#endif
