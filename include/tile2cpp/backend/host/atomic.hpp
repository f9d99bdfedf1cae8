// backend/host/atomic.hpp: indivisible updates of one element; several host threads may run blocks at once.
#pragma once

#include "tile2cpp/backend/update.hpp"
#include "tile2cpp/convert.hpp"

namespace tile2cpp::backend {

template <thread_scope>
T2C_FN void fence() {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

template <thread_scope, class E>
T2C_FN E atomic_read(E const* from) {
  using bits = meta::unsigned_of<E>;
  return meta::bit_cast<E>(__atomic_load_n(reinterpret_cast<bits const*>(from), __ATOMIC_RELAXED));
}

template <thread_scope, class E>
T2C_FN void atomic_write(E* to, E value) {
  using bits = meta::unsigned_of<E>;
  __atomic_store_n(reinterpret_cast<bits*>(to), meta::bit_cast<bits>(value), __ATOMIC_RELAXED);
}

/// Writes `desired` if the bits of `*to` are those of `expected`; returns what was there.
template <thread_scope, class E>
T2C_FN E compare_exchange(E* to, E expected, E desired) {
  using bits = meta::unsigned_of<E>;
  bits found = meta::bit_cast<bits>(expected);
  __atomic_compare_exchange_n(reinterpret_cast<bits*>(to), &found, meta::bit_cast<bits>(desired), false,
                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return meta::bit_cast<E>(found);
}

/// Replaces `*to` by its combination with `value`; returns what was there.
template <update Op, thread_scope, class E>
T2C_FN E fetch(E* to, E value) {
  using bits = meta::unsigned_of<E>;
  auto* const place = reinterpret_cast<bits*>(to);
  bits found = __atomic_load_n(place, __ATOMIC_RELAXED);
  bits wanted = meta::bit_cast<bits>(combined<Op>(meta::bit_cast<E>(found), value));
  while (!__atomic_compare_exchange_n(place, &found, wanted, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    wanted = meta::bit_cast<bits>(combined<Op>(meta::bit_cast<E>(found), value));
  return meta::bit_cast<E>(found);
}

/// `fetch` for callers that do not want the old value.
template <update Op, thread_scope Scope, class E>
T2C_FN void apply(E* to, E value) {
  fetch<Op, Scope>(to, value);
}

/// The same where it is wanted.
template <update Op, thread_scope Scope, class E>
T2C_FN void apply_if(bool wanted, E* to, E value) {
  if (wanted) apply<Op, Scope>(to, value);
}

template <update Op, int N, class E>
inline constexpr bool updates_runs = false;

/// Updates a run where it is wanted.
template <update Op, thread_scope Scope, int N, class E>
T2C_FN void apply_run_if(bool wanted, E* to, E const* from) {
  for (int i = 0; i < N; ++i) apply_if<Op, Scope>(wanted, to + i, from[i]);
}

}  // namespace tile2cpp::backend
