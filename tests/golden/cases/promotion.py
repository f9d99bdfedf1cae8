"""Dtypes that meet, and constants that adapt."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("small: i16[?], whole: i32[?], half: f16[?], ints: i32[?], floats: f32[?], halves: f16[?]")
def promotion(small, whole, half, ints, floats, halves):
    i = ct.bid(0)
    s = ct.load(small, (i,), (64,))
    w = ct.load(whole, (i,), (64,))
    h = ct.load(half, (i,), (64,))
    ct.store(ints, (i,), s + w)
    # 2.5 does not fit an integer tile, so the tile becomes float32.
    ct.store(floats, (i,), w + 2.5)
    ct.store(halves, (i,), h * 0.1 + w)
