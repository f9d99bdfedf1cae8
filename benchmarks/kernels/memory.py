"""Kernels that move more than they compute: copies, sums, activations, softmax, norms, transposes."""

import math

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO
NEG_INF = ct.PaddingMode.NEG_INF


@ct.kernel
def copy(x, y, TILE: ConstInt):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (TILE,)))


@ct.kernel
def add(x, y, total, TILE: ConstInt):
    i = ct.bid(0)
    ct.store(total, (i,), ct.load(x, (i,), (TILE,)) + ct.load(y, (i,), (TILE,)))


@ct.kernel
def silu(x, y, TILE: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i,), (TILE,)).astype(ct.float32)
    ct.store(y, (i,), (t / (1.0 + ct.exp(-t))).astype(y.dtype))


@ct.kernel
def softmax(x, y, ROWS: ConstInt, TILE: ConstInt):
    """Rows that fit into one tile."""
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=NEG_INF).astype(ct.float32)
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(y, (i, 0), (e / ct.sum(e, 1, keepdims=True)).astype(y.dtype))


@ct.kernel
def softmax_long(x, y, TILE: ConstInt):
    """Rows of any length, read twice."""
    row = ct.bid(0)
    tiles = ct.cdiv(x.shape[1], TILE)
    top = ct.full((1, TILE), -math.inf, ct.float32)
    total = ct.zeros((1, TILE), ct.float32)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=NEG_INF).astype(ct.float32)
        new_top = ct.maximum(top, t)
        # A column that has seen only padding so far has no weight.
        total = ct.where(new_top > -math.inf, total * ct.exp(top - new_top) + ct.exp(t - new_top), 0.0)
        top = new_top
    largest = ct.max(top, 1, keepdims=True)
    whole = ct.sum(total * ct.exp(top - largest), 1, keepdims=True)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=NEG_INF).astype(ct.float32)
        ct.store(y, (row, j), (ct.exp(t - largest) / whole).astype(y.dtype))


@ct.kernel
def layer_norm(x, weight, bias, y, eps: float, ROWS: ConstInt, TILE: ConstInt):
    i = ct.bid(0)
    columns = x.shape[1]
    t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=ZERO).astype(ct.float32)
    mean = ct.sum(t, 1, keepdims=True) / columns
    # Padding is 0, but 0 - mean is not: keep it out of the variance.
    inside = ct.arange(TILE, dtype=ct.int32)[None, :] < columns
    centred = ct.where(inside, t - mean, 0.0)
    variance = ct.sum(centred * centred, 1, keepdims=True) / columns
    w = ct.load(weight, (0,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
    b = ct.load(bias, (0,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
    ct.store(y, (i, 0), (centred * ct.rsqrt(variance + eps) * w + b).astype(y.dtype))


@ct.kernel
def layer_norm_long(x, weight, bias, y, eps: float, TILE: ConstInt):
    """Rows of any length, read twice; the variance is that of what is left after the row's first element."""
    row = ct.bid(0)
    columns = x.shape[1]
    tiles = ct.cdiv(columns, TILE)
    shift = ct.load(x, (row, 0), (1, 1)).astype(ct.float32)
    sums = ct.zeros((1, TILE), ct.float32)
    squares = ct.zeros((1, TILE), ct.float32)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        inside = (j * TILE + ct.arange(TILE, dtype=ct.int32))[None, :] < columns
        t = ct.where(inside, t - shift, 0.0)
        sums += t
        squares += t * t
    mean = ct.sum(sums, 1, keepdims=True) / columns
    variance = ct.sum(squares, 1, keepdims=True) / columns - mean * mean
    scale = ct.rsqrt(variance + eps)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        w = ct.load(weight, (j,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        b = ct.load(bias, (j,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, j), ((t - shift - mean) * scale * w + b).astype(y.dtype))


@ct.kernel
def rms_norm(x, weight, y, eps: float, ROWS: ConstInt, TILE: ConstInt):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=ZERO).astype(ct.float32)
    scale = ct.rsqrt(ct.sum(t * t, 1, keepdims=True) / x.shape[1] + eps)
    w = ct.load(weight, (0,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
    ct.store(y, (i, 0), (t * scale * w).astype(y.dtype))


@ct.kernel
def rms_norm_long(x, weight, y, eps: float, TILE: ConstInt):
    """Rows of any length, read twice."""
    row = ct.bid(0)
    tiles = ct.cdiv(x.shape[1], TILE)
    squares = ct.zeros((1, TILE), ct.float32)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        squares += t * t
    scale = ct.rsqrt(ct.sum(squares, 1, keepdims=True) / x.shape[1] + eps)
    for j in range(tiles):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        w = ct.load(weight, (j,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, j), (t * scale * w).astype(y.dtype))


@ct.kernel
def transpose(x, y, TM: ConstInt, TN: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (TM, TN))))
