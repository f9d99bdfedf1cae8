"""Addresses: an array seen in another shape, in a helper that gets no more than where it begins."""

import tile2cpp
import tile2cpp.lang as ct


def row_of(pointer, row, length):
    rows = ct.Array.from_foreign(pointer, (row + 1, length), (length, 1))
    return ct.load(rows, (row, 0), (1, 64), padding_mode=ct.PaddingMode.ZERO)


@tile2cpp.jit("x: f32[?], y: f32[?,64], length: i32")
def foreign_pointer(x, y, length):
    i = ct.bid(0)
    where = x.foreign_pointer
    if i > 3:
        where = y.foreign_pointer
    whole = ct.Array.from_foreign(where, (16, 4), (4, 1))
    first = ct.load(whole, (0, 0), (16, 4))
    row = row_of(where, i, length) + ct.sum(first)
    ct.store(y, (i, 0), row)
