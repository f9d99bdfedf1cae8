// view_atomics.hpp: indivisible accesses to the tiles of a view.
//
// Loads and stores in one piece per element work on every view. The updates return nothing, so that the memory
// can do them on its own; they want the relaxed order and the scope of the device or of the block.
#pragma once

#include "tile2cpp/atomic_access.hpp"
#include "tile2cpp/create.hpp"
#include "tile2cpp/view_methods.hpp"

namespace tile2cpp {

namespace meta {

template <memory_order Order, thread_scope Scope>
concept reduction_tags = Order == memory_order::relaxed && (Scope == thread_scope::device || Scope == thread_scope::block);

/// Updates every element that exists and that this thread owns.
template <backend::update Op, thread_scope Scope, class Where, class E, class Shape>
T2C_FN void update_owned(Where const& where, tile<E, Shape> const& value) {
  for_each_owned(where, [&](int slot, E* to) { backend::apply<Op, Scope>(to, value.own[slot]); });
}

/// The same of a box, whose runs are vectors in memory more often than not.
template <backend::update Op, thread_scope Scope, class E, class Shape>
  requires(backend::updates_runs<Op, layout<Shape>::vector, E>)
T2C_FN void update_owned(window<E, Shape> const& where, tile<E, Shape> const& value) {
  constexpr int vector = layout<Shape>::vector, last = window<E, Shape>::last;
  if (!layout<Shape>::owner(backend::thread())) return;
  auto const mine = backend::thread_coordinates<Shape>();
  auto const room = where.room(mine);
  E* const start = where.origin + where.distance(mine);
  bool const in_runs = movement_of<true>(where) != movement::elements;
  backend::for_each_run<Shape>([&](int slot, auto const& step) {
    bool const inside = run_has_room(step, room);
    backend::apply_run_if<Op, Scope, vector>(in_runs && inside && step.at[last] < room.at[last], start + where.distance(step), &value.own[slot]);
    T2C_UNROLL
    for (int i = 0; i < vector; ++i)
      backend::apply_if<Op, Scope>(!in_runs && inside && step.at[last] + i < room.at[last], start + where.distance(step) + i * where.stride[last], value.own[slot + i]);
  });
}

}  // namespace meta

template <class View, class Span, class Shape, class Index>
class view_reductions {
  using number = typename Span::value_type;
  using whole = tile<number, Shape>;
  using update = backend::update;

  template <update Op, memory_order Order, thread_scope Scope, class Value, class... Idx>
  static constexpr bool allowed =
      meta::reduction_tags<Order, Scope> && storeable_tensor_span<Span> &&
      non_narrowing_tile_convertible_to<Value, whole> && meta::updatable<Op, number> &&
      Index::template accepts<Idx...>;

  template <update Op, memory_order Order, thread_scope Scope, class... Idx>
  T2C_FN void apply(whole const& value, Idx... index) const {
    auto const where = static_cast<View const&>(*this).locate(index...);
    meta::atomic_section<Order, Scope> section;
    meta::update_owned<Op, Scope>(where, value);
  }

  T2C_FN static whole opposite(whole value) {
    T2C_UNROLL
    for (int s = 0; s < layout<Shape>::slots; ++s) value.own[s] = meta::negated(value.own[s]);
    return value;
  }
  T2C_FN static whole same(whole value) { return value; }

 public:
// Elements outside of the span are left out by both forms.
#define T2C_REDUCTION(name, operation, prepared)                                                                  \
  template <memory_order Order, thread_scope Scope, class Value, class... Idx>                                    \
    requires allowed<update::operation, Order, Scope, Value, Idx...>                                              \
  T2C_FN void name(Value value, memory_order_constant<Order>, thread_scope_constant<Scope>, Idx... index) const { \
    apply<update::operation, Order, Scope>(prepared(value), index...);                                            \
  }
#define T2C_REDUCTIONS(name, operation, prepared) \
  T2C_REDUCTION(name, operation, prepared)        \
  T2C_REDUCTION(name##_masked, operation, prepared)

  T2C_REDUCTIONS(atomic_add, add, same)
  T2C_REDUCTIONS(atomic_sub, add, opposite)
  T2C_REDUCTIONS(atomic_max, max, same)
  T2C_REDUCTIONS(atomic_min, min, same)
  T2C_REDUCTIONS(atomic_and, bit_and, same)
  T2C_REDUCTIONS(atomic_or, bit_or, same)
  T2C_REDUCTIONS(atomic_xor, bit_xor, same)
#undef T2C_REDUCTIONS
#undef T2C_REDUCTION
};

template <class View, class Span, class Shape, class Index>
class view_atomics {
  using number = typename Span::value_type;
  using whole = tile<number, Shape>;

  template <view_padding P, memory_order Order, class... Idx>
  static constexpr bool loads =
      read_memory_order<Order> && meta::has_padding<number, P>() && Index::template accepts<Idx...>;
  template <memory_order Order, class Value, class... Idx>
  static constexpr bool stores = write_memory_order<Order> && storeable_tensor_span<Span> &&
                                 non_narrowing_tile_convertible_to<Value, whole> &&
                                 Index::template accepts<Idx...>;

  template <memory_order Order, thread_scope Scope, class... Idx>
  T2C_FN whole read(number padding, Idx... index) const {
    auto const where = static_cast<View const&>(*this).locate(index...);
    auto result = full<whole>(padding);
    {
      meta::atomic_section<Order, Scope> section;
      for_each_owned(where, [&](int slot, auto* from) { result.own[slot] = backend::atomic_read<Scope>(from); });
    }
    meta::share_from_owners(result);
    return result;
  }

  template <memory_order Order, thread_scope Scope, class... Idx>
  T2C_FN void write(whole const& value, Idx... index) const {
    auto const where = static_cast<View const&>(*this).locate(index...);
    meta::atomic_section<Order, Scope> section;
    for_each_owned(where, [&](int slot, number* to) { backend::atomic_write<Scope>(to, value.own[slot]); });
  }

 public:
  /// The tile at these indices, each element read in one piece.
  template <memory_order Order, thread_scope Scope = thread_scope::system, class... Idx>
    requires loads<view_padding::zero, Order, Idx...>
  T2C_FN whole atomic_load(Idx... index) const {
    return read<Order, Scope>(number{}, index...);
  }
  template <memory_order Order, class... Idx>
    requires loads<view_padding::zero, Order, Idx...>
  T2C_FN whole atomic_load(memory_order_constant<Order>, Idx... index) const {
    return read<Order, thread_scope::system>(number{}, index...);
  }
  template <memory_order Order, thread_scope Scope, class... Idx>
    requires loads<view_padding::zero, Order, Idx...>
  T2C_FN whole atomic_load(memory_order_constant<Order>, thread_scope_constant<Scope>, Idx... index) const {
    return read<Order, Scope>(number{}, index...);
  }

  /// The same with `P` for elements outside of the span.
  template <view_padding P, memory_order Order, thread_scope Scope = thread_scope::system, class... Idx>
    requires loads<P, Order, Idx...>
  T2C_FN whole atomic_load_masked(Idx... index) const {
    return read<Order, Scope>(meta::padding_value<number, P>(), index...);
  }
  template <view_padding P, memory_order Order, thread_scope Scope = thread_scope::system, class... Idx>
    requires loads<P, Order, Idx...>
  T2C_FN whole atomic_load_masked(view_padding_constant<P>, memory_order_constant<Order>,
                                           Idx... index) const {
    return read<Order, Scope>(meta::padding_value<number, P>(), index...);
  }
  template <view_padding P, memory_order Order, thread_scope Scope, class... Idx>
    requires loads<P, Order, Idx...>
  T2C_FN whole atomic_load_masked(view_padding_constant<P>, memory_order_constant<Order>,
                                           thread_scope_constant<Scope>, Idx... index) const {
    return read<Order, Scope>(meta::padding_value<number, P>(), index...);
  }

// Elements outside of the span are left out by both forms.
#define T2C_ATOMIC_STORE(name)                                                                                     \
  template <memory_order Order, thread_scope Scope = thread_scope::system, class Value, class... Idx>              \
    requires stores<Order, Value, Idx...>                                                                          \
  T2C_FN void name(Value value, Idx... index) const {                                                              \
    write<Order, Scope>(value, index...);                                                                          \
  }                                                                                                                \
  template <memory_order Order, class Value, class... Idx>                                                         \
    requires stores<Order, Value, Idx...>                                                                          \
  T2C_FN void name(Value value, memory_order_constant<Order>, Idx... index) const {                                \
    write<Order, thread_scope::system>(value, index...);                                                           \
  }                                                                                                                \
  template <memory_order Order, thread_scope Scope, class Value, class... Idx>                                     \
    requires stores<Order, Value, Idx...>                                                                          \
  T2C_FN void name(Value value, memory_order_constant<Order>, thread_scope_constant<Scope>, Idx... index) const {  \
    write<Order, Scope>(value, index...);                                                                          \
  }
  T2C_ATOMIC_STORE(atomic_store)
  T2C_ATOMIC_STORE(atomic_store_masked)
#undef T2C_ATOMIC_STORE
};

}  // namespace tile2cpp
