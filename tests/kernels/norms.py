"""Normalisation over rows and groups, forward and backward."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstBool, ConstFloat, ConstInt, columns_of, wide

import tile2cpp.lang as ct


def mean_over(x, row, N: ConstInt, TILE: ConstInt):
    total = ct.zeros((TILE,), ct.float32)
    for j in range(ct.cdiv(N, TILE)):
        total += ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).reshape((TILE,)).astype(ct.float32)
    return ct.sum(total) / N


@ct.kernel(occupancy=4)
def layer_norm(x, weight, bias, y, means, rstds, N: ConstInt, eps: ConstFloat, TILE: ConstInt):
    row = ct.bid(0)
    mean = mean_over(x, row, N, TILE)
    squares = ct.zeros((TILE,), ct.float32)
    for j in range(ct.cdiv(N, TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).reshape((TILE,)).astype(ct.float32)
        centred = ct.where(columns_of(j, TILE) < N, t - mean, 0.0)
        squares += centred * centred
    rstd = ct.rsqrt(ct.sum(squares) / N + eps)
    ct.store(means, (row,), mean)
    ct.store(rstds, (row,), rstd)
    for j in range(ct.cdiv(N, TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        w = ct.load(weight, (j,), (TILE,), padding_mode=ZERO).astype(ct.float32)
        b = ct.load(bias, (j,), (TILE,), padding_mode=ZERO).astype(ct.float32)
        ct.store(y, (row, j), ((t - mean) * rstd * w + b).astype(y.dtype))


@ct.kernel
def layer_norm_backward(dy, x, weight, means, rstds, dx, part_w, part_b, ROWS: ConstInt, N: ConstInt, TILE: ConstInt):
    """Each block takes every n-th group of ROWS rows and keeps its share of the gradients of weight and bias."""
    blocks, block = ct.num_blocks(0), ct.bid(0)
    live = (ct.arange(TILE, dtype=ct.int32) < N)[None, :]
    w = ct.load(weight, (0,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
    sum_w = ct.zeros((1, TILE), ct.float32)
    sum_b = ct.zeros((1, TILE), ct.float32)
    for i in range(block, ct.cdiv(x.shape[0], ROWS), blocks):
        g = ct.load(dy, (i, 0), (ROWS, TILE), padding_mode=ZERO).astype(ct.float32)
        t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=ZERO).astype(ct.float32)
        mean = ct.load(means, (i,), (ROWS,), padding_mode=ZERO)[:, None]
        rstd = ct.load(rstds, (i,), (ROWS,), padding_mode=ZERO)[:, None]
        xhat = ct.where(live, (t - mean) * rstd, 0.0)
        wg = g * w
        c1 = ct.sum(xhat * wg, axis=1, keepdims=True) / N
        c2 = ct.sum(wg, axis=1, keepdims=True) / N
        ct.store(dx, (i, 0), ((wg - (xhat * c1 + c2)) * rstd).astype(dx.dtype))
        sum_w += ct.sum(g * xhat, axis=0, keepdims=True)
        sum_b += ct.sum(g, axis=0, keepdims=True)
    ct.store(part_w, (block, 0), sum_w)
    ct.store(part_b, (block, 0), sum_b)


@ct.kernel
def sum_of_parts(parts, out, PARTS: ConstInt, TILE: ConstInt):
    t = ct.load(parts, (0, ct.bid(0)), (PARTS, TILE), padding_mode=ZERO)
    ct.store(out, (ct.bid(0),), ct.sum(t, axis=0).astype(out.dtype))


@ct.kernel(occupancy=2)
def rms_norm_persistent(x, weight, y, rstds, eps: float, ROWS: ConstInt, TILE: ConstInt, OFFSET: ConstFloat):
    N = x.shape[1]
    w = ct.load(weight, (0,), (TILE,), padding_mode=ZERO).astype(ct.float32) + OFFSET
    for i in range(ct.bid(0), ct.cdiv(x.shape[0], ROWS), ct.num_blocks(0)):
        t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=ZERO, latency=10).astype(ct.float32)
        rstd = ct.rsqrt(ct.sum(t * t, axis=1, keepdims=True) / N.astype(ct.float32) + eps)
        ct.store(y, (i, 0), (t * rstd * w[None, :]).astype(y.dtype), allow_tma=False, latency=3)
        ct.store(rstds, (i,), rstd.reshape((ROWS,)))


@ct.kernel
def rms_norm_backward(dy, x, weight, rstds, dx, dw, N: ConstInt, TILE: ConstInt, HAS_DW: ConstBool = True):
    row = ct.bid(0)
    lanes = ct.arange(TILE, dtype=ct.int32)
    live = lanes < N
    g = ct.gather(dy, (row, lanes), mask=live).astype(ct.float32)
    t = ct.gather(x, (row, lanes), mask=live).astype(ct.float32)
    w = ct.gather(weight, lanes, mask=live).astype(ct.float32)
    rstd = ct.load(rstds, row, shape=())
    wg = g * w
    share = ct.sum(wg * t) * rstd * rstd / N
    ct.scatter(dx, (row, lanes), ((wg - t * share) * rstd).astype(dx.dtype), mask=live)
    if HAS_DW:
        ct.atomic_add(dw, lanes, ct.where(live, g * t * rstd, 0.0))


@ct.kernel
def group_norm(x, weight, bias, y, eps: float, CHANNELS: ConstInt, PIXELS: ConstInt, TILE: ConstInt):
    """One block per image and group of CHANNELS channels."""
    image, group = ct.bid(0), ct.bid(1)
    size = CHANNELS * PIXELS
    mean, squares = 0.0, 0.0
    for j in range(ct.cdiv(size, TILE)):
        at = columns_of(j, TILE)
        t = ct.gather(x, (image, group * CHANNELS + at // PIXELS, at % PIXELS), mask=at < size).astype(ct.float32)
        mean += ct.sum(t)
        squares += ct.sum(t * t)
    mean = mean / size
    rstd = ct.rsqrt(max(squares / size - mean * mean, 0.0) + eps)
    for j in range(ct.cdiv(size, TILE)):
        at = columns_of(j, TILE)
        channel, live = group * CHANNELS + at // PIXELS, at < size
        t = ct.gather(x, (image, channel, at % PIXELS), mask=live).astype(ct.float32)
        scaled = (t - mean) * rstd * ct.gather(weight, channel, mask=live) + ct.gather(bias, channel, mask=live)
        ct.scatter(y, (image, channel, at % PIXELS), scaled.astype(y.dtype), mask=live)


# --- the same in NumPy ---


def normed(x, weight, bias, y, means, rstds, n, eps, tile):
    mean = wide(x).mean(1, keepdims=True)
    rstd = 1 / np.sqrt(((x - mean) ** 2).mean(1, keepdims=True) + eps)
    return [(x - mean) * rstd * wide(weight) + bias, mean[:, 0], rstd[:, 0]]


def norm_gradients(dy, x, weight, means, rstds, dx, part_w, part_b, rows, n, tile):
    g, mean, rstd = wide(dy), wide(means)[:, None], wide(rstds)[:, None]
    xhat, wg = (wide(x) - mean) * rstd, g * wide(weight)
    out = (wg - xhat * (xhat * wg).mean(1, keepdims=True) - wg.mean(1, keepdims=True)) * rstd
    blocks = [np.arange(len(x)) // rows % len(part_w) == b for b in range(len(part_w))]
    return [out, np.stack([(g * xhat)[b].sum(0) for b in blocks]), np.stack([g[b].sum(0) for b in blocks])]


def rms_normed(x, weight, y, rstds, eps, rows, tile, offset):
    rstd = 1 / np.sqrt((wide(x) ** 2).mean(1) + eps)
    return [wide(x) * rstd[:, None] * (wide(weight) + offset), rstd]


def rms_gradients(dy, x, weight, rstds, dx, dw, *_):
    g, t, rstd = wide(dy), wide(x), wide(rstds)[:, None]
    wg = g * wide(weight)
    return [(wg - t * (wg * t).mean(1, keepdims=True) * rstd**2) * rstd, (g * t * rstd).sum(0)]


def group_normed(x, weight, bias, y, eps, channels, pixels, tile):
    parts = wide(x).reshape(len(x), -1, channels * pixels)
    scaled = (parts - parts.mean(2, keepdims=True)) / np.sqrt(parts.var(2, keepdims=True) + eps)
    return [scaled.reshape(x.shape) * wide(weight)[:, None] + wide(bias)[:, None]]


def row_facts(rng, rows):
    return fresh(rng, rows, low=-0.2, high=0.2), fresh(rng, rows, low=0.5, high=1.5)


CASES = [
    Case("layer norm", layer_norm, (9,),
         lambda rng: (fresh(rng, (9, 150), "float16"), fresh(rng, 150), fresh(rng, 150), blank((9, 150), "float16"), blank(9), blank(9), 150, 1e-5, 64),
         (3, 4, 5), normed, terms=150, scale=4),
    Case("layer norm, backward", layer_norm_backward, (3,),
         lambda rng: (fresh(rng, (21, 50)), fresh(rng, (21, 50), "float16"), fresh(rng, 50), *row_facts(rng, 21), blank((21, 50)), blank((3, 50)), blank((3, 50)), 4, 50, 64),
         (5, 6, 7), norm_gradients, terms=50, scale=8),
    Case("layer norm, sum of parts", sum_of_parts, (2,), lambda rng: (fresh(rng, (3, 50)), blank(50, "float16"), 4, 32), (1,),
         lambda parts, *_: [wide(parts).sum(0)], terms=3, scale=2),
    Case("rms norm, persistent", rms_norm_persistent, (2,),
         lambda rng: (fresh(rng, (19, 90), "float16"), fresh(rng, 90, "float16"), blank((19, 90), "float16"), blank(19), 1e-6, 4, 128, 1.0),
         (2, 3), rms_normed, terms=90, scale=4),
    Case("rms norm, backward", rms_norm_backward, (7,),
         lambda rng: (fresh(rng, (7, 50)), fresh(rng, (7, 50), "float16"), fresh(rng, 50), row_facts(rng, 7)[1], blank((7, 50)), np.zeros(50, "float32"), 50, 64, True),
         (4, 5), rms_gradients, terms=50, scale=8),
    Case("group norm", group_norm, (2, 3),
         lambda rng: (fresh(rng, (2, 12, 49)), fresh(rng, 12), fresh(rng, 12), blank((2, 12, 49)), 1e-5, 4, 49, 128),
         (3,), group_normed, terms=200, scale=4),
]  # fmt: skip
