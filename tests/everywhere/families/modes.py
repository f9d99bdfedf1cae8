"""Rounding modes and flush_to_zero, of every operation that has them."""

from __future__ import annotations

import numpy as np
from families.arithmetic import larger, smaller
from families.batch import Batch, Row
from families.values import FLOATS, drawn, numpy_of, pairs

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME
from tile2cpp.ops import directed

DIRECTIONS = tuple(ct.RoundingMode[name] for name in ("RN", "RZ", "RM", "RP"))
PAIRED = {"add": (ct.add, "add"), "sub": (ct.sub, "sub"), "mul": (ct.mul, "mul"), "truediv": (ct.truediv, "div")}


def paired(op, mode, flush):
    return lambda x, y: op(x, y, rounding_mode=mode, flush_to_zero=flush)


def single(op, mode, flush):
    return lambda x, y: op(abs(x), rounding_mode=mode, flush_to_zero=flush)


def by(name, mode, flush, dtype):
    """The meaning; the host's processor rounds by itself, so this is not held against itself there."""
    return lambda x, y: directed.compute(name, (x, y), mode, flush, BY_NAME[dtype])


def root(mode, flush, dtype):
    return lambda x, y: directed.compute("sqrt", (np.abs(x),), mode, flush, BY_NAME[dtype])


def folded(op, mode, flush, axis):
    return lambda x, y: op(x, axis, rounding_mode=mode, flush_to_zero=flush)


def running(op, mode, flush, reverse):
    return lambda x, y: op(x, 1, reverse=reverse, rounding_mode=mode, flush_to_zero=flush)


def by_two(name, mode, flush, dtype):
    return lambda x, y: directed.compute(name, (x[:, 0], x[:, 1]), mode, flush, BY_NAME[dtype])


def running_two(name, mode, flush, reverse, dtype):
    def want(x, y):
        both = directed.compute(name, (x[:, int(reverse)], x[:, 1 - int(reverse)]), mode, flush, BY_NAME[dtype])
        alone = x[:, int(reverse)]
        return np.stack([both, alone] if reverse else [alone, both], axis=1)

    return want


def rounded_rows(dtype: str, flush: bool) -> dict[str, Row]:
    rows = {}
    for mode in DIRECTIONS:
        for name, (op, meant) in PAIRED.items():
            rows[f"{name} {mode.name}"] = Row(paired(op, mode, flush), by(meant, mode, flush, dtype))
        rows[f"sqrt {mode.name}"] = Row(single(ct.sqrt, mode, flush), root(mode, flush, dtype))
    return rows


def folded_rows(dtype: str, flush: bool) -> dict[str, Row]:
    rows = {}
    for mode in DIRECTIONS:
        for name, op, scan, meant in (("sum", ct.sum, ct.cumsum, "add"), ("prod", ct.prod, ct.cumprod, "mul")):
            rows[f"{name} {mode.name}"] = Row(folded(op, mode, flush, 1), by_two(meant, mode, flush, dtype), zeros=mode.name != "RN")
            rows[f"cum{name} {mode.name}"] = Row(running(scan, mode, flush, False), running_two(meant, mode, flush, False, dtype))
            rows[f"cum{name} {mode.name} reverse"] = Row(running(scan, mode, flush, True), running_two(meant, mode, flush, True, dtype))
    return rows


FLUSHED = directed.flushed
RoundingMode = ct.RoundingMode

FLUSHING = {
    "maximum": Row(lambda x, y: ct.maximum(x, y, flush_to_zero=True), lambda x, y: larger(FLUSHED(x), FLUSHED(y))),
    "minimum": Row(lambda x, y: ct.minimum(x, y, flush_to_zero=True), lambda x, y: smaller(FLUSHED(x), FLUSHED(y))),
    "maximum, NaN": Row(lambda x, y: ct.maximum(x, y, flush_to_zero=True, propagate_nan=True), lambda x, y: np.where(np.isnan(x + y) & (np.isnan(x) | np.isnan(y)), np.float32(np.nan), larger(FLUSHED(x), FLUSHED(y)))),
    "minimum, NaN": Row(lambda x, y: ct.minimum(x, y, flush_to_zero=True, propagate_nan=True), lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.float32(np.nan), smaller(FLUSHED(x), FLUSHED(y)))),
    "exp2": Row(lambda x, y: ct.exp2(x, flush_to_zero=True), lambda x, y: FLUSHED(np.exp2(FLUSHED(x))), ulps=4),
    "rsqrt": Row(lambda x, y: ct.rsqrt(x, flush_to_zero=True), lambda x, y: 1 / np.sqrt(FLUSHED(x)), ulps=4),
}  # fmt: skip

FOLDED_EXTREMES = {
    "max": Row(lambda x, y: ct.max(x, 1, flush_to_zero=True), lambda x, y: larger(FLUSHED(x[:, 0]), FLUSHED(x[:, 1]))),
    "min": Row(lambda x, y: ct.min(x, 1, flush_to_zero=True), lambda x, y: smaller(FLUSHED(x[:, 0]), FLUSHED(x[:, 1]))),
    "max, NaN": Row(lambda x, y: ct.max(x, 1, flush_to_zero=True, propagate_nan=True), lambda x, y: np.where(np.isnan(x).any(1), np.float32(np.nan), larger(FLUSHED(x[:, 0]), FLUSHED(x[:, 1])))),
    "min, NaN": Row(lambda x, y: ct.min(x, 1, flush_to_zero=True, propagate_nan=True), lambda x, y: np.where(np.isnan(x).any(1), np.float32(np.nan), smaller(FLUSHED(x[:, 0]), FLUSHED(x[:, 1])))),
}  # fmt: skip

# The fast instructions, on numbers for which their error is stated: two units, or eleven bits for tanh.
FAST = {
    "truediv FULL": Row(lambda x, y: ct.truediv(x, y, rounding_mode=RoundingMode.FULL), lambda x, y: x / y, ulps=2),
    "truediv APPROX": Row(lambda x, y: ct.truediv(x, y, rounding_mode=RoundingMode.APPROX), lambda x, y: x / y, ulps=2),
    "truediv FULL, flush": Row(lambda x, y: ct.truediv(x, y, rounding_mode="FULL", flush_to_zero=True), lambda x, y: x / y, ulps=2),
    "truediv APPROX, flush": Row(lambda x, y: ct.truediv(x, y, rounding_mode="APPROX", flush_to_zero=True), lambda x, y: x / y, ulps=2),
    "sqrt APPROX": Row(lambda x, y: ct.sqrt(abs(x), rounding_mode=RoundingMode.APPROX), lambda x, y: np.sqrt(np.abs(x)), ulps=3),
    "sqrt APPROX, flush": Row(lambda x, y: ct.sqrt(abs(x), rounding_mode=RoundingMode.APPROX, flush_to_zero=True), lambda x, y: np.sqrt(np.abs(x)), ulps=3),
    "exp FULL": Row(lambda x, y: ct.exp(x, rounding_mode=RoundingMode.FULL), lambda x, y: np.exp(x), ulps=3),
    "exp APPROX": Row(lambda x, y: ct.exp(x, rounding_mode=RoundingMode.APPROX), lambda x, y: np.exp(x), ulps=32),
    "tanh FULL": Row(lambda x, y: ct.tanh(x, rounding_mode=RoundingMode.FULL), lambda x, y: np.tanh(x), ulps=4),
    "tanh APPROX": Row(lambda x, y: ct.tanh(x, rounding_mode=RoundingMode.APPROX), lambda x, y: np.tanh(x), ulps=2**13),
}  # fmt: skip


def moderate(size: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """float32 numbers of ordinary size, of both signs."""
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-8, 8, (2, size)).astype(np.float32)
    return x, np.where(np.abs(y) < 0.1, np.float32(1.5), y)


def operands(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Special numbers, numbers of every size, and pairs that all but cancel."""
    x, y = pairs(dtype)
    wild, other = drawn(dtype, 128, 4), drawn(dtype, 128, 5)
    close = np.random.default_rng(6).uniform(1, 2, 128).astype(numpy_of(dtype))
    with np.errstate(all="ignore"):
        return np.concatenate([x, wild, close]), np.concatenate([y, other, -close * close.dtype.type(1.125)])


def batches():
    for dtype in FLOATS:
        x, y = operands(dtype)
        yield Batch(f"rounding {dtype}", (x, y), rounded_rows(dtype, False))
        yield Batch(f"rounded folds {dtype}", (np.stack([x, y], axis=1), y), folded_rows(dtype, False))
    x, y = operands("float32")
    tiny = np.ldexp(np.random.default_rng(7).uniform(0.5, 2, 512), -127).astype(np.float32)
    x, y = np.concatenate([x, tiny]), np.concatenate([y, tiny[::-1]])
    yield Batch("flushing", (x, y), rounded_rows("float32", True) | FLUSHING)
    yield Batch("flushed folds", (np.stack([x, y], axis=1), y), folded_rows("float32", True) | FOLDED_EXTREMES)
    yield Batch("fast functions", moderate(), FAST)


BATCHES = list(batches())
