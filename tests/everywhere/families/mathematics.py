"""Elementary functions of every float, and of integers, which become float32."""

from __future__ import annotations

import numpy as np
from families.batch import Batch, Row
from families.values import FLOATS, numpy_of, special

import tile2cpp.lang as ct

# The devices' own functions are off by a few units in the last place; 16-bit floats go through float32 and are rounded once.
ULPS = {"float16": 1, "bfloat16": 1, "float32": 8, "float64": 8}


def wide(function):
    """NumPy's answer in float64, in the dtype of the operand."""

    def want(x, *rest):
        return function(*(v.astype(np.float64) for v in (x, *rest))).astype(x.dtype)

    return want


UNARY = {
    "exp": (lambda x, y, n: ct.exp(x), np.exp),
    "exp2": (lambda x, y, n: ct.exp2(x), np.exp2),
    "log": (lambda x, y, n: ct.log(x), np.log),
    "log2": (lambda x, y, n: ct.log2(x), np.log2),
    "sqrt": (lambda x, y, n: ct.sqrt(x), np.sqrt),
    "rsqrt": (lambda x, y, n: ct.rsqrt(x), lambda x: 1 / np.sqrt(x)),
    "sin": (lambda x, y, n: ct.sin(x), np.sin),
    "cos": (lambda x, y, n: ct.cos(x), np.cos),
    "tan": (lambda x, y, n: ct.tan(x), np.tan),
    "sinh": (lambda x, y, n: ct.sinh(x), np.sinh),
    "cosh": (lambda x, y, n: ct.cosh(x), np.cosh),
    "tanh": (lambda x, y, n: ct.tanh(x), np.tanh),
}  # fmt: skip

BINARY = {
    "atan2": (lambda x, y, n: ct.atan2(y, x), lambda x, y, n: np.arctan2(y, x)),
    "x ** y": (lambda x, y, n: x**y, lambda x, y, n: np.power(x, y)),
    "pow": (lambda x, y, n: ct.pow(x, y), lambda x, y, n: np.power(x, y)),
    "x ** 2": (lambda x, y, n: x**2, lambda x, y, n: x * x),
    "x ** 0.5": (lambda x, y, n: x**0.5, lambda x, y, n: np.power(x, np.full_like(x, 0.5))),
    "x ** n": (lambda x, y, n: x**n, lambda x, y, n: np.power(x, n)),
}  # fmt: skip


def first(function):
    return wide(lambda x, y, n: function(x))


def floating(dtype: str) -> Batch:
    rng = np.random.default_rng(11)
    x = rng.uniform(0.05, 6, 64).astype(numpy_of(dtype))
    y = rng.uniform(-3, 3, 64).astype(numpy_of(dtype))
    n = rng.integers(-4, 8, 64).astype(np.int32)
    rows = {name: Row(code, first(function), ULPS[dtype]) for name, (code, function) in UNARY.items()}
    rows |= {name: Row(code, wide(function), ULPS[dtype]) for name, (code, function) in BINARY.items()}
    return Batch(f"mathematics {dtype}", (x, y, n), rows)


def limits(dtype: str) -> Batch:
    """Zeros, infinities, NaN, and the largest and smallest numbers."""
    x, n = special(dtype), np.arange(16, dtype=np.int32) % 4
    left_out = ("x ** n", "x ** 2")  # by squaring: overflow and underflow on the way are theirs
    rows = {name: Row(code, first(function), ULPS[dtype]) for name, (code, function) in UNARY.items()}
    rows |= {name: Row(code, wide(function), ULPS[dtype]) for name, (code, function) in BINARY.items() if name not in left_out}
    return Batch(f"limits {dtype}", (x, x[::-1].copy(), n), rows)


def converted(code):
    return lambda i, b: code(i, i, i)


def of_truth(code):
    return lambda i, b: code(b, b, b)


def integers() -> Batch:
    i, b = np.arange(1, 17).astype(np.int32), np.arange(16) % 3 > 0
    rows = {}
    for name, (code, function) in UNARY.items():
        rows[f"{name} of int32"] = Row(converted(code), lambda i, b, f=function: f(i.astype(np.float64)).astype(np.float32), 8)
        if name not in ("log", "log2", "rsqrt"):
            rows[f"{name} of bool"] = Row(of_truth(code), lambda i, b, f=function: f(b.astype(np.float64)).astype(np.float32), 8)
    return Batch("mathematics of integers", (i, b), rows)


BATCHES = [*(make(dtype) for dtype in FLOATS for make in (floating, limits)), integers()]
