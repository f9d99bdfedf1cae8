"""A helper used with two types becomes two functions."""

import tile2cpp
import tile2cpp.lang as ct


def halved(v):
    # Half of whatever comes in.
    return v * 0.5


@tile2cpp.jit("x: f32[?], y: f64[?], out: f64[?]")
def helper_function(x, y, out):
    i = ct.bid(0)
    a = halved(ct.load(x, (i,), (128,)))
    b = halved(ct.load(y, (i,), (128,)))
    ct.store(out, (i,), a + b)
