// attention.cu: written by tile2cpp from attention.py; edit that file instead.
//   attention(q: f16[?,64], k: f16[?,64], v: f16[?,64], out: f16[?,64], scale: f32, TM=64, TN=64)

#include <cuda_tile.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Online softmax between two products: the core of attention.
extern "C" __tile_global__ void attention(
    __half const* __restrict__ q_ptr, int q_shape0,
    __half const* __restrict__ k_ptr, int k_shape0,
    __half const* __restrict__ v_ptr, int v_shape0,
    __half* __restrict__ out_ptr, int out_shape0,
    float scale) {
  constexpr auto TM = 64_ic;
  constexpr auto TN = 64_ic;
  q_ptr = ct::assume_aligned(q_ptr, 16_ic);
  q_shape0 = ct::assume_bounded_below(q_shape0, 0_ic);
  k_ptr = ct::assume_aligned(k_ptr, 16_ic);
  k_shape0 = ct::assume_bounded_below(k_shape0, 0_ic);
  v_ptr = ct::assume_aligned(v_ptr, 16_ic);
  v_shape0 = ct::assume_bounded_below(v_shape0, 0_ic);
  out_ptr = ct::assume_aligned(out_ptr, 16_ic);
  out_shape0 = ct::assume_bounded_below(out_shape0, 0_ic);
  auto q = ct::tensor_span{q_ptr, ct::extents{q_shape0, 64_ic}};
  auto k = ct::tensor_span{k_ptr, ct::extents{k_shape0, 64_ic}};
  auto v = ct::tensor_span{v_ptr, ct::extents{v_shape0, 64_ic}};
  auto out = ct::tensor_span{out_ptr, ct::extents{out_shape0, 64_ic}};
  auto q_tiles = ct::partition_view{q, ct::shape{TM, 64_ic}};
  auto k_tiles = ct::partition_view{k, ct::shape{TN, 64_ic}};
  auto v_tiles = ct::partition_view{v, ct::shape{TN, 64_ic}};
  auto out_tiles = ct::partition_view{out, ct::shape{TM, 64_ic}};

  int i = ct::bid().x;
  auto q_tile = q_tiles.load_masked(i, 0);
  auto top = ct::full<ct::tile<float, ct::shape<TM, 1>>>(-INFINITY);
  auto total = ct::zeros<ct::tile<float, ct::shape<TM, 1>>>();
  auto acc = ct::zeros<ct::tile<float, ct::shape<TM, 64>>>();
  for (auto j : ct::irange(0, ct::ceildiv(k_shape0, int(TN)))) {
    auto k_tile = k_tiles.load_masked(j, 0);
    auto scores = ct::mma(q_tile, ct::transpose(k_tile), ct::zeros<ct::tile<float, ct::shape<TM, TN>>>()) * scale;
    // Keys past the end get no weight.
    scores = ct::select(j * TN + ct::iota<ct::tile<int, ct::shape<TN>>>() < k_shape0, scores, ct::full<ct::tile<float, ct::shape<TM, TN>>>(-INFINITY));
    auto new_top = ct::max(top, ct::reduce_max(scores, 1_ic));
    auto weights = ct::exp(scores - new_top);
    auto shrink = ct::exp(top - new_top);
    total = total * shrink + ct::sum(weights, 1_ic);
    auto v_tile = v_tiles.load_masked(j, 0);
    acc = ct::mma(ct::element_cast<__half>(weights), v_tile, acc * shrink);
    top = new_top;
  }
  out_tiles.store_masked(ct::element_cast<__half>(acc / total), i, 0);
}
