"""Matrix transpose: a tile is turned, and so is its place in the result."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], y: f32[?,?], TM=64, TN=32")
def transpose(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (TM, TN))
    ct.store(y, (j, i), ct.transpose(t))


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    x = xp.random.rand(300, 171).astype("float32")
    y = xp.empty((171, 300), dtype="float32")
    transpose[(ct.cdiv(300, 64), ct.cdiv(171, 32))](x, y, 64, 32)
    assert xp.array_equal(y, x.T), "transpose: wrong element"
    print(f"transpose: {x.shape[0]}x{x.shape[1]} on {xp.__name__}, exact")


if __name__ == "__main__":
    main()
