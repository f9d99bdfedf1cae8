"""Layer normalisation of matrix rows: two reductions, a mask, and a row of weights."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?], weight: f32[?], bias: f32[?], y: f32[?,?], eps: f32, TILE=1024")
def layer_norm(x, weight, bias, y, eps, TILE: ct.Constant[int]):
    row = ct.bid(0)
    columns = x.shape[1]
    t = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(t, 1, keepdims=True) / columns

    # Padding is 0, but 0 - mean is not: keep it out of the variance.
    inside = ct.arange(TILE, dtype=ct.int32) < columns
    centred = ct.where(inside, t - mean, 0.0)
    variance = ct.sum(centred * centred, 1, keepdims=True) / columns

    w = ct.load(weight, (0,), (TILE,))
    b = ct.load(bias, (0,), (TILE,))
    ct.store(y, (row, 0), centred * ct.rsqrt(variance + eps) * w + b)


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    x = xp.random.randn(37, 900).astype("float32") * 3 + 1
    weight, bias = (xp.random.randn(900).astype("float32") for _ in range(2))
    y = xp.empty_like(x)
    layer_norm[(x.shape[0],)](x, weight, bias, y, 1e-5, 1024)
    wide = x.astype("float64")
    centred = wide - wide.mean(1, keepdims=True)
    expected = centred / xp.sqrt(wide.var(1, keepdims=True) + 1e-5) * weight + bias
    error = float(xp.abs(y - expected).max())
    assert error < 1e-4, f"layer_norm: off by {error}"
    print(f"layer_norm: {x.shape[0]} rows of {x.shape[1]} on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
