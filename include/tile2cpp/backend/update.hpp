// backend/update.hpp: the ways an atomic access may change an element.
#pragma once

#include "tile2cpp/convert.hpp"

namespace tile2cpp::backend {

enum class update { add, max, min, bit_and, bit_or, bit_xor, exchange };

/// What an element becomes: the old value combined with the given one. Integers wrap around.
template <update Op, class E>
T2C_FN E combined(E old, E value) {
  if constexpr (Op == update::exchange) {
    return value;
  } else if constexpr (Op == update::add) {
    if constexpr (integral<E>) return static_cast<E>(static_cast<meta::unsigned_of<E>>(old) + static_cast<meta::unsigned_of<E>>(value));
    else if constexpr (meta::is_half_precision<E>) return meta::convert<E>(meta::convert<float>(old) + meta::convert<float>(value));
    else return old + value;
  } else if constexpr (Op == update::max) {
    return old < value ? value : old;
  } else if constexpr (Op == update::min) {
    return value < old ? value : old;
  } else if constexpr (Op == update::bit_and) {
    return old & value;
  } else if constexpr (Op == update::bit_or) {
    return old | value;
  } else {
    return old ^ value;
  }
}

}  // namespace tile2cpp::backend
