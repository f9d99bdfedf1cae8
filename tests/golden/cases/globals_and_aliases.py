"""Constants and names of the module, under whatever name they were imported."""

import math

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.lang import float32, load as fetch

WIDTH = 128
WEIGHTS = (0.25, 0.5)
ZERO = ct.PaddingMode.ZERO
put = ct.store


@tile2cpp.jit("x: f32[?], y: f32[?]")
def globals_and_aliases(x, y):
    i = ct.bid(0)
    t = fetch(x, (i,), (WIDTH,), padding_mode=ZERO)
    put(y, (i,), (t * WEIGHTS[0] + WEIGHTS[1]).astype(float32) * math.pi)
