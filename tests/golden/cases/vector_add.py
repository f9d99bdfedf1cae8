"""Adds two vectors, one tile per block."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], total: f32[?], TILE=1024")
def vector_add(x, y, total, TILE: ct.Constant[int]):
    block = ct.bid(0)
    x_tile = ct.load(x, (block,), (TILE,))
    y_tile = ct.load(y, (block,), (TILE,))
    # The last tile may cross the end of the vectors.
    ct.store(total, (block,), x_tile + y_tile)
