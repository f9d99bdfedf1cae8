"""Broadcasting of shapes, promotion of dtypes, and weak constants."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def rank_promotion(out):
    x = ct.full((8, 2), 3, dtype=ct.int32)
    y = ct.full((4, 1, 2), 5, dtype=ct.int32)
    ct.store(out, (0, 0, 0), x + y)  # 8x2 is read as 1x8x2


@ct.kernel
def stretched(a, b, out):
    x = ct.load(a, (0, 0), (8, 2))
    y = ct.load(b, (0, 0, 0), (4, 1, 2))
    ct.store(out, (0, 0, 0), x * y - x)


@ct.kernel
def row_and_column(row, column, out):
    r = ct.load(row, (0,), (16,))
    c = ct.load(column, (0,), (8,))
    ct.store(out, (0, 0), r - c[:, None] * 10)


@ct.kernel
def scalar_promotion(kept, widened):
    x = ct.full((8,), 3, dtype=ct.int32)
    ct.store(kept, (0,), x + 2)
    ct.store(widened, (0,), x + 2.5)


@ct.kernel
def elementwise(a, b, c, TILE: ct.Constant[int]):
    bid = ct.bid(0)
    x = ct.load(a, index=(bid,), shape=(TILE,))
    y = ct.load(b, index=(bid,), shape=(TILE,))
    # 2.0 is a weak constant: the result has the dtype of `x`.
    z = 2.0 * x + y
    ct.store(c, index=(bid,), tile=z)


@ct.kernel
def mixed(a, b, total, product):
    x = ct.load(a, (0,), (16,))
    y = ct.load(b, (0,), (16,))
    ct.store(total, (0,), x + y)
    ct.store(product, (0,), x * y)


@ct.kernel
def strict_parameter(x, out, scale):
    # A run-time float is float32, so the half precision tile is widened.
    ct.store(out, (0,), ct.load(x, (0,), (16,)) * scale)


@ct.kernel
def true_division(x, y, out):
    ct.store(out, (0,), ct.load(x, (0,), (16,)) / ct.load(y, (0,), (16,)))


@ct.kernel
def floor_and_remainder(x, y, quotient, remainder):
    a = ct.load(x, (0,), (16,))
    b = ct.load(y, (0,), (16,))
    ct.store(quotient, (0,), a // b)
    ct.store(remainder, (0,), a % b)


@ct.kernel
def bits(x, y, out):
    a = ct.load(x, (0,), (16,))
    b = ct.load(y, (0,), (16,))
    ct.store(out, (0, 0), (a & b)[None, :])
    ct.store(out, (1, 0), (a | b)[None, :])
    ct.store(out, (2, 0), (a ^ b)[None, :])
    ct.store(out, (3, 0), (a << 3)[None, :])
    ct.store(out, (4, 0), (a >> 2)[None, :])
    ct.store(out, (5, 0), (~a)[None, :])


@ct.kernel
def casts(x, narrow, whole, truth, back):
    t = ct.load(x, (0,), (16,))
    ct.store(narrow, (0,), t.astype(ct.float16))
    ct.store(whole, (0,), ct.astype(t, ct.int32))
    ct.store(truth, (0,), t > 0)
    ct.store(back, (0,), (t > 0).astype(ct.float32) - 0.5)


@ct.kernel
def spread(x, out):
    t = ct.load(x, (0,), (16,))
    ct.store(out, (0, 0), ct.broadcast_to(t, (4, 16)))
    ct.store(out, (1, 0), ct.broadcast_to(ct.expand_dims(t, 0), (4, 16)) * 2)


def pair(left, right, total):
    """Two vectors of these dtypes, and outputs of the dtype they meet in."""
    return lambda rng: (fresh(rng, 16, left, 0, 9), fresh(rng, 16, right, 0, 9), blank(16, total), blank(16, total))


PROMOTIONS = (
    ("int16", "int32", "int32"), ("int32", "int64", "int64"), ("uint8", "uint32", "uint32"),
    ("int32", "float32", "float32"), ("int64", "float16", "float16"), ("float16", "float32", "float32"),
    ("float32", "float64", "float64"), ("bool", "int8", "int8"), ("bool", "float32", "float32"),
    ("uint16", "float64", "float64"),
)

CASES = [
    Case("rank promotion", rank_promotion, (1,), lambda rng: (blank((4, 8, 2), "int32"),), (0,),
         lambda out: [np.full((4, 8, 2), 8)]),
    Case("stretched", stretched, (1,),
         lambda rng: (fresh(rng, (8, 2), "int32"), fresh(rng, (4, 1, 2), "int32"), blank((4, 8, 2), "int32")), (2,),
         lambda a, b, out: [a * b - a]),
    Case("row and column", row_and_column, (1,),
         lambda rng: (fresh(rng, 16, "int32"), fresh(rng, 8, "int32"), blank((8, 16), "int32")), (2,),
         lambda row, column, out: [row - column[:, None] * 10]),
    Case("scalar promotion", scalar_promotion, (1,), lambda rng: (blank(8, "int32"), blank(8)), (0, 1),
         lambda *_: [np.full(8, 5), np.full(8, 5.5)]),
    *(Case(f"elementwise {dtype}", elementwise, (4,),
           lambda rng, dtype=dtype: (fresh(rng, 61, dtype), fresh(rng, 61, dtype), blank(61, dtype), 16), (2,),
           lambda a, b, c, tile: [2 * a + b], terms=2, scale=4.0) for dtype in ("float32", "float16", "float64")),
    *(Case(f"{left} with {right}", mixed, (1,), pair(left, right, total), (2, 3),
           lambda a, b, total, product: [a.astype(total.dtype) + b.astype(total.dtype),
                                         a.astype(total.dtype) * b.astype(total.dtype)])
      for left, right, total in PROMOTIONS),
    Case("strict parameter", strict_parameter, (1,), lambda rng: (fresh(rng, 16, "float16"), blank(16), 0.1), (1,),
         lambda x, out, scale: [x.astype(np.float32) * np.float32(scale)]),
    *(Case(f"true division {dtype}", true_division, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 16, dtype, 1, 50), fresh(rng, 16, dtype, 1, 50),
                                     blank(16, dtype if dtype[0] == "f" else "float32")), (2,),
           lambda x, y, out: [x.astype(out.dtype) / y.astype(out.dtype)])
      for dtype in ("int32", "int64", "uint8", "float32", "float64")),
    *(Case(f"floor and remainder {dtype}", floor_and_remainder, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 16, dtype, -50, 50), np.resize([3, -4, 7, -1], 16).astype(dtype),
                                     blank(16, dtype), blank(16, dtype)), (2, 3),
           lambda x, y, q, r: [np.floor_divide(x, y), np.mod(x, y)], scale=8.0)
      for dtype in ("int32", "int64", "int8", "float32", "float64")),
    *(Case(f"bits {dtype}", bits, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 16, dtype, 0, 100), fresh(rng, 16, dtype, 0, 100),
                                     blank((6, 16), dtype)), (2,),
           lambda a, b, out: [np.stack([a & b, a | b, a ^ b, a << 3, a >> 2, ~a])])
      for dtype in ("int32", "uint32", "int64", "uint8")),
    Case("casts", casts, (1,),
         lambda rng: (fresh(rng, 16, "float32", -50, 50), blank(16, "float16"), blank(16, "int32"), blank(16, "bool"),
                      blank(16)), (1, 2, 3, 4),
         lambda x, *_: [x.astype(np.float16), x.astype(np.int32), x > 0, (x > 0) - np.float32(0.5)]),
    Case("spread", spread, (1,), lambda rng: (fresh(rng, 16), blank((8, 16))), (1,),
         lambda x, out: [np.concatenate([np.tile(x, (4, 1)), np.tile(x * 2, (4, 1))])]),
]
