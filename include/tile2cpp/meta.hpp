// meta.hpp: the few type tools the library needs; no standard header exists under NVRTC.
#pragma once

#include "tile2cpp/config.hpp"

namespace tile2cpp {
namespace meta {

// What depends on types and is asked often is a concept, or an enumerator: NVRTC would store every variable in the module.
template <class A, class B> struct same_type { enum : bool { holds = false }; };
template <class A> struct same_type<A, A> { enum : bool { holds = true }; };
template <class A, class B> concept is_same = bool(same_type<A, B>::holds);

template <class T> struct remove_cv { using type = T; };
template <class T> struct remove_cv<T const> { using type = T; };
template <class T> struct remove_cv<T volatile> { using type = T; };
template <class T> struct remove_cv<T const volatile> { using type = T; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;

template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> using remove_cvref_t = remove_cv_t<typename remove_reference<T>::type>;

template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;

template <class T> inline constexpr bool is_pointer = false;
template <class T> inline constexpr bool is_pointer<T*> = true;
template <class T> inline constexpr bool is_const = false;
template <class T> inline constexpr bool is_const<T const> = true;
template <class T> inline constexpr bool is_volatile = false;
template <class T> inline constexpr bool is_volatile<T volatile> = true;
template <class T> inline constexpr bool is_volatile<T const volatile> = true;

template <bool B, class T, class F> struct conditional { using type = T; };
template <class T, class F> struct conditional<false, T, F> { using type = F; };
template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;

template <class T> T&& declval() noexcept;

template <class T> void take(T);  // never defined: asks whether something converts to T
template <class From, class To>
inline constexpr bool is_convertible = requires(From from) { take<To>(static_cast<From&&>(from)); };

template <class T, class... Ts> concept is_one_of = (bool(same_type<T, Ts>::holds) || ...);

template <size_t... I> struct index_list {};
#if defined(__clang__)
template <class T, T... I> using as_list = index_list<I...>;
template <size_t N> using make_index_list = __make_integer_seq<as_list, size_t, N>;
#elif defined(__GNUC__) && !defined(T2C_GPU)
template <size_t N> using make_index_list = index_list<__integer_pack(N)...>;
#else
template <size_t N, size_t... I> struct make_list : make_list<N - 1, N - 1, I...> {};
template <size_t... I> struct make_list<0, I...> { using type = index_list<I...>; };
template <size_t N> using make_index_list = typename make_list<N>::type;
#endif

T2C_BOTH constexpr int log2(size_t n) {
  int bits = 0;
  while (n > 1) n >>= 1, ++bits;
  return bits;
}

T2C_BOTH constexpr bool is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace meta

template <class A, class B> concept same_as = meta::is_same<A, B> && meta::is_same<B, A>;

}  // namespace tile2cpp
