#include "cuda_tile.h"
namespace ct = cuda::tiles;

__tile_global__ void bounded_loop(int* out, int lowerBound, int upperBound, int step) {
    int total = 0;
    for (auto idx : ct::irange(lowerBound, upperBound, step)) {
        total = total * 10 + idx;
    }
    ct::store(out, total);
}
