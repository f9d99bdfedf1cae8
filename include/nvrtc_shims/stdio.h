// <stdio.h> for NVRTC: cuda_tile.h has the printf of kernels.
#pragma once
#include "cuda_tile.h"
