"""Counts halvings until nothing is left."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i32[?], out: i32[?]")
def while_loop(x, out):
    i = ct.bid(0)
    n = ct.load(x, (i,), ())
    steps = 0
    while n > 0:
        n = n // 2
        steps += 1
    ct.store(out, (i,), steps)
