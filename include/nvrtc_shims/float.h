// <float.h> for NVRTC.
#pragma once
#include "cfloat"
