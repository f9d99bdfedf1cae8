// Blocks, loops, conditions, helper functions, assumptions, hints: what tile code is.
#include "prelude.hpp"

struct pair {
  T<int, 4> first;
  int second;
};

__tile__ pair both(int* p) { return {get<T<int, 4>>(p), p[4]}; }

template <class X> __tile__ X twice(X x) { return x + x; }

__tile__ int first_above(int const* p, int limit) {
  for (int i = 0; i < 16; ++i)
    if (p[i] > limit) return i;
  return -1;
}

enum class mode { negate, keep };

template <class E, int N, mode M> __tile_global__ void templated(E* p) {
  auto x = get<T<E, N>>(p);
  put(p, M == mode::negate ? -x : x);
}

extern "C" {

// -> [0, 10, 1, 11, 2, 12]
// grid 3, 2
__tile_global__ void block_index(int* p) {
  auto [x, y, z] = ct::bid();
  p[2 * x + y] = x + 10 * y + z;
}

// -> [3, 2, 4]
// grid 3, 2, 4
__tile_global__ void number_of_blocks(int* p) {
  if (ct::bid().x == 0 && ct::bid().y == 0 && ct::bid().z == 0) {
    p[0] = ct::num_blocks().x;
    p[1] = ct::num_blocks().y;
    p[2] = ct::num_blocks().z;
  }
}

// -> [0 + 3 + 6 + 9]
__tile_global__ void irange_with_step(int* p) {
  int sum = 0;
  for (auto i : ct::irange(0, 10, 3)) sum += i;
  p[0] = sum;
}

// -> [10, 4, 10, 3, 0]
__tile_global__ void members_of_irange(int* p) {
  auto range = ct::irange(p[1] * 0, 10, 3);
  p[0] = range.upper_bound();
  p[1] = range.size();
  p[2] = range.end();
  p[3] = range.step();
  p[4] = range.empty();
}

// -> [0]
__tile_global__ void irange_may_be_empty(int* p) {
  for (auto i : ct::irange<long>(5, 5)) p[0] = i;
}

// -> [1 + 2 + 4 + 5]
__tile_global__ void break_and_continue(int* p) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) {
    if (i == 3) continue;
    if (i == 6) break;
    sum += i;
  }
  p[0] = sum;
}

// -> [5]
__tile_global__ void return_in_a_loop(int* p) { p[0] = first_above(p + 1, 5); }

// -> [-1, 1, -1, 3]
// grid 4
__tile_global__ void early_return(int* p) {
  int b = ct::bid().x;
  if (b % 2) return;
  p[b] = -1;
}

// -> [10, 12]
__tile_global__ void switch_statement(int* p) {
  for (int i = 0; i < 2; ++i) {
    switch (i) {
      case 0: p[i] = 10; break;
      default: p[i] = 12;
    }
  }
}

// -> [6, 4]
__tile_global__ void while_condition_of_a_tile(int* p) {
  auto x = ct::full<T<int, 1>>(4);
  int steps = 0;
  while (x < 6) {
    x = x + 1;
    ++steps;
  }
  p[0] = int(x);
  p[1] = steps + 2;
}

// -> [0, 2, 4, 6, 4]
__tile_global__ void tiles_in_structs(int* p) {
  auto [tile, scalar] = both(p);
  put(p, twice(tile));
  p[4] = scalar;
}

// -> [0, 3, 6, 9]
__tile_global__ void lambdas(int* p) {
  int factor = 3;
  auto scale = [&](auto x) { return x * factor; };
  put(p, scale(ct::iota<T<int, 4>>()));
}

// -> [0, 0, 0, 0, 1, 1, 1, 1]
__tile_global__ void tiles_in_arrays(int* p) {
  T<int, 4> x[2] = {ct::zeros<T<int, 4>>(), ct::ones<T<int, 4>>()};
  put(p, ct::cat<0>(x[0], x[1]));
}

// -> [0, -1, -2, -3]
__tile_global__ void conditional_of_tiles(int* p) {
  auto x = ct::iota<T<int, 4>>();
  put(p, p[1] == 1 ? -x : x);
}

// -> [2, 3, 5, 7]
__tile_global__ void constant_arrays(int* p) {
  constexpr int primes[] = {2, 3, 5, 7};
  for (int i = 0; i < 4; ++i) p[i] = primes[i];
}

// -> [32, 7, 5]
__tile_global__ void assumptions_return_their_argument(int* p) {
  auto q = ct::assume_aligned<16>(p);
  auto r = ct::assume_aligned(q, 16_ic);
  r[0] = ct::assume_divisible<16>(p[32]);
  r[1] = ct::assume_bounded_below<0>(ct::assume_bounded<-8, 8>(p[7]));
  r[2] = ct::assume_bounded_above(p[5], 100_ic);
}

// -> [1, 2, 3, 4]
__tile_global__ void assumptions_about_tiles(int* p) {
  auto i = ct::assume_divisible_strided<4, 4, 0>(ct::iota<T<int, 4>>());
  put(p, ct::load(p + ct::assume_blocked<ct::shape<1>>(i)) + 1);
}

// -> p[:8] + 1
[[cutile::hint(0, occupancy = 2, num_cta_in_cga = 1)]] __tile_global__ void hints(int* p) {
  auto view = ct::partition_view{ct::tensor_span{p, ct::extents{8}}, ct::shape<8>{}};
  [[cutile::hint(900, latency = 4, allow_tma = false)]] auto x = view.load(0);
  [[using cutile : hint(0, latency = 2)]] view.store(x + 1, 0);
}

// -> [1, 5]
__tile_global__ void pointers_to_locals(int* p) {
  int local = 4;
  int* at = &local;
  *at += 1;
  p[1] = local;
  p[0] = 1;
}

// -> [2]
__tile_global__ void half_scalars(__half* p) {
  __half x = p[1];
  p[0] = x + __half(1.0f);
}

// -> [40]
__tile_global__ void accumulate_over_a_loop(float* p) {
  auto sum = ct::zeros<T<float, 8>>();
  for (auto i : ct::irange(0, 5)) sum = sum + 1;
  put(p, ct::sum<0>(sum));
}

}  // extern "C"

template __tile_global__ void templated<int, 8, mode::negate>(int*);
