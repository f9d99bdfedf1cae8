// error: +=
#include <cuda_tile.h>
namespace ct = cuda::tiles;
void f(ct::tile<float, ct::shape<8>> t) { t += t; }
