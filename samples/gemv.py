"""Matrix times vector: a row of partial sums is carried through a loop over the columns."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("a: f16[?,?], x: f16[?], y: f32[?], TM=32, TK=128")
def gemv(a, x, y, TM: ct.Constant[int], TK: ct.Constant[int]):
    i = ct.bid(0)
    total = ct.zeros((TM,), ct.float32)
    for k in range(ct.num_tiles(a, 1, (TM, TK))):
        # Both are padded with 0, so the last tile adds nothing beyond the edge.
        a_tile = ct.load(a, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        x_tile = ct.load(x, (k,), (TK,), padding_mode=ct.PaddingMode.ZERO)
        total += ct.sum(a_tile.astype(ct.float32) * x_tile, axis=1)
    ct.store(y, (i,), total)


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    a = xp.random.randn(203, 500).astype("float16")
    x = xp.random.randn(500).astype("float16")
    y = xp.empty(203, dtype="float32")
    gemv[(ct.cdiv(203, 32),)](a, x, y, 32, 128)
    error = float(xp.abs(y - a.astype("float64") @ x.astype("float64")).max())
    assert error < 1e-3, f"gemv: off by {error}"
    print(f"gemv: {a.shape[0]}x{a.shape[1]} on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
