"""Changes of dtype; a name that changes type gets a new one."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], half: f16[?], whole: i32[?], truth: bool[?]")
def casts(x, half, whole, truth):
    i = ct.bid(0)
    t = ct.load(x, (i,), (128,))
    ct.store(truth, (i,), t > 0.5)
    ct.store(half, (i,), t.astype(half.dtype))
    t = ct.astype(t, ct.int32)
    ct.store(whole, (i,), t + 1)
