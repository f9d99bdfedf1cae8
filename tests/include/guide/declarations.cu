#include "cuda_tile.h"
namespace ct = cuda::tiles;

// A tile function. It can be called from tile kernels and from tile functions.
__tile__ float helper(float x, float y) {
    return x + y;
}

// A tile kernel, an entry point: it is launched, never called.
__tile_global__ void my_kernel(float* a, float* b, float* c) {
    int i = ct::bid().x;
    ct::store(c + i, helper(ct::load(a + i), ct::load(b + i)));
}
