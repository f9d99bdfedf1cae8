"""Run-time scalars of three kinds, and a constant."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?], y: f32[?], scale: f32, shift: i32, negate: bool, POWER=2")
def scalar_parameters(x, y, scale, shift, negate, POWER: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (128,)) * scale + shift
    if negate:
        t = -t
    ct.store(y, (i,), t**POWER)
