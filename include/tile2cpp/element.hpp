// element.hpp: which types a tile may hold, and how they are classified.
// The extended types are only declared here; a kernel that uses one includes its toolkit header.
#pragma once

#include "tile2cpp/constant.hpp"

struct __half;
struct __nv_bfloat16;
struct __nv_fp8_e4m3;
struct __nv_fp8_e5m2;
struct __nv_fp8_e8m0;
struct __nv_fp8_ue5m3;
struct __nv_fp4_e2m1;
struct __nv_tf32;

namespace tile2cpp {

template <class T>
concept basic_floating_point_scalar = meta::is_one_of<meta::remove_cv_t<T>, __half, __nv_bfloat16, float, double>;
template <class T>
concept restricted_floating_point_scalar = meta::is_one_of<meta::remove_cv_t<T>, __nv_fp8_e4m3, __nv_fp8_e5m2, __nv_tf32,
                                                           __nv_fp8_e8m0, __nv_fp4_e2m1, __nv_fp8_ue5m3>;
template <class T> concept floating_point_scalar = basic_floating_point_scalar<T> || restricted_floating_point_scalar<T>;
template <class T> concept integral_scalar = integral<T>;
template <class T> concept arithmetic_scalar = integral_scalar<T> || basic_floating_point_scalar<T>;
template <class T> concept numeric_scalar = arithmetic_scalar<T> || restricted_floating_point_scalar<T>;

namespace meta {
template <class T> inline constexpr bool is_scalar_pointer = false;
template <class T>
inline constexpr bool is_scalar_pointer<T*> = numeric_scalar<T> || is_same<remove_cv_t<T>, void>;
}  // namespace meta

template <class T> concept pointer_scalar = meta::is_scalar_pointer<meta::remove_cv_t<T>>;
template <class T> concept scalar = numeric_scalar<T> || pointer_scalar<T>;

namespace meta {

template <class T> inline constexpr bool is_signed = true;
template <integral T> inline constexpr bool is_signed<T> = static_cast<T>(-1) < static_cast<T>(0);
template <> inline constexpr bool is_signed<bool> = false;

/// Bits that carry an element's value when it is reinterpreted.
template <class E> inline constexpr int bits_of = static_cast<int>(sizeof(E)) * 8;
template <> inline constexpr int bits_of<__nv_fp4_e2m1> = 4;
template <> inline constexpr int bits_of<__nv_tf32> = 19;

/// Digits of an integral type without its sign.
template <class E> inline constexpr int digits_of = static_cast<int>(sizeof(E)) * 8 - (is_signed<E> ? 1 : 0);
template <> inline constexpr int digits_of<bool> = 1;

/// Of two integral types the one with the higher rank is their common type.
template <integral E> T2C_BOTH constexpr int integer_rank() {
  if constexpr (is_same<E, bool>) return 0;
  else if constexpr (sizeof(E) == 1) return 1;
  else if constexpr (sizeof(E) == 2) return 2;
  else if constexpr (is_one_of<E, long, unsigned long>) return 4;
  else if constexpr (is_one_of<E, long long, unsigned long long>) return 5;
  else return 3;
}

template <int Bytes, bool Signed> struct integer_of;
template <> struct integer_of<1, false> { using type = unsigned char; };
template <> struct integer_of<2, false> { using type = unsigned short; };
template <> struct integer_of<4, false> { using type = unsigned; };
template <> struct integer_of<8, false> { using type = unsigned long long; };
template <> struct integer_of<1, true> { using type = signed char; };
template <> struct integer_of<2, true> { using type = short; };
template <> struct integer_of<4, true> { using type = int; };
template <> struct integer_of<8, true> { using type = long long; };

/// The plain unsigned integer of an element's size; sums in it wrap around.
template <class E> using unsigned_of = typename integer_of<sizeof(E), false>::type;
template <class E> using signed_of = typename integer_of<sizeof(E), true>::type;

template <class E> inline constexpr bool is_half_precision = is_one_of<E, __half, __nv_bfloat16>;

/// The type in which an element's arithmetic is done when its own type has none.
template <class E> using wide_t = conditional_t<is_half_precision<E>, float, E>;

/// Reads the bits of a value as another type of the same size.
template <class To, class From> T2C_BOTH constexpr To bit_cast(From const& from) {
  static_assert(sizeof(To) == sizeof(From), "bit_cast: both types have the same size");
  return __builtin_bit_cast(To, from);
}

template <class E> struct limits;
template <integral E> struct limits<E> {
  static constexpr E lowest = is_signed<E> ? static_cast<E>(E{1} << (digits_of<E> & 63)) : E{0};
  static constexpr E highest = static_cast<E>(~static_cast<unsigned_of<E>>(lowest));
};
template <> struct limits<bool> {
  static constexpr bool lowest = false;
  static constexpr bool highest = true;
};

}  // namespace meta
}  // namespace tile2cpp
