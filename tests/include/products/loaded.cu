// Everything that can be done with a tile, done with tiles that come straight from loads; compiled only.
#include <cuda_fp16.h>
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

using square = ct::shape<64, 64>;
using tile = ct::tile<__half, square>;

__tile__ tile doubled(tile x) { return x + x; }
template <class E, class S> __tile__ auto negated(ct::tile<E, S> x) { return -x; }

__tile_global__ void loaded(__half const* __restrict__ a, __half const* __restrict__ b, float* __restrict__ c, int n) {
  auto x_tiles = ct::partition_view{ct::tensor_span{a, ct::extents{n, n}}, square{}};
  auto y_tiles = ct::partition_view{ct::tensor_span{b, ct::extents{n, n}}, square{}};
  auto out = ct::partition_view{ct::tensor_span{c, ct::extents{n, n}}, square{}};
  auto sum = ct::zeros<ct::tile<float, square>>();
  for (auto k : ct::irange(0, n / 64)) {
    auto x = x_tiles.load_masked(0, k);
    auto y = y_tiles.load(k, 0);
    sum = ct::mma(x, y, sum);
    tile plain = x;
    auto other = x;
    other = y + plain;
    sum = ct::mma(other, y, sum);
    x = doubled(x);
    sum = ct::mma(x, negated(y), sum);
    sum = sum + ct::element_cast<float>(ct::select(x < y, y, ct::zeros<tile>()) + ct::select(x < y, plain, y) * ct::abs(y));
    sum = sum + ct::element_cast<float>(ct::max(ct::transpose(y), ct::exp(y)) + ct::partial_sum(y, 1_ic) / ct::sqrt(y));
    sum = sum + ct::element_cast<float>(ct::broadcast<square>(ct::sum<1>(y)) + ct::reshape<square>(ct::permute(y, ct::dimension_map<1, 0>{})));
    auto wide = ct::cat(y, plain, 1_ic);
    auto quarter = ct::extract(y, ct::shape<32, 32>{}, 0, 1);
    sum = sum + ct::element_cast<float>(ct::insert(y, quarter, 1, 0) + ct::extract(wide, square{}, 0, 1) - y);
    sum = sum + ct::element_cast<float>(ct::element_bitcast<short>(y)) + ct::element_cast<float>(-y);
    sum = sum + ct::matmul(ct::element_cast<float>(y), ct::element_cast<float>(plain));
  }
  out.store_masked(sum, 0, 0);
}
