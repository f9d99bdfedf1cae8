"""Turns a matrix: the tile, and its place in the result."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], TM=64, TN=32")
def transpose(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (TM, TN))
    ct.store(y, (j, i), ct.transpose(t))
