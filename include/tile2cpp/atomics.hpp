// atomics.hpp: indivisible accesses through pointers, one per element, in no order among themselves.
//
//     ct::atomic_add(sum, value, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
//
// A scalar pointer is updated once per block. Order and scope are tags or template arguments; updates return
// what was there before, in every thread.
#pragma once

#include "tile2cpp/atomic_access.hpp"
#include "tile2cpp/gather.hpp"

namespace tile2cpp {

namespace meta {

/// Whether `slot` of this thread takes part: once per element, and only where the mask is set.
template <class Shape, class Mask>
T2C_FN bool takes_part(Mask const& mask, int slot) {
  return layout<Shape>::owner(backend::thread()) && mask.own[slot];
}

/// Does `access(address, slot)` for each owned element and returns its results in every thread that holds it.
template <memory_order Order, thread_scope Scope, class P, class Mask, class E, class Access>
T2C_FN auto access_each(P const& pointers, Mask const& mask, E other, Access const& access) {
  using shape = tile_shape_t<P>;
  auto const address = whole_tile(pointers);
  auto const wanted = spread_to<bool, shape>(mask);
  auto result = spread_to<tile_element_t<E>, shape>(other);
  {
    atomic_section<Order, Scope> section;
    T2C_UNROLL
    for (int s = 0; s < layout<shape>::slots; ++s)
      if (takes_part<shape>(wanted, s)) result.own[s] = access(address.own[s], s);
  }
  share_from_owners(result);
  if constexpr (scalar<P>) return result.own[0];
  else return result;
}

/// Updates the elements where `wanted` is set. `in_runs`: whether runs are vectors, and wanted as one; else each is looked at.
template <update Op, thread_scope Scope, class E, class Shape>
T2C_FN void update_own(tile<E*, Shape> const& address, tile<E, Shape> const& given, tile<bool, Shape> const& wanted, [[maybe_unused]] bool in_runs) {
  constexpr int vector = layout<Shape>::vector;
  if constexpr (backend::updates_runs<Op, vector, E>) {
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; s += vector) {
      bool const all = in_runs || (all_set<vector>(&wanted.own[s]) && is_vector<vector>(&address.own[s]));
      backend::apply_run_if<Op, Scope, vector>(all && wanted.own[s], address.own[s], &given.own[s]);
      T2C_UNROLL
      for (int i = 0; i < vector; ++i) backend::apply_if<Op, Scope>(!all && wanted.own[s + i], address.own[s + i], given.own[s + i]);
    }
  } else {
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) {
      // Beside sums of products there are no registers for all guards at once.
      if constexpr (!this_schedule.product) backend::apply_if<Op, Scope>(wanted.own[s], address.own[s], given.own[s]);
      else if (wanted.own[s]) backend::apply<Op, Scope>(address.own[s], given.own[s]);
    }
  }
}

/// Updates each owned element where the mask is set, and does not wait for what was there.
template <update Op, memory_order Order, thread_scope Scope, class P, class E, class Shape, class Mask>
T2C_FN void apply_each(P const& pointers, tile<E, Shape> const& given, Mask const& mask) {
  tile<E*, Shape> const address = whole_tile(pointers);
  auto const wanted = spread_to<bool, Shape>(mask);
  bool const in_runs = are_vectors(pointers) && is_alike<Shape>(mask);
  atomic_section<Order, Scope> section;
  if (layout<Shape>::owner(backend::thread())) update_own<Op, Scope>(address, given, wanted, in_runs);
}

template <update Op, memory_order Order, thread_scope Scope, class P, class Value, class Mask>
T2C_FN tile_load_t<P> update_each(P pointers, Value value, Mask mask) {
  using E = tile_element_t<tile_load_t<P>>;
  tile<E, tile_shape_t<P>> const given = whole_tile(value);
  if constexpr (!T2C_ASKS && Op != update::exchange) {
    apply_each<Op, Order, Scope>(pointers, given, mask);
    return tile_load_t<P>{};
  } else return access_each<Order, Scope>(pointers, mask, E{},
                                   [&](E* to, int slot) { return backend::fetch<Op, Scope>(to, given.own[slot]); });
}

/// A pointer tile whose elements an update works on, and a value for it.
template <update Op, class P, class Value>
concept update_of = storeable_tile<P> && value_for<Value, P> && updatable<Op, tile_element_t<tile_load_t<P>>>;

}  // namespace meta

// Each update has a form for all elements and one for those where a mask is set.
#define T2C_ATOMIC(name, operation, prepared)                                                                      \
  template <memory_order Order, thread_scope Scope = thread_scope::system, class P, class Value>                   \
    requires meta::update_of<backend::update::operation, P, Value>                                                 \
  T2C_FN tile_load_t<P> name(P pointers, Value value, memory_order_constant<Order> = {},                           \
                             thread_scope_constant<Scope> = {}) {                                                  \
    return meta::update_each<backend::update::operation, Order, Scope>(pointers, prepared<P>(value), true);        \
  }                                                                                                                \
  template <memory_order Order, thread_scope Scope = thread_scope::system, class P, class Value,                   \
            meta::mask_for<P> Mask>                                                                                \
    requires meta::update_of<backend::update::operation, P, Value>                                                 \
  T2C_FN tile_load_t<P> name##_masked(P pointers, Value value, Mask mask, memory_order_constant<Order> = {},       \
                                      thread_scope_constant<Scope> = {}) {                                         \
    return meta::update_each<backend::update::operation, Order, Scope>(pointers, prepared<P>(value), mask);        \
  }

namespace meta {

/// The value in the element type of `P`; subtraction adds the opposite.
template <class P, class Value>
T2C_FN auto as_given(Value const& value) {
  return tile<tile_element_t<tile_load_t<P>>, tile_shape_t<P>>(whole_tile(value));
}
template <class P, class Value>
T2C_FN auto as_negated(Value const& value) {
  auto all = as_given<P>(value);
  T2C_UNROLL
  for (int s = 0; s < layout<tile_shape_t<P>>::slots; ++s) all.own[s] = negated(all.own[s]);
  return all;
}

}  // namespace meta

T2C_ATOMIC(atomic_add, add, meta::as_given)
T2C_ATOMIC(atomic_sub, add, meta::as_negated)
T2C_ATOMIC(atomic_max, max, meta::as_given)
T2C_ATOMIC(atomic_min, min, meta::as_given)
T2C_ATOMIC(atomic_and, bit_and, meta::as_given)
T2C_ATOMIC(atomic_or, bit_or, meta::as_given)
T2C_ATOMIC(atomic_xor, bit_xor, meta::as_given)
T2C_ATOMIC(atomic_xchg, exchange, meta::as_given)
#undef T2C_ATOMIC

/// Writes `value` where memory holds `compare`, bit for bit; returns what was there. Masked-off elements return
/// `compare`.
template <memory_order Order, thread_scope Scope = thread_scope::system, class P, class Compare, class Value,
          meta::mask_for<P> Mask>
  requires(meta::update_of<backend::update::exchange, P, Value> && meta::value_for<Compare, P>)
T2C_FN tile_load_t<P> atomic_compare_exchange_masked(P pointers, Compare compare, Value value, Mask mask,
                                                     memory_order_constant<Order> = {},
                                                     thread_scope_constant<Scope> = {}) {
  using E = tile_element_t<tile_load_t<P>>;
  auto const expected = meta::as_given<P>(compare), desired = meta::as_given<P>(value);
  return meta::access_each<Order, Scope>(pointers, mask, expected, [&](E* to, int slot) {
    return backend::compare_exchange<Scope>(to, expected.own[slot], desired.own[slot]);
  });
}
template <memory_order Order, thread_scope Scope = thread_scope::system, class P, class Compare, class Value>
  requires(meta::update_of<backend::update::exchange, P, Value> && meta::value_for<Compare, P>)
T2C_FN tile_load_t<P> atomic_compare_exchange(P pointers, Compare compare, Value value,
                                              memory_order_constant<Order> = {}, thread_scope_constant<Scope> = {}) {
  return atomic_compare_exchange_masked<Order, Scope>(pointers, compare, value, true);
}

/// Reads each element in one piece, `padding` where the mask is not set.
template <memory_order Order, thread_scope Scope = thread_scope::system, loadable_tile P, meta::mask_for<P> Mask,
          meta::padding_for<P> Pad>
  requires read_memory_order<Order>
[[nodiscard]] T2C_FN tile_load_t<P> atomic_load_masked(P pointers, Mask mask, Pad padding,
                                                       memory_order_constant<Order> = {},
                                                       thread_scope_constant<Scope> = {}) {
  using E = tile_element_t<tile_load_t<P>>;
  auto const other = meta::spread_to<E, tile_shape_t<P>>(padding);
  return meta::access_each<Order, Scope>(pointers, mask, other,
                                         [](E const* from, int) { return backend::atomic_read<Scope>(from); });
}
template <memory_order Order, thread_scope Scope = thread_scope::system, loadable_tile P, meta::mask_for<P> Mask>
  requires read_memory_order<Order>
[[nodiscard]] T2C_FN tile_load_t<P> atomic_load_masked(P pointers, Mask mask, memory_order_constant<Order> = {},
                                                       thread_scope_constant<Scope> = {}) {
  return atomic_load_masked<Order, Scope>(pointers, mask, tile_element_t<tile_load_t<P>>{});
}
template <memory_order Order, thread_scope Scope = thread_scope::system, loadable_tile P>
  requires read_memory_order<Order>
[[nodiscard]] T2C_FN tile_load_t<P> atomic_load(P pointers, memory_order_constant<Order> = {},
                                                thread_scope_constant<Scope> = {}) {
  return atomic_load_masked<Order, Scope>(pointers, true);
}

/// Writes each element in one piece where the mask is set.
template <memory_order Order, thread_scope Scope = thread_scope::system, storeable_tile P, meta::value_for<P> Value,
          meta::mask_for<P> Mask>
  requires write_memory_order<Order>
T2C_FN void atomic_store_masked(P pointers, Value value, Mask mask, memory_order_constant<Order> = {},
                                thread_scope_constant<Scope> = {}) {
  using shape = tile_shape_t<P>;
  auto const address = meta::whole_tile(pointers);
  auto const given = meta::as_given<P>(value);
  auto const wanted = meta::spread_to<bool, shape>(mask);
  meta::atomic_section<Order, Scope> section;
  T2C_UNROLL
  for (int s = 0; s < layout<shape>::slots; ++s)
    if (meta::takes_part<shape>(wanted, s)) backend::atomic_write<Scope>(address.own[s], given.own[s]);
}
template <memory_order Order, thread_scope Scope = thread_scope::system, storeable_tile P, meta::value_for<P> Value>
  requires write_memory_order<Order>
T2C_FN void atomic_store(P pointers, Value value, memory_order_constant<Order> = {},
                         thread_scope_constant<Scope> = {}) {
  atomic_store_masked<Order, Scope>(pointers, value, true);
}

}  // namespace tile2cpp
