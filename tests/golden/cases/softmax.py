"""Softmax over the rows of a matrix, one block per row."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], TILE=1024")
def softmax(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    # Columns past the edge read as -inf, so they add nothing to the sum.
    t = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(y, (row, 0), e / ct.sum(e, 1, keepdims=True))
