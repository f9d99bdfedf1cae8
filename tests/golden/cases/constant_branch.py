"""A branch on a constant or a dtype is decided while translating."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f16[?], out: f16[?], RELU=1")
def constant_branch(x, out, RELU: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (256,))
    if RELU:
        t = ct.maximum(t, 0)
    if x.dtype == ct.float32:
        t = t * 2
    ct.store(out, (ct.bid(0),), t)
