"""Matrix times vector: a column of sums is carried through a loop."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("a: f16[?,?], x: f16[?], y: f32[?], TM=32, TK=128")
def gemv(a, x, y, TM: ct.Constant[int], TK: ct.Constant[int]):
    i = ct.bid(0)
    total = ct.zeros((TM,), ct.float32)
    for k in range(ct.num_tiles(a, 1, (TM, TK))):
        a_tile = ct.load(a, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        x_tile = ct.load(x, (k,), (TK,), padding_mode=ct.PaddingMode.ZERO)
        total += ct.sum(a_tile.astype(ct.float32) * x_tile, axis=1)
    ct.store(y, (i,), total)
