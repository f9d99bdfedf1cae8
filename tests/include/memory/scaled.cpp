// scaled.cpp: products whose factors share scales in blocks.
#include "cuda_fp4.h"
#include "cuda_fp8.h"

#include "check.hpp"

/// Factors are small integers, scales are powers of two, so the sums are exact.
template <class E, class S, size_t K, size_t Block>
void multiplies() {
  constexpr size_t M = 16, N = 8, blocks = K / Block;
  std::vector<float> a(M * K), b(K * N), sa(M * blocks), sb(blocks * N), out(M * N), wanted(M * N, 1.0f);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(int(i * 5 % 7) - 3);
  for (size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 3 % 5) - 2);
  for (size_t i = 0; i < sa.size(); ++i) sa[i] = i % 2 ? 2.0f : 0.5f;
  for (size_t i = 0; i < sb.size(); ++i) sb[i] = i % 3 ? 1.0f : 4.0f;
  launch(1, 1, [&] {
    auto tile_of = [](std::vector<float>& v, auto shape, auto rows, auto columns) {
      return ct::partition_view{ct::tensor_span{v.data(), ct::extents{rows, columns}}, shape}.load(0, 0);
    };
    auto x = ct::element_cast<E>(tile_of(a, ct::shape<M, K>{}, M, K));
    auto y = ct::element_cast<E>(tile_of(b, ct::shape<K, N>{}, K, N));
    auto x_scale = ct::element_cast<S>(tile_of(sa, ct::shape<M, blocks>{}, M, blocks));
    auto y_scale = ct::element_cast<S>(tile_of(sb, ct::shape<blocks, N>{}, blocks, N));
    auto sum = ct::scaled_mma(x, x_scale, y, y_scale, ct::ones<ct::tile<float, ct::shape<M, N>>>());
    ct::partition_view{ct::tensor_span{out.data(), ct::extents{M, N}}, ct::shape<M, N>{}}.store(sum, 0, 0);
  });
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < N; ++j)
      for (size_t k = 0; k < K; ++k)
        wanted[i * N + j] += a[i * K + k] * sa[i * blocks + k / Block] * b[k * N + j] * sb[k / Block * N + j];
  CHECK_ALL(out, wanted[i]);
}

template <class E, class S, size_t Block>
concept scales = requires(ct::tile<E, ct::shape<16, 64>> a, ct::tile<S, ct::shape<16, 64 / Block>> sa,
                          ct::tile<E, ct::shape<64, 16>> b, ct::tile<S, ct::shape<64 / Block, 16>> sb,
                          ct::tile<float, ct::shape<16, 16>> c) { ct::scaled_mma(a, sa, b, sb, c); };

int main() {
  multiplies<__nv_fp8_e4m3, __nv_fp8_e8m0, 64, 32>();
  multiplies<__nv_fp8_e5m2, __nv_fp8_e8m0, 128, 32>();
  multiplies<__nv_fp4_e2m1, __nv_fp8_e4m3, 64, 16>();
  multiplies<__nv_fp4_e2m1, __nv_fp8_e8m0, 64, 32>();
  static_assert(scales<__nv_fp8_e4m3, __nv_fp8_e8m0, 32> && !scales<__nv_fp8_e4m3, __nv_fp8_e8m0, 16>);
  static_assert(!scales<__nv_fp8_e4m3, __nv_fp8_e4m3, 32> && !scales<__nv_fp4_e2m1, __nv_fp8_e4m3, 32>);
  return report();
}
