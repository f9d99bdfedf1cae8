"""Every listed mathematical function, as a function and through its operator."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def arithmetic(x, y, out):
    a, b = ct.load(x, (0,), (32,)), ct.load(y, (0,), (32,))
    view = out.tiled_view((1, 32))
    view.store((0, 0), ct.add(a, b))
    view.store((1, 0), ct.sub(a, b))
    view.store((2, 0), ct.mul(a, b))
    view.store((3, 0), ct.floordiv(a, b))
    view.store((4, 0), ct.mod(a, b))
    view.store((5, 0), ct.minimum(a, b))
    view.store((6, 0), ct.maximum(a, b))
    view.store((7, 0), ct.negative(a))
    view.store((8, 0), abs(a))


@ct.kernel
def divided(x, y, quotient, up):
    a, b = ct.load(x, (0,), (32,)), ct.load(y, (0,), (32,))
    ct.store(quotient, (0,), ct.truediv(a, b))
    ct.store(up, (0,), ct.cdiv(a.astype(ct.int32), 7))


@ct.kernel
def exponentials(x, out):
    t = ct.load(x, (0,), (32,))
    view = out.tiled_view((1, 32))
    view.store((0, 0), ct.exp(t))
    view.store((1, 0), ct.exp2(t))
    view.store((2, 0), ct.log(t))
    view.store((3, 0), ct.log2(t))
    view.store((4, 0), ct.sqrt(t))
    view.store((5, 0), ct.rsqrt(t))
    view.store((6, 0), ct.pow(t, t))
    view.store((7, 0), t**1.5)
    view.store((8, 0), t**2)


@ct.kernel
def trigonometry(x, out):
    t = ct.load(x, (0,), (32,))
    view = out.tiled_view((1, 32))
    view.store((0, 0), ct.sin(t))
    view.store((1, 0), ct.cos(t))
    view.store((2, 0), ct.tan(t))
    view.store((3, 0), ct.sinh(t))
    view.store((4, 0), ct.cosh(t))
    view.store((5, 0), ct.tanh(t))


@ct.kernel
def rounded(x, down, up):
    t = ct.load(x, (0,), (32,))
    ct.store(down, (0,), ct.floor(t))
    ct.store(up, (0,), ct.ceil(t))


@ct.kernel
def of_integers(x, out):
    # Integers become float32 first.
    t = ct.load(x, (0,), (32,))
    ct.store(out, (0,), ct.sqrt(t) + ct.exp2(-t))


@ct.kernel
def on_scalars(x, out, s):
    v = ct.load(x, (0,), ())
    ct.store(out, (0,), ct.exp(v) * ct.sqrt(s))
    ct.store(out, (1,), ct.maximum(v, s) + min(v, s))


@ct.kernel
def comparisons(x, y, out):
    a, b = ct.load(x, (0,), (32,)), ct.load(y, (0,), (32,))
    view = out.tiled_view((1, 32))
    view.store((0, 0), ct.less(a, b))
    view.store((1, 0), ct.less_equal(a, b))
    view.store((2, 0), ct.greater(a, b))
    view.store((3, 0), a >= b)
    view.store((4, 0), ct.equal(a, b))
    view.store((5, 0), a != b)
    view.store((6, 0), (a < b) | (a == b))


@ct.kernel
def logical_not(x, out):
    # Of a tile, `not` is taken element by element.
    ct.store(out, (0,), not ct.load(x, (0,), (32,)))


def arithmetic_of(x, y, out):
    return [np.stack([x + y, x - y, x * y, np.floor_divide(x, y), np.mod(x, y), np.minimum(x, y), np.maximum(x, y),
                      -x, abs(x)])]


def exponentials_of(x, out):
    t = x.astype(np.float64)
    return [np.stack([np.exp(t), np.exp2(t), np.log(t), np.log2(t), np.sqrt(t), t**-0.5, t**t, t**1.5, t**2])]


def trigonometry_of(x, out):
    t = x.astype(np.float64)
    return [np.stack([f(t) for f in (np.sin, np.cos, np.tan, np.sinh, np.cosh, np.tanh)])]


def comparisons_of(x, y, out):
    return [np.stack([x < y, x <= y, x > y, x >= y, x == y, x != y, x <= y])]


def away_from_zero(rng, dtype):
    return np.where(rng.integers(0, 2, 32) == 0, -1, 1).astype(dtype) * fresh(rng, 32, dtype, 1, 9)


def joined_scalars(x, out, s):
    v, s = np.float64(x[0]), np.float64(np.float32(s))
    return [[np.exp(v) * np.sqrt(s), v + s]]


CASES = [
    *(Case(f"arithmetic {dtype}", arithmetic, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 32, dtype, -60, 60), away_from_zero(rng, dtype),
                                     blank((9, 32), dtype)), (2,), arithmetic_of, scale=9.0)
      for dtype in ("int32", "int64", "float32", "float64")),
    Case("divided", divided, (1,),
         lambda rng: (fresh(rng, 32, low=-60, high=60), away_from_zero(rng, "float32"), blank(32),
                      blank(32, "int32")), (2, 3),
         lambda x, y, *_: [x / y, -(-x.astype(np.int32) // 7)]),
    *(Case(f"exponentials {dtype}", exponentials, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 32, dtype, 0.1, 3), blank((9, 32), dtype)), (1,), exponentials_of,
           scale=2.0) for dtype in ("float32", "float64", "float16")),
    *(Case(f"trigonometry {dtype}", trigonometry, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 32, dtype, -1.4, 1.4), blank((6, 32), dtype)), (1,), trigonometry_of,
           scale=2.0) for dtype in ("float32", "float64")),
    *(Case(f"rounded {dtype}", rounded, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 32, dtype, -9, 9), blank(32, dtype), blank(32, dtype)), (1, 2),
           lambda x, *_: [np.floor(x), np.ceil(x)]) for dtype in ("float32", "float64", "float16")),
    Case("of integers", of_integers, (1,), lambda rng: (fresh(rng, 32, "int32", 0, 20), blank(32)), (1,),
         lambda x, out: [np.sqrt(x) + np.exp2(-x.astype(np.float64))]),
    Case("on scalars", on_scalars, (1,), lambda rng: (fresh(rng, 1), blank(2), 0.75), (1,), joined_scalars),
    *(Case(f"comparisons {dtype}", comparisons, (1,),
           lambda rng, dtype=dtype: (fresh(rng, 32, dtype, 0, 3), fresh(rng, 32, dtype, 0, 3),
                                     blank((7, 32), "bool")), (2,), comparisons_of)
      for dtype in ("int32", "uint8", "float32")),
    Case("logical not", logical_not, (1,), lambda rng: (fresh(rng, 32, "int32", -1, 1), blank(32, "bool")), (1,),
         lambda x, out: [x == 0]),
]
