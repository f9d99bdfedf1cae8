"""Arrays that differ by branch and by round, and one that a helper made."""

import tile2cpp.lang as ct
from tile2cpp import jit


def second_half(x):
    return x.slice(0, x.shape[0] // 2, x.shape[0])


@jit("x: f32[?%16], y: f32[?%16], out: f32[?%16], rounds: i32")
def arrays_by_path(x, y, out, rounds):
    old, new = x, y
    for i in range(rounds):
        ct.store(new, (i,), ct.load(old, (i,), (16,)) + 1)
        # The next round goes the other way.
        old, new = new, old
    source = old if rounds > 0 else second_half(out)
    ct.store(out, (0,), ct.load(source, (0,), (16,)))
