// math.hpp: elementary functions of floating tiles. half and bfloat16 are computed in float and rounded once.
#pragma once

#include "tile2cpp/backend/math.hpp"
#include "tile2cpp/functions.hpp"

namespace tile2cpp {
namespace meta {

/// Applies `f`, which knows float and double only, to every element.
template <class T, class F> T2C_FN remove_cv_t<T> map_wide(T const& x, F f) {
  using E = tile_element_t<T>;
  return map_elements<E>(x, [f](E const& e) { return convert<E>(f(convert<wide_t<E>>(e))); });
}

template <class T, class U>
concept floating_pair = arithmetic_pair<T, U> && basic_floating_point_scalar<arithmetic_element_t<T, U>>;

template <class T, class U, class F> T2C_FN auto combine_wide(T const& a, U const& b, F f) {
  using E = arithmetic_element_t<T, U>;
  return zip_elements<E, E>(a, b, [f](E const& x, E const& y) {
    return convert<E>(f(convert<wide_t<E>>(x), convert<wide_t<E>>(y)));
  });
}

/// b^n by squaring; the exponent's sign turns the result over.
template <class W, class I> T2C_FN W integer_power(W b, I n) {
  unsigned long long left = n < 0 ? 0ull - static_cast<unsigned long long>(static_cast<long long>(n))
                                  : static_cast<unsigned long long>(n);
  W power = W(1);
  for (W square = b; left != 0; left >>= 1, square *= square)
    if (left & 1) power *= square;
  return n < 0 ? W(1) / power : power;
}

template <class T, rounding_mode M>
concept full_or_approximate = basic_floating_point_tile<T> &&
    (M == rounding_mode::round_full || (M == rounding_mode::round_approximate && is_same<tile_element_t<T>, float>));

template <class T, subnormals_rounding_mode S>
concept flushes_tile = basic_floating_point_tile<T> && subnormals_mode<tile_element_t<T>, S>;

template <class T, rounding_mode M, subnormals_rounding_mode S>
concept square_root_mode = flushes_tile<T, S> && (is_ieee(M) || (M == rounding_mode::round_approximate &&
                                                                 is_same<tile_element_t<T>, float>));

template <rounding_mode M, subnormals_rounding_mode S> struct sqrt_op {
  template <class E> T2C_FN E operator()(E const& x) const {
    if constexpr (!is_half_precision<E>) return backend::sqrt<M, S>(x);
    else if constexpr (M == to_nearest) return convert<E>(backend::sqrt<M, S>(convert<float>(x)));
    else return narrow<E, M>(backend::sqrt<M, S>(convert<float>(x)));
  }
};

}  // namespace meta

#define T2C_MATH_FUNCTION(name)                                                       \
  template <basic_floating_point_tile T> T2C_FN meta::remove_cv_t<T> name(T const& x) {                  \
    return meta::map_wide(x, [](auto e) { return backend::name(e); });                \
  }
T2C_MATH_FUNCTION(log)
T2C_MATH_FUNCTION(log2)
T2C_MATH_FUNCTION(sin)
T2C_MATH_FUNCTION(cos)
T2C_MATH_FUNCTION(tan)
T2C_MATH_FUNCTION(sinh)
T2C_MATH_FUNCTION(cosh)
T2C_MATH_FUNCTION(floor)
T2C_MATH_FUNCTION(ceil)
#undef T2C_MATH_FUNCTION

// Full precision, or the fast instruction of float.
#define T2C_MATH_FUNCTION_WITH_MODE(name)                                                                \
  template <rounding_mode M = rounding_mode::round_full, class T>                                        \
    requires meta::full_or_approximate<T, M>                                                             \
  T2C_FN meta::remove_cv_t<T> name(T const& x, rounding_mode_constant<M> = {}) {                                            \
    if constexpr (M == rounding_mode::round_approximate)                                                 \
      return meta::map_elements<float>(x, [](float e) { return backend::name##_approximate(e); });       \
    else                                                                                                 \
      return meta::map_wide(x, [](auto e) { return backend::name(e); });                                 \
  }
T2C_MATH_FUNCTION_WITH_MODE(exp)
T2C_MATH_FUNCTION_WITH_MODE(tanh)
#undef T2C_MATH_FUNCTION_WITH_MODE

template <subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T>
  requires meta::flushes_tile<T, S>
T2C_FN meta::remove_cv_t<T> exp2(T const& x, subnormals_rounding_mode_constant<S> = {}) {
  return meta::map_wide(x, [](auto e) { return backend::exp2<S>(e); });
}

/// 1 / sqrt(x).
template <subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T>
  requires meta::flushes_tile<T, S>
T2C_FN meta::remove_cv_t<T> rsqrt(T const& x, subnormals_rounding_mode_constant<S> = {}) {
  return meta::map_wide(x, [](auto e) { return backend::rsqrt<S>(e); });
}

template <rounding_mode M = default_rounding_mode(), subnormals_rounding_mode S = default_subnormals_rounding_mode(), class T>
  requires meta::square_root_mode<T, M, S>
T2C_FN meta::remove_cv_t<T> sqrt(T const& x, rounding_mode_constant<M> = {}, subnormals_rounding_mode_constant<S> = {}) {
  return meta::map_elements<tile_element_t<T>>(x, meta::sqrt_op<M, S>{});
}

/// `b` to the power `e`; an integral exponent is converted to the base's type.
template <basic_floating_point_tile T, tile_like U>
  requires meta::floating_pair<T, U>
T2C_FN auto pow(T const& b, U const& e) {
  return meta::combine_wide(b, e, [](auto x, auto y) { return backend::pow(x, y); });
}

/// `b` to an integral power, by repeated squaring, in the element type of `b`.
template <basic_floating_point_tile T, integral_tile U>
  requires(broadcast_compatible<T, U> && sizeof(tile_element_t<U>) <= 4 &&
           (meta::is_signed<tile_element_t<U>> || same_as<tile_element_t<U>, bool>))
T2C_FN auto powi(T const& b, U const& e) {
  using E = tile_element_t<T>;
  using I = tile_element_t<U>;
  constexpr auto power = [](E const& x, I n) {
    return meta::convert<E>(meta::integer_power(meta::convert<meta::wide_t<E>>(x), static_cast<int>(n)));
  };
  if constexpr (scalar<T> && scalar<U>) {
    return power(b, e);
  } else {
    using Shape = shape_broadcast_t<tile_shape_t<T>, tile_shape_t<U>>;
    auto const x = meta::operand<E, Shape>(b);
    auto const n = meta::operand<I, Shape>(e);
    tile<E, Shape> result;
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) result.own[s] = power(x(s), n(s));
    return result;
  }
}

/// Angle of the point (x, y).
template <tile_like T, tile_like U>
  requires meta::floating_pair<T, U>
T2C_FN auto atan2(T const& y, U const& x) {
  return meta::combine_wide(y, x, [](auto a, auto b) { return backend::atan2(a, b); });
}

}  // namespace tile2cpp
