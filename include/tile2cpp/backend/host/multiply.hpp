// backend/host/multiply.hpp: a product as three loops over one thread's tiles.
#pragma once

#include "tile2cpp/backend/factor.hpp"

namespace tile2cpp::backend {

/// One row of a product: sum[j] += a[k] * b[k][j]. The innermost loop runs along memory.
template <int K, int N, class Sum, class A, class B>
T2C_FN void add_row_product(Sum* sum, A const* a, B const* b) {
  for (int k = 0; k < K; ++k) {
    Sum const factor = as_factor<Sum>(a[k]);
    for (int j = 0; j < N; ++j) sum[j] += factor * as_factor<Sum>(b[k * N + j]);
  }
}

template <class A, class SA, class B, class SB, class C, class SC>
T2C_FN void multiply_rows(tile<A, SA> const& a, tile<B, SB> const& b, tile<C, SC>& c) {
  constexpr meta::product_extents e = meta::extents_of_product<SA, SB>(int(meta::extent_from_end<SC>(2)));
  using sum = sum_t<C>;
  for (int batch = 0; batch < e.batch; ++batch) {
    A const* const left = a.own + (e.a_batch == 1 ? 0 : batch * e.m * e.k);
    B const* const right = b.own + (e.b_batch == 1 ? 0 : batch * e.k * e.n);
    C* const out = c.own + batch * e.m * e.n;
    for (int i = 0; i < e.m; ++i) {
      sum row[e.n];
      for (int j = 0; j < e.n; ++j) row[j] = as_factor<sum>(out[i * e.n + j]);
      add_row_product<e.k, e.n>(row, left + i * e.k, right);
      for (int j = 0; j < e.n; ++j) out[i * e.n + j] = from_sum<C>(row[j]);
    }
  }
}

}  // namespace tile2cpp::backend
