"""Single elements are scalars: they index, compare and multiply."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("starts: i32[?], factors: f32[?], x: f32[?], y: f32[?]")
def zero_d_load(starts, factors, x, y):
    i = ct.bid(0)
    start = ct.load(starts, (i,), ())
    factor = ct.load(factors, (i,), shape=())
    if start >= 0 and factor != 0:
        ct.store(y, (i,), ct.load(x, (start,), (64,)) * factor)
