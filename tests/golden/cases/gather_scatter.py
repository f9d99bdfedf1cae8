"""Looks values up in a table; what points outside of it becomes -1."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("table: f32[?], index: i32[?], out: f32[?], TILE=256")
def gather_scatter(table, index, out, TILE: ct.Constant[int]):
    here = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
    wanted = ct.gather(index, here)
    values = ct.gather(table, wanted, padding_value=-1.0)
    ct.scatter(out, here, values)
