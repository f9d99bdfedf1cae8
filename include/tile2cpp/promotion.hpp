// promotion.hpp: which element two elements meet in, and which conversions lose nothing.
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp {
namespace meta {

template <class T> T2C_BOTH constexpr int floating_rank() {
  if constexpr (is_one_of<T, __half, __nv_bfloat16>) return 1;
  else if constexpr (is_same<T, float>) return 2;
  else if constexpr (is_same<T, double>) return 3;
  else return 0;
}

template <class A, class B> T2C_BOTH constexpr bool holds_every_value_of() {
  if constexpr (is_same<A, B>) return true;
  else if constexpr (is_signed<B> && !is_signed<A>) return false;
  else return digits_of<A> >= digits_of<B>;
}

template <class T> struct type_is { using type = T; };
struct no_type {};

/// Plain `int`-like types win over `wchar_t` and `char32_t`, `signed char` over `char`.
template <class A> concept is_plain = !is_one_of<A, char, char8_t, char16_t, char32_t, wchar_t>;

template <class A, class B> T2C_BOTH constexpr auto common_integral() {
  if constexpr (is_signed<A> == is_signed<B>) {
    if constexpr (integer_rank<A>() == integer_rank<B>()) return conditional_t<is_plain<A>, type_is<A>, type_is<B>>{};
    else return conditional_t<(integer_rank<A>() > integer_rank<B>()), type_is<A>, type_is<B>>{};
  } else {
    using S = conditional_t<is_signed<A>, A, B>;
    using U = conditional_t<is_signed<A>, B, A>;
    if constexpr (digits_of<S> >= digits_of<U>) return type_is<S>{};
    else return no_type{};
  }
}

template <class A, class B> T2C_BOTH constexpr auto common_element() {
  if constexpr (is_same<A, B>) {
    return type_is<A>{};
  } else if constexpr (integral<A> && integral<B>) {
    return common_integral<A, B>();
  } else if constexpr (integral<A>) {
    return type_is<B>{};
  } else if constexpr (integral<B>) {
    return type_is<A>{};
  } else {
    constexpr int a = floating_rank<A>(), b = floating_rank<B>();
    if constexpr (a == b) return no_type{};
    else return conditional_t<(a > b), type_is<A>, type_is<B>>{};
  }
}

/// Place in the order of floating types by the values they hold; equal places do not convert.
template <class T> T2C_BOTH constexpr int precision_place() {
  if constexpr (is_same<T, __nv_fp4_e2m1>) return 0;
  else if constexpr (is_one_of<T, __nv_fp8_e4m3, __nv_fp8_e5m2, __nv_fp8_e8m0, __nv_fp8_ue5m3>) return 1;
  else if constexpr (is_one_of<T, __half, __nv_bfloat16>) return 2;
  else if constexpr (is_same<T, __nv_tf32>) return 3;
  else if constexpr (is_same<T, float>) return 4;
  else return 5;
}

template <class From, class To> T2C_BOTH constexpr bool floating_widens() {
  constexpr int from = precision_place<From>(), to = precision_place<To>();
  if constexpr (is_same<From, To>) return true;
  else if constexpr (is_one_of<From, __nv_fp8_e8m0, __nv_fp8_ue5m3>) return to > from && !is_same<To, __half>;
  else if constexpr (is_same<From, __nv_fp4_e2m1>) return to > from && !is_one_of<To, __nv_fp8_e8m0, __nv_fp8_ue5m3>;
  else return to > from;
}

template <class From, class To> T2C_BOTH constexpr bool converts() {
  if constexpr (numeric_scalar<From> && numeric_scalar<To>) return true;
  else if constexpr (pointer_scalar<From> && pointer_scalar<To>) return is_convertible<From, To>;
  else return pointer_scalar<From> && is_same<To, bool>;
}

template <class From, class To> T2C_BOTH constexpr bool converts_losslessly() {
  if constexpr (integral<From> && integral<To>) return holds_every_value_of<To, From>();
  else if constexpr (floating_point_scalar<From> && floating_point_scalar<To>) return floating_widens<From, To>();
  else if constexpr (pointer_scalar<From> && pointer_scalar<To>) return is_convertible<From, To>;
  else return false;
}

}  // namespace meta

template <class From, class To>
concept scalar_convertible_to =
    scalar<From> && scalar<To> && meta::converts<meta::remove_cv_t<From>, meta::remove_cv_t<To>>();

/// Judged by types, never by values; integral to floating counts as narrowing.
template <class From, class To>
concept non_narrowing_scalar_convertible_to =
    scalar_convertible_to<From, To> && meta::converts_losslessly<meta::remove_cv_t<From>, meta::remove_cv_t<To>>();

template <class A, class B>
concept pointer_comparable = pointer_scalar<A> && pointer_scalar<B> && requires(A a, B b) { a == b; };

namespace meta {

template <class A, class B> using common_element_t = typename decltype(common_element<A, B>())::type;

template <class A, class B>
concept have_common_element = arithmetic_scalar<A> && arithmetic_scalar<B> && requires { typename common_element_t<A, B>; };

/// A scalar beside a tile takes the tile's element type; integral to floating is welcome here.
template <class S, class E>
concept scalar_joins_tile =
    arithmetic_scalar<S> && arithmetic_scalar<E> &&
    (non_narrowing_scalar_convertible_to<S, E> || (integral<S> && basic_floating_point_scalar<E>));

}  // namespace meta
}  // namespace tile2cpp
