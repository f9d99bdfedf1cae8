"""Leaves a loop, and skips parts of it."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: i32[?,?], out: i32[?], limit: i32")
def break_continue(x, out, limit):
    row = ct.bid(0)
    found = -1
    for j in range(0, x.shape[1], 2):
        value = ct.load(x, (row, j), ())
        if value < 0:
            continue  # negative values do not count
        if value > limit:
            found = j
            break
    ct.store(out, (row,), found)
