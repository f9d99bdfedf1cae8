// constant.hpp: integral_constant<V>, the literal suffix `_ic`, and arithmetic of constants.
#pragma once

#include "tile2cpp/meta.hpp"
#include "tile2cpp/tags.hpp"

namespace tile2cpp {

template <class T>
concept integral = meta::is_one_of<meta::remove_cv_t<T>, bool, char, signed char, unsigned char, char8_t, char16_t,
                                   char32_t, wchar_t, short, unsigned short, int, unsigned, long, unsigned long,
                                   long long, unsigned long long>;

namespace meta {
/// Base of every constant, by which deduction reads its value as an extent.
template <size_t V> struct constant_base {};
}  // namespace meta

/// A number known when the kernel is compiled; its type is the type of `V`.
template <auto V>
  requires integral<decltype(V)>
struct integral_constant : meta::constant_base<static_cast<size_t>(V)> {
  using value_type = meta::remove_cv_t<decltype(V)>;
  using type = integral_constant;
  static constexpr value_type value = V;
  T2C_BOTH constexpr operator value_type() const noexcept { return V; }
  T2C_BOTH constexpr value_type operator()() const noexcept { return V; }
};

namespace meta {
template <class T> inline constexpr bool is_constant = false;
template <auto V> inline constexpr bool is_constant<integral_constant<V>> = true;
template <auto V> inline constexpr bool is_constant<integral_constant<V> const> = true;
}  // namespace meta

#define T2C_CONSTANT_OPERATOR(op)                                                      \
  template <auto A, auto B>                                                            \
  T2C_BOTH constexpr auto operator op(integral_constant<A>, integral_constant<B>) {    \
    return integral_constant<(A op B)>{};                                              \
  }
T2C_CONSTANT_OPERATOR(+)
T2C_CONSTANT_OPERATOR(-)
T2C_CONSTANT_OPERATOR(*)
T2C_CONSTANT_OPERATOR(/)
T2C_CONSTANT_OPERATOR(%)
T2C_CONSTANT_OPERATOR(&)
T2C_CONSTANT_OPERATOR(|)
T2C_CONSTANT_OPERATOR(^)
T2C_CONSTANT_OPERATOR(<<)
T2C_CONSTANT_OPERATOR(>>)
#undef T2C_CONSTANT_OPERATOR

template <auto A> T2C_BOTH constexpr auto operator+(integral_constant<A>) { return integral_constant<(+A)>{}; }
template <auto A> T2C_BOTH constexpr auto operator-(integral_constant<A>) { return integral_constant<(-A)>{}; }
template <auto A> T2C_BOTH constexpr auto operator~(integral_constant<A>) { return integral_constant<(~A)>{}; }

namespace meta {

template <char... C> T2C_BOTH constexpr bool is_decimal() {
  constexpr char text[] = {C...};
  for (char c : text)
    if (c != '\'' && (c < '0' || c > '9')) return false;
  return sizeof...(C) == 1 || text[0] != '0';
}

template <char... C> T2C_BOTH constexpr unsigned long long parse_decimal() {
  constexpr char text[] = {C...};
  unsigned long long value = 0;
  for (char c : text)
    if (c != '\'') value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

template <unsigned long long N> T2C_BOTH constexpr auto smallest_int() {
  constexpr unsigned long long int_max = static_cast<unsigned>(-1) >> 1;
  constexpr unsigned long long long_max = static_cast<unsigned long>(-1) >> 1;
  if constexpr (N <= int_max) return static_cast<int>(N);
  else if constexpr (N <= long_max) return static_cast<long>(N);
  else return static_cast<long long>(N);
}

}  // namespace meta

inline namespace literals {

/// `128_ic` is `integral_constant<128>`; the type is the first of int, long, long long that holds it.
template <char... C> T2C_BOTH constexpr auto operator""_ic() {
  static_assert(meta::is_decimal<C...>(), "_ic: write the constant in decimal digits");
  return integral_constant<meta::smallest_int<meta::parse_decimal<C...>()>()>{};
}

}  // namespace literals
}  // namespace tile2cpp
