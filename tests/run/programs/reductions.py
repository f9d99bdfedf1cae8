"""Reductions over one axis, several or all, scans, and the row kernels built from them."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def keepdims_or_not(removed, kept):
    x = ct.arange(8, dtype=ct.int32).reshape((2, 4))
    s = ct.sum(x, axis=1)
    s_k = ct.sum(x, axis=1, keepdims=True)
    ct.store(removed, (0,), s)
    ct.store(kept, (0, 0), s_k)


@ct.kernel
def every_axis(x, first, second, both, kept):
    t = ct.load(x, (0, 0), (8, 16))
    ct.store(first, (0,), ct.sum(t, axis=0))
    ct.store(second, (0,), ct.sum(t, axis=-1))
    ct.store(both, (0,), ct.sum(t))
    ct.store(kept, (0, 0), ct.sum(t, axis=(0, 1), keepdims=True))


@ct.kernel
def extremes(x, high, low, product):
    t = ct.load(x, (0, 0), (8, 16))
    ct.store(high, (0,), ct.max(t, axis=1))
    ct.store(low, (0,), ct.min(t, 0))
    ct.store(product, (0, 0), ct.prod(t, axis=1, keepdims=True))


@ct.kernel
def positions(x, high, low, flat):
    t = ct.load(x, (0, 0), (8, 16))
    ct.store(high, (0,), ct.argmax(t, axis=1))
    ct.store(low, (0,), ct.argmin(t, axis=0))
    ct.store(flat, (0,), ct.argmax(t))


@ct.kernel
def middle_axis(x, out):
    t = ct.load(x, (0, 0, 0), (2, 8, 4))
    ct.store(out, (0, 0), ct.sum(t, axis=1) + ct.max(t, axis=1))


@ct.kernel
def of_booleans(x, out):
    t = ct.load(x, (0,), (32,))
    ct.store(out, (0,), ct.sum(t > 0))


@ct.kernel
def running(x, forward, backward, products):
    t = ct.load(x, (0, 0), (4, 16))
    ct.store(forward, (0, 0), ct.cumsum(t, axis=1))
    ct.store(backward, (0, 0), ct.cumsum(t, axis=0, reverse=True))
    ct.store(products, (0, 0), ct.cumprod(t, axis=1))


@ct.kernel
def softmax(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(y, (row, 0), e / ct.sum(e, 1, keepdims=True))


@ct.kernel
def layer_norm(x, weight, bias, y, eps, TILE: ct.Constant[int]):
    row, n = ct.bid(0), x.shape[1]
    # Rows longer than a tile take three passes.
    total = ct.zeros((1, TILE), ct.float32)
    for j in range(ct.num_tiles(x, 1, (1, TILE))):
        total += ct.load(x, (row, j), (1, TILE), padding_mode=ct.PaddingMode.ZERO)
    mean = ct.sum(total, 1, keepdims=True) / n

    squares = ct.zeros((1, TILE), ct.float32)
    for j in range(ct.num_tiles(x, 1, (1, TILE))):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ct.PaddingMode.ZERO)
        inside = j * TILE + ct.arange(TILE, dtype=ct.int32) < n
        d = ct.where(inside, t - mean, 0)
        squares += d * d
    scale = ct.rsqrt(ct.sum(squares, 1, keepdims=True) / n + eps)

    for j in range(ct.num_tiles(x, 1, (1, TILE))):
        t = ct.load(x, (row, j), (1, TILE))
        w, b = ct.load(weight, (j,), (TILE,)), ct.load(bias, (j,), (TILE,))
        ct.store(y, (row, j), (t - mean) * scale * w + b)


def softmax_of(x, y, tile):
    e = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return [(e / e.sum(1, keepdims=True)).astype(y.dtype)]


def normalised(x, weight, bias, y, eps, tile):
    wide = x.astype(np.float64)
    d = wide - wide.mean(1, keepdims=True)
    return [(d / np.sqrt(wide.var(1, keepdims=True) + eps) * weight + bias).astype(np.float32)]



CASES = [
    Case("keepdims or not", keepdims_or_not, (1,), lambda rng: (blank(2, "int32"), blank((2, 1), "int32")), (0, 1),
         lambda *_: [[6, 22], [[6], [22]]]),
    *(Case(f"every axis {dtype}", every_axis, (1,),
           lambda rng, dtype=dtype: (fresh(rng, (8, 16), dtype), blank(16, dtype), blank(8, dtype), blank(1, dtype),
                                     blank((1, 1), dtype)), (1, 2, 3, 4),
           lambda x, a, b, c, d: [x.sum(0), x.sum(1), [x.sum(dtype=x.dtype)], [[x.sum(dtype=x.dtype)]]],
           terms=128, scale=2.0)
      for dtype in ("int32", "int64", "float32", "float64")),
    *(Case(f"extremes {dtype}", extremes, (1,),
           lambda rng, dtype=dtype: (fresh(rng, (8, 16), dtype), blank(8, dtype), blank(16, dtype),
                                     blank((8, 1), dtype)), (1, 2, 3),
           lambda x, *_: [x.max(1), x.min(0), x.prod(1, keepdims=True, dtype=x.dtype)], terms=64)
      for dtype in ("int32", "float32", "float64")),
    Case("positions", positions, (1,),
         lambda rng: (fresh(rng, (8, 16), "int32", -5, 5), blank(8, "int32"), blank(16, "int32"), blank(1, "int32")),
         (1, 2, 3), lambda x, *_: [x.argmax(1), x.argmin(0), [x.argmax()]]),
    Case("middle axis", middle_axis, (1,), lambda rng: (fresh(rng, (2, 8, 4), "int32"), blank((2, 4), "int32")), (1,),
         lambda x, out: [x.sum(1) + x.max(1)]),
    Case("of booleans", of_booleans, (1,), lambda rng: (fresh(rng, 32), blank(1, "int32")), (1,),
         lambda x, out: [[(x > 0).sum()]]),
    Case("scans", running, (1,),
         lambda rng: (fresh(rng, (4, 16), "int32"), *(blank((4, 16), "int32") for _ in range(3))), (1, 2, 3),
         lambda x, *_: [x.cumsum(1), x[::-1].cumsum(0)[::-1], x.cumprod(1, dtype=np.int32)]),
    *(Case(f"softmax {columns}", softmax, (9,),
           lambda rng, columns=columns: (fresh(rng, (9, columns), low=-9, high=9), blank((9, columns)), 128), (1,),
           softmax_of, terms=8) for columns in (128, 100, 1)),
    Case("layer norm", layer_norm, (5,),
         lambda rng: (fresh(rng, (5, 200)), fresh(rng, 200), fresh(rng, 200), blank((5, 200)), 1e-5, 64), (3,),
         normalised, terms=40),
]
