// error: _ic: write the constant in decimal digits
#include <cuda_tile.h>
using namespace cuda::tiles::literals;
auto n = 010_ic;
