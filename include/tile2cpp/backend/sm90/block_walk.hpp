// backend/sm90/block_walk.hpp: a launch of as many blocks as fit the GPU, each of which runs many blocks of the grid, one after the other.
//
// So the warp that fetches factors need not stop where a block of the grid ends: it goes on with those of the next one, while the
// others still write their results.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp {

using ::dim3;
using ::uint3;

namespace backend {

/// Where a warp is in the grid. `turn`: its block's number in the round. In memory, since the registers are for the kernel.
struct alignas(16) walked_place {
  uint3 block, extents;
  unsigned turn;
};

T2C_FN walked_place& place_of_warp() {
  __shared__ walked_place places[T2C_THREADS / 32 + 1];
  return places[threadIdx.x / 32];
}

/// A number that all lanes read, in a way that the compiler knows them to be the same.
T2C_FN unsigned same_for_all(unsigned x) { return __shfl_sync(0xffffffffu, x, 0); }

T2C_FN uint3 block_index() {
  uint3 const& at = place_of_warp().block;
  return {same_for_all(at.x), same_for_all(at.y), same_for_all(at.z)};
}
T2C_FN dim3 grid_extent() {
  uint3 const& all = place_of_warp().extents;
  return dim3(same_for_all(all.x), same_for_all(all.y), same_for_all(all.z));
}

/// The blocks of a grid that this block of the launch runs. In each round the launch runs as many as it has, in their order. It
/// gives them out one place further each time: where work depends on an index, nobody gets the long ones only.
class block_walk {
 public:
  T2C_FN explicit block_walk(uint3 const& extents) : extents_(extents) { enter({0, 0, 0}, blockIdx.x, blockIdx.x); }

  /// Where `ct::bid()` is a block of the grid for the warp.
  T2C_FN bool in_grid() const { return same_for_all(place_of_warp().block.z) < extents_.z; }

  T2C_FN void advance() const {
    walked_place const& at = place_of_warp();
    bool const wraps = at.turn + 1 == gridDim.x;
    enter(at.block, wraps ? 0 : at.turn + 1, wraps ? 1 : gridDim.x + 1);
  }

 private:
  /// The block that comes so many behind `at`.
  T2C_FN void enter(uint3 at, unsigned turn, unsigned blocks) const {
    at.x += blocks;
    if (at.x >= extents_.x) {
      at.y += at.x / extents_.x;
      at.x %= extents_.x;
      at.z += at.y / extents_.y;
      at.y %= extents_.y;
    }
    __syncwarp();
    if (threadIdx.x % 32 == 0) place_of_warp() = {at, extents_, turn};
    __syncwarp();
  }

  uint3 extents_;
};

}  // namespace backend
}  // namespace tile2cpp
