"""Arithmetic with a chosen rounding, and subnormals flushed to zero."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], out: f32[?]")
def rounding(x, y, out):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (64,)), ct.load(y, (i,), (64,))
    # Fast division is good enough for weights.
    quick = ct.truediv(a, b, rounding_mode=ct.RoundingMode.APPROX, flush_to_zero=True)
    ct.store(out, (i,), ct.add(quick, ct.exp2(a, flush_to_zero=True)))
