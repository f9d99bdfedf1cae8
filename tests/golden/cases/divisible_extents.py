"""Extents that are multiples of 16 are said to be."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f16[?%16,?%16], y: f16[?%16,?%16]")
def divisible_extents(x, y):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (i, j), ct.load(x, (i, j), (16, 16)))
