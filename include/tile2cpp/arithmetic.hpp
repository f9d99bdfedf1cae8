// arithmetic.hpp: what the operations mean for one pair of elements of one type.
#pragma once

#include "tile2cpp/backend/floating.hpp"
#include "tile2cpp/convert.hpp"

namespace tile2cpp::meta {

inline constexpr auto to_nearest = rounding_mode::round_ties_to_even;
inline constexpr auto keep_subnormals = subnormals_rounding_mode::preserve_subnormals;

/// Integers are added and multiplied in this type, where wrapping around is defined.
template <class E> using wrapping = conditional_t<(sizeof(E) < 4), unsigned, unsigned_of<E>>;

/// half and bfloat16 in a directed mode: float in that direction, then the narrow type in the same one.
template <class E, rounding_mode M> T2C_FN E narrow(float x);

#define T2C_SUM_LIKE(name, symbol, of_bools)                                                         \
  template <rounding_mode M = to_nearest, subnormals_rounding_mode S = keep_subnormals> struct name##_op { \
    template <class E> T2C_FN E operator()(E a, E b) const {                                         \
      if constexpr (is_same<E, bool>) return of_bools;                                               \
      else if constexpr (integral<E>)                                                                \
        return static_cast<E>(static_cast<wrapping<E>>(a) symbol static_cast<wrapping<E>>(b));       \
      else if constexpr (is_half_precision<E> && M == to_nearest) return a symbol b;                 \
      else if constexpr (is_half_precision<E>)                                                       \
        return narrow<E, M>(backend::name<M, S>(convert<float>(a), convert<float>(b)));              \
      else return backend::name<M, S>(a, b);                                                         \
    }                                                                                                \
  }
T2C_SUM_LIKE(add, +, a != b);
T2C_SUM_LIKE(sub, -, a != b);
T2C_SUM_LIKE(mul, *, a && b);
#undef T2C_SUM_LIKE

template <rounding_mode M = to_nearest, subnormals_rounding_mode S = keep_subnormals> struct div_op {
  template <class E> T2C_FN E operator()(E a, E b) const {
    if constexpr (is_same<E, bool>) return a;
    else if constexpr (integral<E>) return backend::divide(a, b);
    else if constexpr (is_half_precision<E> && M == to_nearest) return a / b;
    else if constexpr (is_half_precision<E>)
      return narrow<E, M>(backend::div<M, S>(convert<float>(a), convert<float>(b)));
    else return backend::div<M, S>(a, b);
  }
};

struct remainder_op {
  template <class E> T2C_FN E operator()(E a, E b) const {
    if constexpr (is_same<E, bool>) return false;
    else if constexpr (integral<E>) return backend::modulo(a, b);
    else if constexpr (is_half_precision<E>) return convert<E>(truncated(convert<float>(a), convert<float>(b)));
    else return truncated(a, b);
  }

 private:
#ifdef T2C_GPU
  T2C_FN static float truncated(float a, float b) { return ::fmodf(a, b); }
  T2C_FN static double truncated(double a, double b) { return ::fmod(a, b); }
#else
  T2C_FN static float truncated(float a, float b) { return __builtin_fmodf(a, b); }
  T2C_FN static double truncated(double a, double b) { return __builtin_fmod(a, b); }
#endif
};

/// Quotients rounded down or up; the truncated one is corrected where signs and remainder say so.
struct floordiv_op {
  template <class E> T2C_FN E operator()(E a, E b) const {
    if constexpr (is_same<E, bool>) return a;
    E const quotient = backend::divide(a, b), rest = backend::modulo(a, b);
    return static_cast<E>(quotient - (rest != 0 && (rest < 0) != (b < 0) ? 1 : 0));
  }
};
struct ceildiv_op {
  template <class E> T2C_FN E operator()(E a, E b) const {
    if constexpr (is_same<E, bool>) return a;
    E const quotient = backend::divide(a, b), rest = backend::modulo(a, b);
    return static_cast<E>(quotient + (rest != 0 && (rest < 0) == (b < 0) ? 1 : 0));
  }
};

struct mulhi_op {
  template <class E> T2C_FN E operator()(E a, E b) const {
    if constexpr (is_same<E, bool>) return false;
    else return backend::high_product(a, b);
  }
};

#define T2C_EXTREME(name, symbol)                                                                              \
  template <nan_propagation_mode N = nan_propagation_mode::suppress_nan, subnormals_rounding_mode S = keep_subnormals> \
  struct name##_op {                                                                                           \
    template <class E> T2C_FN E operator()(E a, E b) const {                                                   \
      if constexpr (integral<E>) return a symbol b ? a : b;                                                    \
      else return backend::name<N, S>(a, b);                                                                   \
    }                                                                                                          \
  }
T2C_EXTREME(max, >);
T2C_EXTREME(min, <);
#undef T2C_EXTREME

struct and_op {
  template <class E> T2C_FN E operator()(E a, E b) const { return static_cast<E>(a & b); }
};
struct or_op {
  template <class E> T2C_FN E operator()(E a, E b) const { return static_cast<E>(a | b); }
};
struct xor_op {
  template <class E> T2C_FN E operator()(E a, E b) const { return static_cast<E>(a ^ b); }
};

/// Counts are unsigned; shifting out every bit leaves zeros, or the sign.
struct shift_left_op {
  template <class E, class C> T2C_FN E operator()(E a, C count) const {
    unsigned long long const n = static_cast<unsigned_of<C>>(count);
    if (n >= 8 * sizeof(E)) return E{0};
    if constexpr (is_same<E, bool>) return n == 0 && a;
    else return static_cast<E>(static_cast<wrapping<E>>(a) << n);
  }
};
struct shift_right_op {
  template <class E, class C> T2C_FN E operator()(E a, C count) const {
    unsigned long long const n = static_cast<unsigned_of<C>>(count);
    if constexpr (is_same<E, bool>) return n == 0 && a;
    else if constexpr (is_signed<E>) return static_cast<E>(a >> (n < 8 * sizeof(E) ? n : 8 * sizeof(E) - 1));
    else return n < 8 * sizeof(E) ? static_cast<E>(a >> n) : E{0};
  }
};

struct negate_op {
  template <class E> T2C_FN E operator()(E a) const {
    if constexpr (is_same<E, bool>) return a;
    else if constexpr (is_same<E, int>) return backend::negated(a);
    else if constexpr (integral<E>) return static_cast<E>(wrapping<E>{0} - static_cast<wrapping<E>>(a));
    else return -a;
  }
};

/// The bits of a floating element without its sign.
template <class E> T2C_FN unsigned_of<E> magnitude(E x) {
  return static_cast<unsigned_of<E>>(bit_cast<unsigned_of<E>>(x) & static_cast<unsigned_of<E>>(~(unsigned_of<E>{1} << (8 * sizeof(E) - 1))));
}

struct abs_op {
  template <class E> T2C_FN E operator()(E a) const {
    if constexpr (integral<E> && !is_signed<E>) return a;
    else if constexpr (integral<E>) return a < 0 ? negate_op{}(a) : a;
    else return bit_cast<E>(magnitude(a));
  }
};

/// Bits of +infinity, for the types that have one.
template <class E> T2C_BOTH constexpr unsigned long long infinity_bits() {
  if constexpr (is_same<E, __half>) return 0x7c00;
  else if constexpr (is_same<E, __nv_bfloat16>) return 0x7f80;
  else if constexpr (is_one_of<E, float, __nv_tf32>) return 0x7f800000;
  else if constexpr (is_same<E, double>) return 0x7ff0000000000000;
  else if constexpr (is_same<E, __nv_fp8_e5m2>) return 0x7c;
  else return 0;
}

struct isnan_op {
  template <class E> T2C_FN bool operator()(E a) const {
    if constexpr (is_same<E, __nv_fp8_e4m3>) return magnitude(a) == 0x7f;
    else if constexpr (is_one_of<E, __nv_fp8_e8m0, __nv_fp8_ue5m3>) return bit_cast<unsigned char>(a) == 0xff;
    else if constexpr (is_same<E, __nv_fp4_e2m1>) return false;
    else return magnitude(a) > infinity_bits<E>();
  }
};
struct isinf_op {
  template <class E> T2C_FN bool operator()(E a) const {
    if constexpr (infinity_bits<E>() == 0) return false;
    else return magnitude(a) == infinity_bits<E>();
  }
};

}  // namespace tile2cpp::meta
