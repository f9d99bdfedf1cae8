"""Sums and extremes: along an axis, along several, along all; with the axis kept or not."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[16,32], rows: f32[16], columns: f32[1,32], largest: f32[1], total: f32[1,1]")
def reductions(x, rows, columns, largest, total):
    t = ct.load(x, (0, 0), (16, 32))
    ct.store(rows, (0,), ct.sum(t, axis=1))
    ct.store(columns, (0, 0), ct.min(t, axis=0, keepdims=True))
    ct.store(largest, (0,), ct.max(t))
    ct.store(total, (0, 0), ct.sum(t, axis=(0, 1), keepdims=True))
