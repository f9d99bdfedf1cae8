"""Rearranging tiles: transpose, permute, reshape, cat, extract, and choosing with `where`."""

import math

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def turned(flat, deep):
    tx = ct.arange(8, dtype=ct.int32).reshape((2, 4))
    ty = ct.transpose(tx)
    ct.store(flat, (0, 0), ty)

    tz = ct.arange(8, dtype=ct.int32).reshape((2, 2, 2))
    tw = ct.permute(tz, (2, 0, 1))  # axes (0, 1, 2) become (2, 0, 1)
    ct.store(deep, (0, 0, 0), tw)


@ct.kernel
def permuted(x, a, b, c):
    t = ct.load(x, (0, 0, 0), (2, 4, 8))
    ct.store(a, (0, 0, 0), t.permute((1, 2, 0)))
    ct.store(b, (0, 0, 0), ct.transpose(t, 0, 2))
    ct.store(c, (0, 0, 0), ct.transpose(t, -1, -2))


@ct.kernel
def transposed(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (j, i), ct.transpose(ct.load(x, (i, j), (TM, TN))))


@ct.kernel
def chosen(out):
    cond = ct.arange(4, dtype=ct.int32) < 2
    x_true = ct.full((4,), 1.0, dtype=ct.float32)
    x_false = ct.full((4,), -1.0, dtype=ct.float32)
    result = ct.where(cond, x_true, x_false)
    ct.store(out, (0,), result)


@ct.kernel
def chosen_and_broadcast(x, row, out, marks):
    t = ct.load(x, (0, 0), (8, 16))
    r = ct.load(row, (0,), (16,))
    ct.store(out, (0, 0), ct.where(t > r, t, -math.inf))
    ct.store(marks, (0, 0), ct.where(t > 0, 1, 0))


@ct.kernel
def reshaped(x, a, b, c):
    t = ct.load(x, (0, 0), (4, 8))
    ct.store(a, (0,), t.reshape((32,)))
    ct.store(b, (0, 0, 0), ct.reshape(t, (2, -1, 4)))
    ct.store(c, (0, 0, 0), t[:, None])


@ct.kernel
def joined(x, y, rows, columns):
    a, b = ct.load(x, (0, 0), (4, 8)), ct.load(y, (0, 0), (4, 8))
    ct.store(rows, (0, 0), ct.cat((a, b), axis=0))
    ct.store(columns, (0, 0), ct.cat((a, b), axis=-1))


@ct.kernel
def taken_apart(x, out, k):
    t = ct.load(x, (0, 0), (8, 8))
    # The index counts sub-tiles, and may be known at run time only.
    ct.store(out, (0, 0), ct.extract(t, (1, 0), shape=(4, 4)))
    ct.store(out, (1, 0), ct.extract(t, (k, 1), shape=(4, 4)))


@ct.kernel
def one_element(x, out):
    t = ct.load(x, (ct.bid(0),), (1,))
    ct.store(out, (ct.bid(0),), ct.full((4,), 1, ct.int32) * t.item())


def turned_expected(flat, deep):
    return [np.arange(8).reshape(2, 4).T, np.arange(8).reshape(2, 2, 2).transpose(2, 0, 1)]


CASES = [
    Case("turned", turned, (1,), lambda rng: (blank((4, 2), "int32"), blank((2, 2, 2), "int32")), (0, 1),
         turned_expected),
    *(Case(f"permuted {dtype}", permuted, (1,),
           lambda rng, dtype=dtype: (fresh(rng, (2, 4, 8), dtype), blank((4, 8, 2), dtype), blank((8, 4, 2), dtype),
                                     blank((2, 8, 4), dtype)), (1, 2, 3),
           lambda x, *_: [x.transpose(1, 2, 0), x.transpose(2, 1, 0), x.transpose(0, 2, 1)])
      for dtype in ("float32", "float16", "int64")),
    *(Case(f"transposed {m}x{n}", transposed, (ct.cdiv(m, 32), ct.cdiv(n, 16)),
           lambda rng, m=m, n=n: (fresh(rng, (m, n)), blank((n, m)), 32, 16), (1,), lambda x, y, *_: [x.T])
      for m, n in ((64, 32), (70, 45), (1, 100))),
    Case("chosen", chosen, (1,), lambda rng: (blank(4),), (0,), lambda out: [[1, 1, -1, -1]]),
    Case("chosen and broadcast", chosen_and_broadcast, (1,),
         lambda rng: (fresh(rng, (8, 16)), fresh(rng, 16), blank((8, 16)), blank((8, 16), "int32")), (2, 3),
         lambda x, row, *_: [np.where(x > row, x, -np.inf), np.where(x > 0, 1, 0)]),
    Case("reshaped", reshaped, (1,),
         lambda rng: (fresh(rng, (4, 8)), blank(32), blank((2, 4, 4)), blank((4, 1, 8))), (1, 2, 3),
         lambda x, *_: [x.reshape(32), x.reshape(2, 4, 4), x[:, None]]),
    Case("joined", joined, (1,),
         lambda rng: (fresh(rng, (4, 8)), fresh(rng, (4, 8)), blank((8, 8)), blank((4, 16))), (2, 3),
         lambda x, y, *_: [np.concatenate([x, y]), np.concatenate([x, y], axis=1)]),
    Case("taken apart", taken_apart, (1,), lambda rng: (fresh(rng, (8, 8)), blank((8, 4)), 0), (1,),
         lambda x, out, k: [np.concatenate([x[4:, :4], x[:4, 4:]])]),
    Case("one element", one_element, (3,), lambda rng: (fresh(rng, 3, "int32"), blank(12, "int32")), (1,),
         lambda x, out: [np.repeat(x, 4)]),
]
