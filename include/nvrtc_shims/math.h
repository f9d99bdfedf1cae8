// <math.h> for NVRTC: INFINITY and NAN; tile code takes its functions from ct::.
#pragma once
#include "tile2cpp/nonfinite.hpp"
