"""A matrix meets a row, a column and a stack of rows."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[8,32], row: f32[32], column: f32[8], stack: f32[4,1,32], out: f32[4,8,32]")
def broadcasting(x, row, column, stack, out):
    t = ct.load(x, (0, 0), (8, 32))
    t = t + ct.load(row, (0,), (32,))  # the row is read as 1x32
    t = t * ct.load(column, (0,), (8,))[:, None]
    deep = t - ct.load(stack, (0, 0, 0), (4, 1, 32))
    ct.store(out, (0, 0, 0), deep)
