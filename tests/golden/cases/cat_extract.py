"""Joins two tiles and takes them apart again."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,16], y: f32[?,16], joined: f32[?,32], halves: f32[?,16]")
def cat_extract(x, y, joined, halves):
    i = ct.bid(0)
    t = ct.cat((ct.load(x, (i, 0), (8, 16)), ct.load(y, (i, 0), (8, 16))), axis=1)
    ct.store(joined, (i, 0), t)
    # The index counts sub-tiles: this is the right half.
    ct.store(halves, (i, 0), ct.extract(t, (0, 1), shape=(8, 16)))
