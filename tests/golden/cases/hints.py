"""Hints of a kernel, per target, and of single accesses."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?]", occupancy=2, num_ctas=ct.ByTarget(sm_90=4, sm_100=8))
def hints(x, y):
    i = ct.bid(0)
    # This load is heavy on bandwidth.
    t = ct.load(x, (i,), (256,), latency=8)
    ct.store(y, (i,), t, allow_tma=False)
