// error: tile: the shape is not cv-qualified
#include <cuda_tile.h>
cuda::tiles::tile<float, cuda::tiles::shape<8> const> t;
