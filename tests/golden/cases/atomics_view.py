"""Adds a sum of each block to one element; nobody asks for the old value."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], total: f32[1], TILE=256")
def atomics_view(x, total, TILE: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (TILE,), padding_mode=ct.PaddingMode.ZERO)
    total.tiled_view((1,)).atomic_add((0,), ct.sum(t))
