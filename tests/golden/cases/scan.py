"""Running sums of each row, from the left and from the right."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,64], left: f32[?,64], right: f32[?,64]")
def scan(x, left, right):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (4, 64))
    ct.store(left, (i, 0), ct.cumsum(t, axis=1))
    ct.store(right, (i, 0), ct.cumsum(t, axis=1, reverse=True))
