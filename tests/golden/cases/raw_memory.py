"""Elements by their offset in memory, with atomics in the orders that a queue needs."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], queue: i32[?], out: f32[?]")
def raw_memory(x, queue, out):
    memory = queue.get_raw_memory()
    ticket = memory.atomic_add_offset(0, 1, memory_order=ct.MemoryOrder.RELAXED)
    offsets = ticket * 64 + ct.arange(64, dtype=ct.int32)
    t = x.get_raw_memory().load_offset(offsets, mask=offsets < x.shape[0], padding_value=0.0)
    out.get_raw_memory().store_offset(offsets, t, mask=offsets < out.shape[0])
    memory.atomic_xchg_offset(1, ticket, memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.SYS)
