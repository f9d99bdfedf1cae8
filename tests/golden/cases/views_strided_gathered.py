"""Tiles that overlap, and rows from anywhere."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,64], rows: i32[?], windows: f32[?,64], out: f32[?,64]")
def views_strided_gathered(x, rows, windows, out):
    i = ct.bid(0)
    overlapping = x.tiled_view((4, 64), traversal_steps=(2, 64), padding_mode=ct.PaddingMode.ZERO)
    ct.store(windows, (i, 0), overlapping.load((i, 0)))
    chosen = ct.load(rows, (i,), (16,))
    picked = ct.load_advanced_indexing(x, (chosen, ct.Slice(0, 64)), padding_mode=ct.PaddingMode.ZERO)
    ct.store_advanced_indexing(out, (chosen, ct.Slice(0, 64)), picked * 2)
