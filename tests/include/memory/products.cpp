// products.cpp: matrix products of every element type, in batches, and what does not multiply.
#include "check.hpp"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

/// One product of tiles whose numbers are small integers, so that every type is exact.
template <class E, class C, size_t M, size_t K, size_t N>
void multiplies(int modulus = 7) {
  std::vector<E> a(M * K), b(K * N);
  std::vector<C> c(M * N);
  std::vector<double> out(M * N), wanted(M * N);
  auto small = [&](size_t i) { return int(i * 5 % modulus) - modulus / 2; };
  for (size_t i = 0; i < M * K; ++i) a[i] = E(float(small(i)));
  for (size_t i = 0; i < K * N; ++i) b[i] = E(float(small(i + 3)));
  for (size_t i = 0; i < M * N; ++i) c[i] = C(float(small(i + 1)));
  launch(1, 1, [&] {
    ct::partition_view va{ct::tensor_span{a.data(), ct::extents<int, M, K>{}}, ct::shape<M, K>{}};
    ct::partition_view vb{ct::tensor_span{b.data(), ct::extents<int, K, N>{}}, ct::shape<K, N>{}};
    ct::partition_view vc{ct::tensor_span{c.data(), ct::extents<int, M, N>{}}, ct::shape<M, N>{}};
    ct::partition_view vo{ct::tensor_span{out.data(), ct::extents<int, M, N>{}}, ct::shape<M, N>{}};
    auto sum = ct::mma(va.load(0, 0), vb.load(0, 0), vc.load(0, 0));
    vo.store(ct::element_cast<double>(sum), 0, 0);
  });
  for (size_t i = 0; i < M; ++i)
    for (size_t j = 0; j < N; ++j) {
      wanted[i * N + j] = small(i * N + j + 1);
      for (size_t k = 0; k < K; ++k) wanted[i * N + j] += double(small(i * K + k)) * small(k * N + j + 3);
    }
  CHECK_ALL(out, wanted[i]);
}

void shapes() {
  multiplies<float, float, 16, 32, 64>();
  multiplies<float, float, 1, 1, 1>();
  multiplies<float, float, 64, 2, 4>();
  multiplies<float, float, 1, 64, 16>();
  multiplies<float, float, 128, 128, 128>();
  multiplies<float, float, 2, 256, 1>();
}

void elements() {
  multiplies<double, double, 16, 8, 16>();
  multiplies<signed char, int, 16, 32, 16>();
  multiplies<__half, float, 16, 16, 16>();
  multiplies<__half, __half, 16, 16, 16>(3);
  multiplies<__nv_bfloat16, float, 16, 16, 16>();
}

void mixed_bytes() {
  std::vector<unsigned char> a(64, 200);
  std::vector<signed char> b(64, -3);
  std::vector<int> out(64);
  launch(1, 1, [&] {
    ct::partition_view va{ct::tensor_span{a.data(), ct::extents{8, 8}}, ct::shape<8, 8>{}};
    ct::partition_view vb{ct::tensor_span{b.data(), ct::extents{8, 8}}, ct::shape<8, 8>{}};
    ct::partition_view vo{ct::tensor_span{out.data(), ct::extents{8, 8}}, ct::shape<8, 8>{}};
    vo.store(ct::matmul(va.load(0, 0), vb.load(0, 0)), 0, 0);
  });
  CHECK_ALL(out, -4800);
}

/// Batches: a factor with batch 1 serves all.
void batches() {
  std::vector<float> a = counting(4 * 8 * 4), b = counting(4 * 8), out(4 * 8 * 8), both(4 * 8 * 8);
  launch(1, 1, [&] {
    auto x = ct::partition_view{ct::tensor_span{a.data(), ct::extents{4, 8, 4}}, ct::shape<4, 8, 4>{}}.load(0, 0, 0);
    auto y = ct::partition_view{ct::tensor_span{b.data(), ct::extents{1, 4, 8}}, ct::shape<1, 4, 8>{}}.load(0, 0, 0);
    ct::partition_view vo{ct::tensor_span{out.data(), ct::extents{4, 8, 8}}, ct::shape<4, 8, 8>{}};
    ct::partition_view vb{ct::tensor_span{both.data(), ct::extents{4, 8, 8}}, ct::shape<4, 8, 8>{}};
    vo.store(ct::matmul(x, y), 0, 0, 0);
    vb.store(ct::matmul(x, ct::broadcast<ct::shape<4, 4, 8>>(y)), 0, 0, 0);
  });
  auto wanted = [&](int i) {
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += a[i / 8 * 4 + k] * b[k * 8 + i % 8];
    return sum;
  };
  CHECK_ALL(out, wanted(i));
  CHECK_ALL(both, wanted(i));
}

template <class E, class S>
using t = ct::tile<E, S>;
using ab = ct::shape<8, 8>;

void refusals() {
  static_assert(ct::mma_compatible<t<float, ct::shape<8, 4>>, t<float, ct::shape<4, 16>>, t<float, ct::shape<8, 16>>>);
  static_assert(!ct::mma_compatible<t<float, ct::shape<8, 4>>, t<float, ct::shape<8, 16>>, t<float, ct::shape<8, 16>>>);
  static_assert(!ct::mma_compatible<t<float, ab>, t<__half, ab>, t<float, ab>> && !ct::mma_compatible<t<int, ab>, t<int, ab>, t<int, ab>>);
  static_assert(!ct::mma_compatible<t<__nv_bfloat16, ab>, t<__nv_bfloat16, ab>, t<__half, ab>>);
  static_assert(!ct::mma_compatible<t<signed char, ab>, t<signed char, ab>, t<unsigned, ab>>);
  static_assert(tile2cpp::same_as<ct::matmul_result_t<t<__half, ab>, t<__half, ab>>, t<__half, ab>>);
  static_assert(!ct::mma_compatible<t<float, ct::shape<4, 8, 8>>, t<float, ct::shape<4, 8, 8>>, t<float, ct::shape<1, 8, 8>>>);
}

int main() {
  shapes();
  elements();
  mixed_bytes();
  batches();
  refusals();
  return report();
}
