"""Tuples are passed item by item; constants in them become part of the file."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("pair: (f32[?], f32), shape: (=4, =64), y: f32[?,?]")
def tuple_parameter(pair, shape: tuple[ct.Constant[int], ct.Constant[int]], y):
    x, factor = pair
    rows, columns = shape
    row = ct.load(x, (ct.bid(0),), (columns,)) * factor
    ct.store(y, (0, ct.bid(0)), ct.broadcast_to(row, (rows, columns)))
