// error: float
#include <cuda_tile.h>
namespace ct = cuda::tiles;
float x = ct::sum<0>(ct::zeros<ct::tile<float, ct::shape<8>>>());
