"""What a load finds outside of the array."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], zero: f32[?], low: f32[?], high: f32[?], none: f32[?]")
def padding_modes(x, zero, low, high, none):
    i = ct.bid(0)
    ct.store(zero, (i,), ct.load(x, (i,), (64,), padding_mode=ct.PaddingMode.ZERO))
    ct.store(low, (i,), ct.load(x, (i,), (64,), padding_mode=ct.PaddingMode.NEG_INF))
    ct.store(high, (i,), ct.load(x, (i,), (64,), padding_mode=ct.PaddingMode.POS_INF))
    ct.store(none, (i,), ct.load(x, (i,), (64,), padding_mode=ct.PaddingMode.NAN))
