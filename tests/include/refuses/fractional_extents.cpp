// error: extents: the first argument is an integral type
#include <cuda_tile.h>
cuda::tiles::extents<float, 8> e;
