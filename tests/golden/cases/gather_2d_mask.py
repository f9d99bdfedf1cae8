"""Reads single elements of a matrix under a mask."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], limit: i32")
def gather_2d_mask(x, y, limit):
    rows = ct.bid(0) * 16 + ct.arange(16, dtype=ct.int32)
    columns = ct.arange(32, dtype=ct.int32)
    # Only the lower triangle is read, and only above `limit`.
    live = (columns[None, :] <= rows[:, None]) & (rows[:, None] < limit)
    t = ct.gather(x, (rows[:, None], columns[None, :]), mask=live)
    ct.scatter(y, (rows[:, None], columns[None, :]), t * 2, mask=live)
