// row_stores.cpp: stores of 16-bit tiles, whose threads may exchange elements first, at ragged edges and odd strides.
#include "check.hpp"
#include "cuda_fp16.h"

/// Every element of the array gets its number once, and nothing beside the array is touched.
template <size_t R, size_t C>
void stores(int rows, int columns, int stride) {
  std::vector<__half> memory(rows * stride + 8, __half(-1.0f));
  __half* out = memory.data();
  while (reinterpret_cast<size_t>(out) % 16 != 0) ++out;
  launch((rows + R - 1) / R, (columns + C - 1) / C, [&] {
    ct::layout_strided_mapping map{ct::extents{rows, columns}, ct::extents{stride, 1_ic}};
    ct::partition_view tiles{ct::tensor_span{out, map}, ct::shape<R, C>{}};
    int i = ct::bid().x, j = ct::bid().y;
    auto row = ct::iota<ct::tile<int, ct::shape<R, 1>>>() + i * int(R);
    auto column = ct::iota<ct::tile<int, ct::shape<1, C>>>() + j * int(C);
    tiles.store_masked(ct::element_cast<__half>(row * 8 % 64 + column), i, j);
  });
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < (r + 1 < rows ? stride : columns); ++c) CHECK(float(out[r * stride + c]) == (c < columns ? r * 8 % 64 + c : -1));
}

int main() {
  stores<16, 16>(16, 16, 16);
  stores<64, 64>(64, 64, 64);
  stores<64, 32>(100, 80, 88);
  stores<64, 32>(100, 77, 80);
  stores<32, 128>(50, 200, 204);
  stores<128, 64>(130, 72, 72);
  return report();
}
