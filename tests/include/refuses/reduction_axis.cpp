// error: sum
#include <cuda_tile.h>
namespace ct = cuda::tiles;
auto r = ct::sum<2>(ct::zeros<ct::tile<float, ct::shape<8, 8>>>());
