"""Atomic updates of single elements; the old values come back."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i32[?], counts: i32[?], slots: i32[?], largest: i32[?]")
def atomics_array(x, counts, slots, largest):
    i = ct.bid(0) * 64 + ct.arange(64, dtype=ct.int32)
    values = ct.gather(x, i, padding_value=-1)
    # Values outside of `counts` are ignored.
    old = ct.atomic_add(counts, values, 1)
    ct.scatter(slots, i, old)
    ct.atomic_max(largest, 0, ct.max(values))
