"""A row longer than a tile: every tile may be the partial one, so all are masked."""

import math

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], out: f32[?], TILE=512")
def masked_tail(x, out, TILE: ct.Constant[int]):
    row = ct.bid(0)
    largest = ct.full((1, TILE), -math.inf, ct.float32)
    for j in range(ct.num_tiles(x, 1, (1, TILE))):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
        largest = ct.maximum(largest, t)
    ct.store(out, (row,), ct.max(largest))
