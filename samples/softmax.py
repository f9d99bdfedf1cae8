"""Softmax over the rows of a matrix, one block per row."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], TILE=1024")
def softmax(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    # Columns past the edge read as -inf, so they add nothing to the sum.
    t = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(y, (row, 0), e / ct.sum(e, 1, keepdims=True))


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    x = xp.random.randn(61, 1000).astype("float32") * 5
    y = xp.empty_like(x)
    softmax[(x.shape[0],)](x, y, 1024)
    e = xp.exp(x - x.max(1, keepdims=True))
    error = float(xp.abs(y - e / e.sum(1, keepdims=True)).max())
    assert error < 1e-6, f"softmax: off by {error}"
    print(f"softmax: {x.shape[0]} rows of {x.shape[1]} on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
