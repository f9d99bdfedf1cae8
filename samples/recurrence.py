"""A recurrence along a row, `h = a * h + b`: a scan with a function of one's own, its end carried from chunk to chunk."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


def one_after_the_other(a, b, c, d):
    """`h -> a * h + b` and then `h -> c * h + d`, as one such step."""
    return a * c, b * c + d


@tile2cpp.jit("decay: f32[?,?], x: f32[?,?], y: f32[?,?], TILE=64")
def recurrence(decay, x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    h = 0.0
    for j in range(ct.cdiv(x.shape[1], TILE)):
        t = j * TILE + ct.arange(TILE, dtype=ct.int32)
        # Beyond the end nothing changes: h -> 1 * h + 0.
        a = ct.gather(decay, (row, t), padding_value=1.0)
        b = ct.gather(x, (row, t))
        a, b = ct.scan((a, b), 0, one_after_the_other, (1.0, 0.0))
        states = a * h + b
        ct.scatter(y, (row, t), states)
        h = ct.extract(states, (TILE - 1,), (1,)).item()


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    decay = xp.random.uniform(0.5, 1.0, (7, 300)).astype("float32")
    x = xp.random.randn(7, 300).astype("float32")
    y = xp.empty_like(x)
    recurrence[(7,)](decay, x, y, 64)
    want, h = xp.empty((7, 300)), xp.zeros(7)
    for t in range(300):
        h = decay[:, t].astype("float64") * h + x[:, t]
        want[:, t] = h
    error = float(xp.abs(y - want).max())
    assert error < 1e-4, f"recurrence: off by {error}"
    print(f"recurrence: {x.shape[0]} rows of {x.shape[1]} on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
