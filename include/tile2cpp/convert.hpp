// convert.hpp: one element as another type, by the default rules of `element_cast`.
#pragma once

#include "tile2cpp/promotion.hpp"

namespace tile2cpp::meta {

template <class T> inline constexpr bool is_built_in = integral<T> || is_one_of<T, float, double>;

/// Floating to integral goes toward zero, everything else to the nearest value, ties to even.
/// Extended types reach the other types through float, which holds all of their values.
template <class To, class From> T2C_BOTH constexpr To convert(From const& from) {
  if constexpr (is_same<To, From>) {
    return from;
  } else if constexpr (is_pointer<From>) {
    if constexpr (is_same<To, bool>) return from != nullptr;
    else return from;
  } else if constexpr (is_built_in<From> && is_built_in<To>) {
    if constexpr (is_same<To, bool>) return from != From{};
    else return static_cast<To>(from);
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

}  // namespace tile2cpp::meta
