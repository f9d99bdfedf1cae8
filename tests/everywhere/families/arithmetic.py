"""Arithmetic, comparison and selection of every dtype: operators, named operations and their options."""

from __future__ import annotations

import numpy as np
from families.batch import Batch, Row
from families.values import ARITHMETIC, FLOATS, INTEGERS, drawn, nonzero, numpy_of, pairs, special

import tile2cpp.lang as ct
from tile2cpp.ops.formats import rounded


def joined(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two operands of every kind, and a divisor."""
    x, y = pairs(name)
    x, y = np.concatenate([x, drawn(name, 256, 1)]), np.concatenate([y, drawn(name, 256, 2)])
    return x, y, nonzero(y)


SUMS = {
    "x + y": Row(lambda x, y, z: x + y, lambda x, y, z: x + y),
    "x - y": Row(lambda x, y, z: x - y, lambda x, y, z: x - y),
    "x * y": Row(lambda x, y, z: x * y, lambda x, y, z: x * y),
    "add": Row(lambda x, y, z: ct.add(x, y), lambda x, y, z: x + y),
    "sub": Row(lambda x, y, z: ct.sub(x, y), lambda x, y, z: x - y),
    "mul": Row(lambda x, y, z: ct.mul(x, y), lambda x, y, z: x * y),
    "-x": Row(lambda x, y, z: -x, lambda x, y, z: -x),
    "+x": Row(lambda x, y, z: +x, lambda x, y, z: x),
    "negative": Row(lambda x, y, z: ct.negative(x), lambda x, y, z: -x),
    "abs(x)": Row(lambda x, y, z: abs(x), lambda x, y, z: np.abs(x)),
    "abs": Row(lambda x, y, z: ct.abs(y), lambda x, y, z: np.abs(y)),
    "max(x, y)": Row(lambda x, y, z: max(x, y), lambda x, y, z: larger(x, y)),
    "min(x, y)": Row(lambda x, y, z: min(x, y), lambda x, y, z: smaller(x, y)),
    "maximum": Row(lambda x, y, z: ct.maximum(x, y), lambda x, y, z: larger(x, y)),
    "minimum": Row(lambda x, y, z: ct.minimum(x, y), lambda x, y, z: smaller(x, y)),
    "x + 1": Row(lambda x, y, z: x + 1, lambda x, y, z: x + x.dtype.type(1)),
    "3 - x": Row(lambda x, y, z: 3 - x, lambda x, y, z: x.dtype.type(3) - x),
}  # fmt: skip

COMPARISONS = {
    "x < y": Row(lambda x, y, z: x < y, lambda x, y, z: x < y),
    "x <= y": Row(lambda x, y, z: x <= y, lambda x, y, z: x <= y),
    "x > y": Row(lambda x, y, z: x > y, lambda x, y, z: x > y),
    "x >= y": Row(lambda x, y, z: x >= y, lambda x, y, z: x >= y),
    "x == y": Row(lambda x, y, z: x == y, lambda x, y, z: x == y),
    "x != y": Row(lambda x, y, z: x != y, lambda x, y, z: x != y),
    "less": Row(lambda x, y, z: ct.less(x, y), lambda x, y, z: x < y),
    "less_equal": Row(lambda x, y, z: ct.less_equal(x, y), lambda x, y, z: x <= y),
    "greater": Row(lambda x, y, z: ct.greater(x, y), lambda x, y, z: x > y),
    "greater_equal": Row(lambda x, y, z: ct.greater_equal(x, y), lambda x, y, z: x >= y),
    "equal": Row(lambda x, y, z: ct.equal(x, y), lambda x, y, z: x == y),
    "not_equal": Row(lambda x, y, z: ct.not_equal(x, y), lambda x, y, z: x != y),
    "not x": Row(lambda x, y, z: not x, lambda x, y, z: x == 0),
    "where": Row(lambda x, y, z: ct.where(x > y, x, y), lambda x, y, z: np.where(x > y, x, y)),
    "where number": Row(lambda x, y, z: ct.where(x, y, 2), lambda x, y, z: np.where(x != 0, y, y.dtype.type(2))),
}  # fmt: skip

WHOLE = {
    "x // z": Row(lambda x, y, z: x // z, lambda x, y, z: x // z),
    "x % z": Row(lambda x, y, z: x % z, lambda x, y, z: x % z),
    "floordiv": Row(lambda x, y, z: ct.floordiv(x, z), lambda x, y, z: x // z),
    "mod": Row(lambda x, y, z: ct.mod(x, z), lambda x, y, z: x % z),
    "divmod quotient": Row(lambda x, y, z: divmod(x, z)[0], lambda x, y, z: x // z),
    "divmod rest": Row(lambda x, y, z: ct.divmod(x, z)[1], lambda x, y, z: x % z),
    "cdiv": Row(lambda x, y, z: ct.cdiv(x, z), lambda x, y, z: x // z + (x % z != 0)),
    "x / z": Row(lambda x, y, z: x / z, lambda x, y, z: x.astype(np.float32) / z.astype(np.float32)),
    "truediv": Row(lambda x, y, z: ct.truediv(x, z), lambda x, y, z: x.astype(np.float32) / z.astype(np.float32)),
    "x // 3": Row(lambda x, y, z: x // 3, lambda x, y, z: x // x.dtype.type(3)),
    "x % 8": Row(lambda x, y, z: x % 8, lambda x, y, z: x % x.dtype.type(8)),
    "x // 8": Row(lambda x, y, z: x // 8, lambda x, y, z: x // x.dtype.type(8)),
    "maximum, NaN": Row(lambda x, y, z: ct.maximum(x, y, propagate_nan=True), lambda x, y, z: np.maximum(x, y)),  # there is none
    "minimum, NaN": Row(lambda x, y, z: ct.minimum(x, y, propagate_nan=True), lambda x, y, z: np.minimum(x, y)),
    "assume_divisible_by": Row(lambda x, y, z: ct.assume_divisible_by(x * 8, 8), lambda x, y, z: x * x.dtype.type(8)),
}  # fmt: skip

DIVISIONS = {
    "x / y": Row(lambda x, y, z: x / y, lambda x, y, z: x / y),
    "truediv": Row(lambda x, y, z: ct.truediv(x, y), lambda x, y, z: x / y),
    "x // y": Row(lambda x, y, z: x // y, lambda x, y, z: np.floor(x / y)),
    "floordiv": Row(lambda x, y, z: ct.floordiv(x, y), lambda x, y, z: np.floor(x / y)),
    "x % y": Row(lambda x, y, z: x % y, lambda x, y, z: remainder(x, y), zeros=False),
    "mod": Row(lambda x, y, z: ct.mod(x, y), lambda x, y, z: remainder(x, y), zeros=False),
    "floor": Row(lambda x, y, z: ct.floor(x), lambda x, y, z: np.floor(x)),
    "ceil": Row(lambda x, y, z: ct.ceil(x), lambda x, y, z: np.ceil(x)),
    "isnan": Row(lambda x, y, z: ct.isnan(x), lambda x, y, z: np.isnan(x)),
    "maximum, NaN": Row(lambda x, y, z: ct.maximum(x, y, propagate_nan=True), lambda x, y, z: with_nan(larger, x, y)),
    "minimum, NaN": Row(lambda x, y, z: ct.minimum(x, y, propagate_nan=True), lambda x, y, z: with_nan(smaller, x, y)),
    "x * 0.1": Row(lambda x, y, z: x * 0.1, lambda x, y, z: x * x.dtype.type(0.1)),
}  # fmt: skip

TRUTHS = {
    "-x": Row(lambda x, y: -x, lambda x, y: -x.astype(np.int32)),
    "+x": Row(lambda x, y: +x, lambda x, y: x.astype(np.int32)),
    "negative": Row(lambda x, y: ct.negative(x), lambda x, y: -x.astype(np.int32)),
    "abs": Row(lambda x, y: ct.abs(x), lambda x, y: x),
    "x / y": Row(lambda x, y: x / (y | True), lambda x, y: x.astype(np.float32)),
    "x < y": Row(lambda x, y: x < y, lambda x, y: x < y),
    "x <= y": Row(lambda x, y: x <= y, lambda x, y: x <= y),
    "x > y": Row(lambda x, y: x > y, lambda x, y: x > y),
    "x >= y": Row(lambda x, y: x >= y, lambda x, y: x >= y),
    "x == y": Row(lambda x, y: x == y, lambda x, y: x == y),
    "x != y": Row(lambda x, y: x != y, lambda x, y: x != y),
    "where": Row(lambda x, y: ct.where(x, y, x), lambda x, y: np.where(x, y, x)),
    "where weak": Row(lambda x, y: ct.where(x, 1, 0), lambda x, y: np.where(x, 1, 0).astype(np.int32)),
    "not x": Row(lambda x, y: not x, lambda x, y: ~x),
    "x & y": Row(lambda x, y: x & y, lambda x, y: x & y),
    "x | y": Row(lambda x, y: x | y, lambda x, y: x | y),
    "x ^ y": Row(lambda x, y: x ^ y, lambda x, y: x ^ y),
    "~x": Row(lambda x, y: ~x, lambda x, y: ~x),
    "x + 1": Row(lambda x, y: x + 1, lambda x, y: x + np.int32(1)),
    "x * 2.5": Row(lambda x, y: x * 2.5, lambda x, y: x * np.float32(2.5)),
}  # fmt: skip


def larger(x, y):
    """NaN loses, and +0 is above -0."""
    return np.where((x == 0) & (y == 0), x + y, np.where(np.isnan(x), y, np.where(np.isnan(y) | (x > y), x, y))) if x.dtype.kind not in "iu" else np.maximum(x, y)


def smaller(x, y):
    return -larger(-x, -y) if x.dtype.kind not in "iu" else np.minimum(x, y)


def with_nan(choose, x, y):
    return np.where(np.isnan(x) | np.isnan(y), x.dtype.type(np.nan), choose(x, y))


def remainder(x, y):
    """Python's: with the sign of the divisor; 16-bit floats go through float32, which holds all that matters."""
    wide, other = (v.astype(np.float32) if v.itemsize == 2 else v for v in (x, y))
    rest = np.fmod(wide, other)
    return np.where((rest != 0) & ((rest < 0) != (other < 0)), rest.astype(x.dtype) + y, rest.astype(x.dtype))


def directed(symbol: str, mode: str):
    """What `symbol` gives in a direction, by float64 and one exact rounding; float64 itself is left to the rows of `whole`."""

    def want(x, y, z):
        with np.errstate(all="ignore"):
            exact = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[symbol](x.astype(np.float64), y.astype(np.float64))
        return rounded(exact, x.dtype.name, mode).astype(x.dtype)

    return want


def batches():
    for name in ARITHMETIC:
        yield Batch(f"arithmetic {name}", joined(name), SUMS | (WHOLE if name in INTEGERS else DIVISIONS))
        yield Batch(f"comparison {name}", joined(name), COMPARISONS)
    yield Batch("truth", (np.array([False, True, False, True]), np.array([False, False, True, True])), TRUTHS)


BATCHES = list(batches())
