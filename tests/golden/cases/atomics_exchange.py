"""Exchange, and exchange if equal."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("state: i32[?], previous: i32[?], owner: i32[?]")
def atomics_exchange(state, previous, owner):
    i = ct.arange(32, dtype=ct.int32)
    before = ct.atomic_cas(state, i, 0, 1, memory_order=ct.MemoryOrder.ACQUIRE)
    ct.store(owner, (0,), before)
    ct.store(previous, (0,), ct.atomic_xchg(state, i, 2))
