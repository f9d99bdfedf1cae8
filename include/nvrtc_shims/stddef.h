// <stddef.h> for NVRTC.
#pragma once
#include "cstddef"

using std::ptrdiff_t, std::size_t;
