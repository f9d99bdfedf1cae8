// error: bool
#include <cuda_tile.h>
namespace ct = cuda::tiles;
int f(ct::tile<bool, ct::shape<8>> t) { return t ? 1 : 0; }
