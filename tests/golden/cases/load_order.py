"""Reads tiles of the turned array: tile axis 0 runs along array axis 1."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?]")
def load_order(x, y):
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (32, 16), order=(1, 0))
    ct.store(y, (i, j), t)
