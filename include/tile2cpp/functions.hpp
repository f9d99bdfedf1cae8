// functions.hpp: arithmetic by name, with rounding, subnormal and NaN modes: add, div, max, fma, ...
#pragma once

#include "tile2cpp/operators.hpp"

namespace tile2cpp {
namespace meta {

T2C_BOTH constexpr bool is_ieee(rounding_mode mode) {
  return mode == rounding_mode::round_ties_to_even || mode == rounding_mode::round_toward_zero ||
         mode == rounding_mode::round_toward_negative || mode == rounding_mode::round_toward_positive;
}
T2C_BOTH constexpr bool is_approximate(rounding_mode mode) {
  return mode == rounding_mode::round_approximate || mode == rounding_mode::round_full;
}

/// Subnormals can be flushed in float only.
template <class E, subnormals_rounding_mode S>
concept subnormals_mode = basic_floating_point_scalar<E> && (S == keep_subnormals || is_same<E, float>);
template <class E, rounding_mode M, subnormals_rounding_mode S>
concept ieee_mode = subnormals_mode<E, S> && is_ieee(M);
template <class E, rounding_mode M, subnormals_rounding_mode S>
concept division_mode = subnormals_mode<E, S> && (is_ieee(M) || (is_approximate(M) && is_same<E, float>));

template <class T, class U, rounding_mode M, subnormals_rounding_mode S>
concept rounds_pair = arithmetic_pair<T, U> && ieee_mode<arithmetic_element_t<T, U>, M, S>;
template <class T, class U, rounding_mode M, subnormals_rounding_mode S>
concept rounds_quotient = arithmetic_pair<T, U> && division_mode<arithmetic_element_t<T, U>, M, S>;
template <class T, class U, subnormals_rounding_mode S>
concept flushes_pair = arithmetic_pair<T, U> && subnormals_mode<arithmetic_element_t<T, U>, S>;

}  // namespace meta

// The form with tags rounds as they say; the subnormal tag stands behind a rounding tag.
#define T2C_ROUNDED_FUNCTION(name, pair)                                                                       \
  template <tile_like T, tile_like U>                                                                          \
    requires meta::arithmetic_pair<T, U>                                                                       \
  T2C_FN auto name(T const& a, U const& b) {                                                                   \
    return meta::combine(backend::unjoined(a), backend::unjoined(b), meta::name##_op<>{});                     \
  }                                                                                                            \
  template <rounding_mode M, subnormals_rounding_mode S = default_subnormals_rounding_mode(), tile_like T,     \
            tile_like U>                                                                                       \
    requires meta::pair<T, U, M, S>                                                                            \
  T2C_FN auto name(T const& a, U const& b, rounding_mode_constant<M>,                                          \
                   subnormals_rounding_mode_constant<S> = {}) {                                                \
    return meta::combine(a, b, meta::name##_op<M, S>{});                                                       \
  }
T2C_ROUNDED_FUNCTION(add, rounds_pair)
T2C_ROUNDED_FUNCTION(sub, rounds_pair)
T2C_ROUNDED_FUNCTION(mul, rounds_pair)
T2C_ROUNDED_FUNCTION(div, rounds_quotient)
#undef T2C_ROUNDED_FUNCTION

// NaN loses against a number unless the tag says otherwise; +0 is above -0.
#define T2C_EXTREME_FUNCTION(name)                                                                             \
  template <tile_like T, tile_like U>                                                                          \
    requires meta::arithmetic_pair<T, U>                                                                       \
  T2C_FN auto name(T const& a, U const& b) {                                                                   \
    return meta::combine(backend::unjoined(a), backend::unjoined(b), meta::name##_op<>{});                     \
  }                                                                                                            \
  template <nan_propagation_mode N, subnormals_rounding_mode S = default_subnormals_rounding_mode(), tile_like T, \
            tile_like U>                                                                                       \
    requires meta::flushes_pair<T, U, S>                                                                       \
  T2C_FN auto name(T const& a, U const& b, nan_propagation_mode_constant<N>,                                   \
                   subnormals_rounding_mode_constant<S> = {}) {                                                \
    return meta::combine(a, b, meta::name##_op<N, S>{});                                                       \
  }
T2C_EXTREME_FUNCTION(max)
T2C_EXTREME_FUNCTION(min)
#undef T2C_EXTREME_FUNCTION

/// Remainder of the truncated quotient, with the sign of `a`; for floating elements too.
template <tile_like T, tile_like U>
  requires meta::arithmetic_pair<T, U>
T2C_FN auto remainder(T const& a, U const& b) {
  return meta::combine(a, b, meta::remainder_op{});
}

#define T2C_INTEGRAL_FUNCTION(name)                     \
  template <tile_like T, tile_like U>                   \
    requires meta::integral_pair<T, U>                  \
  T2C_FN auto name(T const& a, U const& b) {            \
    return meta::combine(a, b, meta::name##_op{});      \
  }
T2C_INTEGRAL_FUNCTION(ceildiv)
T2C_INTEGRAL_FUNCTION(floordiv)
T2C_INTEGRAL_FUNCTION(mulhi)
#undef T2C_INTEGRAL_FUNCTION

template <arithmetic_tile T> T2C_FN meta::remove_cv_t<T> abs(T const& x) {
  return meta::map_elements<tile_element_t<T>>(x, meta::abs_op{});
}
template <floating_point_tile T> T2C_FN auto isnan(T const& x) { return meta::map_elements<bool>(x, meta::isnan_op{}); }
template <floating_point_tile T> T2C_FN auto isinf(T const& x) { return meta::map_elements<bool>(x, meta::isinf_op{}); }

namespace meta {

/// a * b + c, rounded once.
template <rounding_mode M, subnormals_rounding_mode S> struct fma_op {
  template <class E> T2C_FN E operator()(E a, E b, E c) const {
    if constexpr (!is_half_precision<E>) return backend::fma<M, S>(a, b, c);
    else if constexpr (M == to_nearest) return backend::fused(a, b, c);
    else return narrow<E, M>(backend::fma<M, S>(convert<float>(a), convert<float>(b), convert<float>(c)));
  }
};

template <class T, class Acc>
concept fma_factor = tile_like<T> && arithmetic_tile<T> && broadcastable_to<T, tile_shape_t<Acc>> &&
                     non_narrowing_scalar_convertible_to<tile_element_t<T>, tile_element_t<Acc>>;

}  // namespace meta

/// `a * b + c` rounded once, in the type and shape of `c`.
template <rounding_mode M = default_rounding_mode(), subnormals_rounding_mode S = default_subnormals_rounding_mode(),
          class T, class U, basic_floating_point_tile Acc>
  requires(meta::fma_factor<T, Acc> && meta::fma_factor<U, Acc> && meta::ieee_mode<tile_element_t<Acc>, M, S>)
T2C_FN meta::remove_cv_t<Acc> fma(T const& a, U const& b, Acc const& c, rounding_mode_constant<M> = {},
               subnormals_rounding_mode_constant<S> = {}) {
  using E = tile_element_t<Acc>;
  constexpr meta::fma_op<M, S> op{};
  if constexpr (scalar<Acc>) {
    return op(meta::operand<E, shape<>>(a)(0), meta::operand<E, shape<>>(b)(0), c);
  } else {
    using Shape = tile_shape_t<Acc>;
    auto const x = meta::operand<E, Shape>(a);
    auto const y = meta::operand<E, Shape>(b);
    auto const& sums = meta::settled(c);
    meta::remove_cv_t<Acc> result;
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = op(x(s), y(s), sums.own[s]);
    return result;
  }
}

}  // namespace tile2cpp
