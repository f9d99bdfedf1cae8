// padding.hpp: the values that masked loads of views yield outside of the span.
#pragma once

#include "tile2cpp/element.hpp"

namespace tile2cpp {
namespace meta {

/// Bit patterns in the order of `view_padding`: zero, negative zero, infinity, negative infinity, NaN.
struct padding_patterns {
  unsigned long long at[5];
};
template <class E> T2C_BOTH constexpr padding_patterns padding_bits() {
  if constexpr (is_same<E, __half>) return {{0, 0x8000, 0x7c00, 0xfc00, 0x7fff}};
  else if constexpr (is_same<E, __nv_bfloat16>) return {{0, 0x8000, 0x7f80, 0xff80, 0x7fff}};
  else if constexpr (is_same<E, __nv_fp8_e5m2>) return {{0, 0x80, 0x7c, 0xfc, 0x7f}};
  else if constexpr (is_same<E, __nv_fp8_e4m3>) return {{0, 0x80, 0, 0, 0x7f}};
  else if constexpr (is_one_of<E, __nv_fp8_e8m0, __nv_fp8_ue5m3>) return {{0, 0, 0, 0, 0xff}};
  else if constexpr (is_same<E, float>) return {{0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffffff}};
  else if constexpr (is_same<E, __nv_tf32>) return {{0, 0x80000000, 0x7f800000, 0xff800000, 0x7fffe000}};
  else if constexpr (is_same<E, double>) return {{0, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7fffffffffffffff}};
  else return {};
}

template <class E> concept has_infinity = basic_floating_point_scalar<E> || is_one_of<E, __nv_tf32, __nv_fp8_e5m2>;

/// Whether elements of this type have such a padding.
template <class E, view_padding P>
T2C_BOTH constexpr bool has_padding() {
  if constexpr (is_same<E, __nv_fp8_e8m0>) return P == view_padding::nan;
  else if constexpr (P == view_padding::zero) return true;
  else if constexpr (is_same<E, __nv_fp8_e4m3>) return P == view_padding::negative_zero || P == view_padding::nan;
  else if constexpr (is_same<E, __nv_fp8_ue5m3>) return P == view_padding::nan;
  else return has_infinity<E>;
}

template <class E, view_padding P>
T2C_FN E padding_value() {
  if constexpr (pointer_scalar<E>) {
    return E{};
  } else {
    constexpr auto bits = static_cast<unsigned_of<E>>(padding_bits<E>().at[int(P)]);
    return bit_cast<E>(bits);
  }
}

}  // namespace meta
}  // namespace tile2cpp
