// convert.hpp: one element as another type, by the default rules of `element_cast`.
#pragma once

#include "tile2cpp/promotion.hpp"
#include "tile2cpp/small_format.hpp"

namespace tile2cpp::meta {

template <class T> inline constexpr bool is_built_in = integral<T> || is_one_of<T, float, double>;

/// Floating to integral goes toward zero, everything else to the nearest value, ties to even.
/// Extended types reach the other types through float, which holds all of their values; tf32 is a float
/// whose last 13 bits are zero.
template <class To, class From> T2C_BOTH constexpr To convert(From const& from) {
  if constexpr (is_same<To, From>) {
    return from;
  } else if constexpr (is_pointer<From>) {
    if constexpr (is_same<To, bool>) return from != nullptr;
    else return from;
  } else if constexpr (is_built_in<From> && is_built_in<To>) {
    if constexpr (is_same<To, bool>) return from != From{};
    else return static_cast<To>(from);
  } else if constexpr (is_same<From, __nv_tf32>) {
    return convert<To>(bit_cast<float>(from));
  } else if constexpr (is_same<To, __nv_tf32>) {
    if constexpr (is_same<From, double> || integral<From>)
      return bit_cast<To>(narrow_bits<tf32_format>(round_to_odd(static_cast<double>(from))) << 13);
    else return bit_cast<To>(nearest_tf32(bit_cast<unsigned>(convert<float>(from))) & ~0x1fffu);
  } else if constexpr (is_same<To, __nv_fp8_e8m0> && is_built_in<From>) {
    return bit_cast<To>(narrow_to_e8m0(round_to_odd(static_cast<double>(from))));
  } else if constexpr (!is_built_in<From>) {
    if constexpr (is_same<To, float>) return static_cast<float>(from);
    else return convert<To>(static_cast<float>(from));
  } else if constexpr (integral<From>) {
    if constexpr (is_half_precision<To>) return To(+from);
    else return convert<To>(static_cast<float>(from));
  } else {
    return To(from);
  }
}

template <class To> struct default_cast {
  template <class From> T2C_FN To operator()(From const& from) const { return convert<To>(from); }
};

}  // namespace tile2cpp::meta
