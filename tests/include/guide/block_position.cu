#include "cuda_tile.h"

__tile_global__ void block_position(int* seen) {
    namespace ct = cuda::tiles;
    int bid_x = ct::bid().x;          // block index along .x
    int bid_y = ct::bid().y;          // block index along .y
    int num_x = ct::num_blocks().x;   // number of blocks along .x
    ct::store(seen + (bid_y * num_x + bid_x), 100 * bid_x + 10 * bid_y + num_x);
}
