"""Views fix the tile shape once."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], TM=16, TN=64")
def tiled_view(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    source = x.tiled_view((TM, TN), padding_mode=ct.PaddingMode.ZERO)
    target = y.tiled_view((TM, TN))
    i = ct.bid(0)
    for j in range(source.num_tiles(1)):
        target.store((i, j), source.load((i, j)) * 2)
