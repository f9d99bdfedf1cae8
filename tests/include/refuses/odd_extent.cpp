// error: tile_shape
#include <cuda_tile.h>
cuda::tiles::tile<float, cuda::tiles::shape<3>> t;
