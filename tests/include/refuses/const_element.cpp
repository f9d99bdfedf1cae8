// error: tile: the element is not cv-qualified
#include <cuda_tile.h>
cuda::tiles::tile<float const, cuda::tiles::shape<8>> t;
