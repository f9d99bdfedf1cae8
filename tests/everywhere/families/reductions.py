"""Reductions and scans of every dtype, with and without functions of the author."""

from __future__ import annotations

import operator

import numpy as np
from families.arithmetic import larger, smaller
from families.batch import Batch, Row
from families.values import FLOATS, INTEGERS, drawn, kind, numpy_of, special

import tile2cpp.lang as ct

SUMS = {
    "sum": Row(lambda x, y: ct.sum(x), lambda x, y: added(x, None)),
    "sum 0": Row(lambda x, y: ct.sum(x, 0), lambda x, y: added(x, 0)),
    "sum -1 kept": Row(lambda x, y: ct.sum(x, -1, keepdims=True), lambda x, y: added(x, 2, True)),
    "sum (0, 2)": Row(lambda x, y: ct.sum(x, axis=(0, 2)), lambda x, y: added(x, (0, 2))),
    "sum ()": Row(lambda x, y: ct.sum(x, ()), lambda x, y: whole(x)),
    "prod": Row(lambda x, y: ct.prod(y, 1), lambda x, y: multiplied(y, 1)),
    "prod (0, 1) kept": Row(lambda x, y: ct.prod(y, (0, 1), keepdims=True), lambda x, y: multiplied(y, (0, 1), True)),
    "prod all": Row(lambda x, y: ct.prod(y), lambda x, y: multiplied(y, None)),
    "cumsum": Row(lambda x, y: ct.cumsum(x), lambda x, y: running(np.cumsum, x, 0)),
    "cumsum 2": Row(lambda x, y: ct.cumsum(x, 2), lambda x, y: running(np.cumsum, x, 2)),
    "cumsum reverse": Row(lambda x, y: ct.cumsum(x, axis=1, reverse=True), lambda x, y: backward(np.cumsum, x, 1)),
    "cumprod": Row(lambda x, y: ct.cumprod(y, 1), lambda x, y: running(np.cumprod, y, 1)),
    "cumprod reverse": Row(lambda x, y: ct.cumprod(y, -1, reverse=True), lambda x, y: backward(np.cumprod, y, 2)),
    "reduce": Row(lambda x, y: ct.reduce(x, 1, lambda a, b: a + b, 0), lambda x, y: added(x, 1, cast=False)),
    "reduce kept": Row(lambda x, y: ct.reduce(x, -1, operator.add, 0, keepdims=True), lambda x, y: added(x, 2, True, cast=False)),
    "reduce maximum": Row(lambda x, y: ct.reduce(x, 0, ct.maximum, 0), lambda x, y: np.max(x, 0)),
    "reduce two": Row(lambda x, y: ct.reduce((x, y), 1, lambda a, b, c, d: (a + c, b * d), (0, 1))[1], lambda x, y: multiplied(y, 1, cast=False)),
    "scan": Row(lambda x, y: ct.scan(x, 2, lambda a, b: a + b, 0), lambda x, y: running(np.cumsum, x, 2, False)),
    "scan reverse": Row(lambda x, y: ct.scan(x, 0, operator.add, 0, reverse=True), lambda x, y: backward(np.cumsum, x, 0, False)),
    "scan max": Row(lambda x, y: ct.scan(x, 1, max, 0), lambda x, y: np.maximum.accumulate(x, 1)),
    "scan two": Row(lambda x, y: ct.scan((x, y), 1, lambda a, b, c, d: (a + c, b * d), (0, 1))[0], lambda x, y: running(np.cumsum, x, 1, False)),
}  # fmt: skip

# A function that C++ has no fold for, and the folds of bits.
CHOSEN = {
    "reduce own": Row(lambda x, y: ct.reduce(x, 2, lambda a, b: ct.where(a > b, a, b), False), lambda x, y: most(x, 2).astype(x.dtype)),
    "reduce own kept": Row(lambda x, y: ct.reduce(x, 1, lambda a, b: ct.where(a > b, a, b), False, keepdims=True), lambda x, y: most(x, 1).astype(x.dtype)[:, None]),
    "scan own": Row(lambda x, y: ct.scan(x, 1, lambda a, b: ct.where(a > b, a, b), False), lambda x, y: np.maximum.accumulate(x, 1)),
    "scan own reverse": Row(lambda x, y: ct.scan(x, axis=0, func=lambda a, b: ct.where(a > b, a, b), identity=False, reverse=True), lambda x, y: np.flip(np.maximum.accumulate(np.flip(x, 0), 0), 0)),
}  # fmt: skip

BITS = {
    "reduce &": Row(lambda x, y: ct.reduce(x, 1, operator.and_, -1 if x.dtype in SIGNED else True), lambda x, y: np.bitwise_and.reduce(x, 1)),
    "reduce & kept": Row(lambda x, y: ct.reduce(x, 0, lambda a, b: a & b, True, keepdims=True), lambda x, y: np.bitwise_and.reduce(x, 0, keepdims=True)),
    "reduce |": Row(lambda x, y: ct.reduce(x, 1, lambda a, b: a | b, False), lambda x, y: np.bitwise_or.reduce(x, 1)),
    "reduce | kept": Row(lambda x, y: ct.reduce(x, 2, operator.or_, False, keepdims=True), lambda x, y: np.bitwise_or.reduce(x, 2, keepdims=True)),
    "reduce ^": Row(lambda x, y: ct.reduce(x, 1, lambda a, b: a ^ b, False), lambda x, y: np.bitwise_xor.reduce(x, 1)),
    "reduce ^ kept": Row(lambda x, y: ct.reduce(x, -1, operator.xor, False, keepdims=True), lambda x, y: np.bitwise_xor.reduce(x, 2, keepdims=True)),
}  # fmt: skip

SIGNED = (ct.int8, ct.int16, ct.int32, ct.int64)

TRUTHS = {name: row for name, row in SUMS.items() if not name.startswith(("reduce", "scan"))} | {
    "reduce or": Row(lambda x, y: ct.reduce(x, 1, lambda a, b: a | b, False), lambda x, y: x.any(1)),
    "scan and": Row(lambda x, y: ct.scan(x, 2, lambda a, b: a & b, True), lambda x, y: np.logical_and.accumulate(x, 2)),
}  # fmt: skip

EXTREMES = {
    "max": Row(lambda x, y: ct.max(x), lambda x, y: most(x, None)),
    "max 0": Row(lambda x, y: ct.max(x, 0), lambda x, y: most(x, 0)),
    "max (1, 2) kept": Row(lambda x, y: ct.max(x, (1, 2), keepdims=True), lambda x, y: most(x, (1, 2))[:, None, None]),
    "min": Row(lambda x, y: ct.min(x), lambda x, y: least(x, None)),
    "min -1": Row(lambda x, y: ct.min(x, -1), lambda x, y: least(x, 2)),
    "min 1 kept": Row(lambda x, y: ct.min(x, 1, keepdims=True), lambda x, y: least(x, 1)[:, None, :]),
    "argmax": Row(lambda x, y: ct.argmax(x), lambda x, y: place(x, np.fmax, None)),
    "argmax 0": Row(lambda x, y: ct.argmax(x, 0), lambda x, y: place(x, np.fmax, 0)),
    "argmax 2 kept": Row(lambda x, y: ct.argmax(x, 2, keepdims=True), lambda x, y: place(x, np.fmax, 2)[..., None]),
    "argmin": Row(lambda x, y: ct.argmin(x), lambda x, y: place(x, np.fmin, None)),
    "argmin 1": Row(lambda x, y: ct.argmin(x, 1), lambda x, y: place(x, np.fmin, 1)),
    "argmin -1 kept": Row(lambda x, y: ct.argmin(x, -1, keepdims=True), lambda x, y: place(x, np.fmin, 2)[..., None]),
}  # fmt: skip

WITH_NAN = {
    "max, NaN": Row(lambda x, y: ct.max(x, 0, propagate_nan=True), lambda x, y: or_nan(x, most(x, 0))),
    "min, NaN": Row(lambda x, y: ct.min(x, 0, propagate_nan=True), lambda x, y: or_nan(x, least(x, 0))),
    "argmax, NaN": Row(lambda x, y: ct.argmax(x, 0, propagate_nan=True), lambda x, y: np.where(np.isnan(x).any(0), np.isnan(x).argmax(0), place(x, np.fmax, 0)).astype(np.int32)),
    "argmin, NaN": Row(lambda x, y: ct.argmin(x, 0, propagate_nan=True), lambda x, y: np.where(np.isnan(x).any(0), np.isnan(x).argmax(0), place(x, np.fmin, 0)).astype(np.int32)),
}  # fmt: skip


def whole(x):
    """bools are counted in int32."""
    return x.astype(np.int32) if x.dtype == bool else x


def exactly(function, x, axis, dtype, **more):
    """`function` in float64, or in the wrapping integers themselves, as the dtype of the result."""
    wide = x if dtype.kind in "iu" else x.astype(np.float64)
    return function(wide.astype(dtype) if dtype.kind in "iu" else wide, axis=axis, dtype=dtype if dtype.kind in "iu" else np.float64, **more).astype(dtype)


def added(x, axis, keepdims=False, cast=True):
    return exactly(np.sum, x, axis, (whole(x) if cast else x).dtype, keepdims=keepdims)


def multiplied(x, axis, keepdims=False, cast=True):
    return exactly(np.prod, x, axis, (whole(x) if cast else x).dtype, keepdims=keepdims)


def running(function, x, axis, cast=True):
    return exactly(function, x, axis, (whole(x) if cast else x).dtype)


def backward(function, x, axis, cast=True):
    return np.flip(running(function, np.flip(x, axis), axis, cast), axis)


def folded(choose, x, axis):
    """One element after the other; NaN loses."""
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    for one in sorted(axes, reverse=True):
        columns = np.moveaxis(x, one, 0)
        made = columns[0]
        for column in columns[1:]:
            made = choose(made, column)
        x = made
    return x


def most(x, axis):
    return folded(larger, whole(x), axis)


def least(x, axis):
    return folded(smaller, whole(x), axis)


def or_nan(x, made):
    """NaN where a column has one; integers and bools have none."""
    return np.where(np.isnan(x).any(0), x.dtype.type(np.nan), made) if kind(x.dtype.name) == "float" else made


def place(x, function, axis):
    x = whole(x) if axis is not None else whole(x).reshape(-1)
    axis = 0 if axis is None else axis
    # NumPy's reductions over 16-bit floats of ml_dtypes and signalling NaNs are avoided by going through float64.
    wide = x.astype(np.float64) if kind(x.dtype.name) == "float" else x
    return np.argmax(wide == function.reduce(wide, axis=axis, keepdims=True), axis).astype(np.int32)


SHAPE = (4, 8, 2)


def small(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers whose sums and products are exact in every order; integers may wrap."""
    rng = np.random.default_rng(21)
    if kind(name) == "float":
        x = rng.integers(0, 4, SHAPE)
        y = rng.choice([1, -1, 1, -1, 2], SHAPE, p=[0.4, 0.4, 0.1, 0.05, 0.05])
        return x.astype(numpy_of(name)), y.astype(numpy_of(name))
    x = drawn(name, 64, 22).reshape(SHAPE)
    return x, (x >> x.dtype.type(1)) | x.dtype.type(1)


def rough(name: str) -> np.ndarray:
    """Special elements four times, in any order."""
    return np.random.default_rng(23).permutation(np.tile(special(name), 4)).reshape(SHAPE)


def halved(name: str) -> np.ndarray:
    """Integers that are not negative: False is below them."""
    x = small(name)[0]
    return x & x.dtype.type(np.iinfo(x.dtype).max)


def maxima_of_negatives(rows: dict[str, Row], name: str) -> dict[str, Row]:
    """The identity 0 of the rows that take a maximum is one only where nothing is negative."""
    return rows if kind(name) != "int" else {n: r for n, r in rows.items() if n not in ("reduce maximum", "scan max")}


def batches():
    for name in (*INTEGERS, *FLOATS):
        yield Batch(f"sums {name}", small(name), maxima_of_negatives(SUMS, name))
        yield Batch(f"own folds {name}", (np.abs(small(name)[0]), small(name)[1]) if kind(name) == "float" else (halved(name), small(name)[1]), CHOSEN | (BITS if name in INTEGERS else {}))
        yield Batch(f"extremes {name}", (rough(name), rough(name)), EXTREMES | WITH_NAN)
    truth = np.random.default_rng(24).integers(0, 2, SHAPE).astype(bool)
    yield Batch("sums bool", (truth, ~truth), TRUTHS)
    yield Batch("own folds bool", (truth, ~truth), CHOSEN | BITS)
    yield Batch("extremes bool", (truth, ~truth), EXTREMES | WITH_NAN)


BATCHES = list(batches())
