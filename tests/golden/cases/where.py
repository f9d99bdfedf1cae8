"""Chooses element by element; constants take the dtype of the tile."""

import math

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], out: f32[?], positive: i32[?]")
def where(x, y, out, positive):
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (128,)), ct.load(y, (i,), (128,))
    ct.store(out, (i,), ct.where(a > b, a, -math.inf))
    ct.store(positive, (i,), ct.where((a > 0) & ~(b > 0), 1, 0))
