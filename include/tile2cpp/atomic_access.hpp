// atomic_access.hpp: what atomics through pointers and through views have in common.
#pragma once

#include "tile2cpp/backend/memory.hpp"
#include "tile2cpp/program_order.hpp"
#include "tile2cpp/replicas.hpp"
#include "tile2cpp/tile_traits.hpp"

namespace tile2cpp::meta {

using backend::update;

template <class E> concept atomic_integer = integral<E> && (sizeof(E) == 4 || sizeof(E) == 8);

/// Which elements an update works on.
template <update Op, class E>
concept updatable = atomic_integer<E> || (Op == update::add && basic_floating_point_scalar<E>) ||
                    (Op == update::exchange && is_one_of<E, float, double>);

template <memory_order O>
inline constexpr bool acquires = T2C_ASKS && (O == memory_order::acquire || O == memory_order::acq_rel);
template <memory_order O>
inline constexpr bool releases = O == memory_order::release || O == memory_order::acq_rel;

/// The ordering of one atomic call of the block. The threads meet, so that a release covers what all of them
/// wrote before, and an acquire covers what all of them read afterwards. Who never looks at what others have done (T2C_ASKS 0)
/// cannot tell whether it came before or after them, so there is nothing to acquire.
template <memory_order Order, thread_scope Scope>
class atomic_section {
 public:
  T2C_FN atomic_section() {
    if constexpr (releases<Order>) backend::fence<Scope>();
  }
  T2C_FN ~atomic_section() {
    if constexpr (acquires<Order>) backend::fence<Scope>();
  }

 private:
  program_order<T2C_ORDERED || releases<Order> || acquires<Order>, T2C_ORDERED || (T2C_ASKS && Order != memory_order::relaxed)> meeting_;
};

/// The opposite number, as atomic subtraction adds it.
template <class E>
T2C_FN E negated(E value) {
  if constexpr (integral<E>) return static_cast<E>(unsigned_of<E>{0} - static_cast<unsigned_of<E>>(value));
  else if constexpr (is_half_precision<E>) return convert<E>(-convert<float>(value));
  else return -value;
}

}  // namespace tile2cpp::meta
