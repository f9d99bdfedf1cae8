"""Layer normalisation of matrix rows: two reductions, a mask, and a row of weights."""

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
