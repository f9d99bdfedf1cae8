"""The largest value of each row and where it is, by a function of one's own."""

import tile2cpp
import tile2cpp.lang as ct


def first_largest(a, i, b, j):
    """The larger of two elements; of equal ones, the first."""
    keep = (a > b) | ((a == b) & (i < j))
    return ct.where(keep, a, b), ct.where(keep, i, j)


@tile2cpp.jit("x: f32[?,64], scale: f32, place: i32[?], norm: f32[?]")
def reduce_function(x, scale, place, norm):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (8, 64))
    _, where = ct.reduce((t, ct.arange(64, dtype=ct.int32)), 1, first_largest, (-float("inf"), 0))
    ct.store(place, (i,), where)
    ct.store(norm, (i,), ct.reduce(t, 1, lambda a, b: a + b - scale * a * b, 0.0))
