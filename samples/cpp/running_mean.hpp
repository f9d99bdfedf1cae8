// running_mean.hpp: what main.cpp sees of the kernel in running_mean.cu.
#pragma once

#include <tile2cpp/launch.hpp>

/// Makes each element of `y` the mean of it and its neighbours in `x`; beyond the ends `x` counts as zero.
tile2cpp::launch_status running_mean(tile2cpp::launch_stream stream, float const* x, float* y, int count);
