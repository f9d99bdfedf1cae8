// cuda_tf32.h for machines without the CUDA toolkit.
#pragma once

#include "../device_shims/cuda_tf32.h"
