// backend/host/floating.hpp: float and double arithmetic with rounding modes, on the processor's own unit.
#pragma once

#include <fenv.h>

#include "tile2cpp/element.hpp"

namespace tile2cpp::backend {

/// Sets the rounding direction while it lives.
class rounding_direction {
 public:
  explicit rounding_direction(rounding_mode mode) : before_(fegetround()) {
    fesetround(mode == rounding_mode::round_toward_zero       ? FE_TOWARDZERO
               : mode == rounding_mode::round_toward_negative ? FE_DOWNWARD
               : mode == rounding_mode::round_toward_positive ? FE_UPWARD
                                                              : FE_TONEAREST);
  }
  ~rounding_direction() { fesetround(before_); }
  rounding_direction(rounding_direction const&) = delete;
  rounding_direction& operator=(rounding_direction const&) = delete;

 private:
  int before_;
};

/// Gives `x` back in a way that the compiler can neither look through nor move, so that arithmetic on it
/// stays between the two changes of direction.
template <class E> E pinned(E x) {
  asm volatile("" : "+m"(x) : : "memory");
  return x;
}

/// Whether the mode differs from what plain operators do.
constexpr bool is_directed(rounding_mode mode) {
  return mode == rounding_mode::round_toward_zero || mode == rounding_mode::round_toward_negative ||
         mode == rounding_mode::round_toward_positive;
}

template <subnormals_rounding_mode S, class E> E flush(E x) {
  if constexpr (S == subnormals_rounding_mode::round_subnormals_to_zero) {
    constexpr E smallest_normal = sizeof(E) == 4 ? E(1.17549435082228750797e-38) : E(2.22507385850720138309e-308);
    return (x < smallest_normal && x > -smallest_normal) ? __builtin_copysign(E(0), x) : x;
  } else {
    return x;
  }
}

/// Rounds the result of `op` once, in direction M, and flushes subnormals on both sides when asked.
template <rounding_mode M, subnormals_rounding_mode S, class Op, class... E> auto rounded(Op op, E... x) {
  if constexpr (is_directed(M)) {
    rounding_direction direction(M);
    return pinned(flush<S>(pinned(op(pinned(flush<S>(x))...))));
  } else {
    return flush<S>(op(flush<S>(x)...));
  }
}

template <rounding_mode M, subnormals_rounding_mode S, class E> E add(E a, E b) {
  return rounded<M, S>([](E x, E y) { return x + y; }, a, b);
}
template <rounding_mode M, subnormals_rounding_mode S, class E> E sub(E a, E b) {
  return rounded<M, S>([](E x, E y) { return x - y; }, a, b);
}
template <rounding_mode M, subnormals_rounding_mode S, class E> E mul(E a, E b) {
  return rounded<M, S>([](E x, E y) { return x * y; }, a, b);
}
template <rounding_mode M, subnormals_rounding_mode S, class E> E div(E a, E b) {
  return rounded<M, S>([](E x, E y) { return x / y; }, a, b);
}
template <rounding_mode M, subnormals_rounding_mode S, class E> E fma(E a, E b, E c) {
  return rounded<M, S>([](E x, E y, E z) { return sizeof(E) == 4 ? E(__builtin_fmaf(x, y, z)) : E(__builtin_fma(x, y, z)); },
                       a, b, c);
}
template <rounding_mode M, subnormals_rounding_mode S, class E> E sqrt(E x) {
  return rounded<M, S>([](E y) { return sizeof(E) == 4 ? E(__builtin_sqrtf(y)) : E(__builtin_sqrt(y)); }, x);
}

/// double to float in any of the four directions.
template <rounding_mode M> float narrow(double x) {
  return rounded<M, subnormals_rounding_mode::preserve_subnormals>([](double y) { return static_cast<float>(y); }, x);
}

/// Larger of two numbers: NaN as the mode says, and +0 above -0.
template <nan_propagation_mode N, subnormals_rounding_mode S, class E> E max(E a, E b) {
  a = flush<S>(a), b = flush<S>(b);
  if (a != a || b != b) return (a != a) == (N == nan_propagation_mode::propagate_nan) ? a : b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}
template <nan_propagation_mode N, subnormals_rounding_mode S, class E> E min(E a, E b) {
  a = flush<S>(a), b = flush<S>(b);
  if (a != a || b != b) return (a != a) == (N == nan_propagation_mode::propagate_nan) ? a : b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

/// half and bfloat16: float holds both operands, and the result is one of them.
template <nan_propagation_mode N, subnormals_rounding_mode S, class E>
  requires meta::is_half_precision<E>
E max(E a, E b) {
  return E(max<N, S>(static_cast<float>(a), static_cast<float>(b)));
}
template <nan_propagation_mode N, subnormals_rounding_mode S, class E>
  requires meta::is_half_precision<E>
E min(E a, E b) {
  return E(min<N, S>(static_cast<float>(a), static_cast<float>(b)));
}

/// In double the product is exact, and the sum is so but for operands of extremely different size.
template <class E>
  requires meta::is_half_precision<E>
E fused(E a, E b, E c) {
  return E(double(static_cast<float>(a)) * double(static_cast<float>(b)) + double(static_cast<float>(c)));
}

/// What a GPU yields where C++ leaves integer division undefined, so masked-off lanes cannot stop a program.
template <class E> E divide(E a, E b) {
  if (b == 0) return static_cast<E>(-1);
  if (meta::is_signed<E> && b == static_cast<E>(-1)) return static_cast<E>(0ull - static_cast<unsigned long long>(a));
  return static_cast<E>(a / b);
}
template <class E> E modulo(E a, E b) {
  if (b == 0) return a;
  if (meta::is_signed<E> && b == static_cast<E>(-1)) return E{0};
  return static_cast<E>(a % b);
}

inline int negated(int x) { return static_cast<int>(0u - static_cast<unsigned>(x)); }
template <class T> T const& unjoined(T const& x) { return x; }

template <class E> E high_product(E a, E b) {
  if constexpr (sizeof(E) == 8) {
    using wide = meta::conditional_t<meta::is_signed<E>, __int128, unsigned __int128>;
    return static_cast<E>(static_cast<wide>(a) * static_cast<wide>(b) >> 64);
  } else {
    return static_cast<E>(static_cast<long long>(a) * static_cast<long long>(b) >> 8 * sizeof(E));
  }
}

}  // namespace tile2cpp::backend
