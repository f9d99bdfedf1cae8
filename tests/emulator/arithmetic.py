"""Integers and floats, lane by lane."""

from __future__ import annotations

import numpy as np

from .decode import DTYPES, VIEWS, instruction
from .errors import EmulationError
from .halves import narrow, packed, widened
from .ptx import SIZES

NARROW = ("f16", "bf16", "f16x2", "bf16x2")
LARGEST = {"f32": np.float32, "f64": np.float64}


def type_of(i) -> str:
    return next(p for p in reversed(i.parts) if p in SIZES)


def write(rows, d, value, m):
    """The lanes of a mask; values are cut to the width of the row."""
    np.copyto(rows[d], value, where=m, casting="unsafe")


def by_ufunc(d, i, function, kind):
    target, sources = d.target(i.operands[0], kind, i), [d.source(o, kind, i) for o in i.operands[1:]]
    if len(sources) == 1:
        a = sources[0]

        def run(w, m):
            r = w.rows
            function(r[a], out=r[target], where=m)

    else:
        a, b = sources

        def run(w, m):
            r = w.rows
            function(r[a], r[b], out=r[target], where=m)

    return run


def by_value(d, i, function, kind, target_kind=None, source_kinds=None):
    """For what takes several steps; `function` gets the rows of the sources."""
    target = d.target(i.operands[0], target_kind or kind, i)
    kinds = source_kinds or [kind] * (len(i.operands) - 1)
    sources = [d.source(o, k, i) for o, k in zip(i.operands[1:], kinds)]

    def run(w, m):
        r = w.rows
        np.copyto(r[target], function(*[r[s] for s in sources]), where=m, casting="unsafe")

    return run


def in_float(function, kind):
    """A function of floats for halves: computed in float, then rounded."""
    if kind in ("f16x2", "bf16x2"):
        element = kind[:-2]
        return lambda *x: packed(*[narrow(function(*[widened(v, element, half) for v in x]), element) for half in (0, 1)])
    return lambda *x: narrow(function(*[widened(v, kind, 0) for v in x]), kind)


def of_both_halves(function):
    """A function of 16-bit integers, for each half of a word."""
    return lambda x, y: (function(x & 0xFFFF, y & 0xFFFF) & 0xFFFF) | (function(x >> 16, y >> 16) & 0xFFFF) << 16


def arithmetic(d, i, function, kind):
    if kind == "u16x2":
        return by_value(d, i, of_both_halves(function), "b32")
    if kind in NARROW:
        return by_value(d, i, in_float(function, kind), "b16" if SIZES[kind] == 16 else "b32")
    return by_ufunc(d, i, function, kind)


PLAIN = {"add": np.add, "sub": np.subtract, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


@instruction("add", "sub")
def _(d, i):
    if "cc" in i.parts or "sat" in i.parts:
        raise EmulationError(i.text)
    return arithmetic(d, i, PLAIN[i.parts[0]], type_of(i))


@instruction("and", "or", "xor")
def _(d, i):
    return by_ufunc(d, i, PLAIN[i.parts[0]], type_of(i))


@instruction("not")
def _(d, i):
    return by_ufunc(d, i, np.logical_not if type_of(i) == "pred" else np.invert, type_of(i))


@instruction("neg", "abs")
def _(d, i):
    return arithmetic(d, i, np.negative if i.parts[0] == "neg" else np.abs, type_of(i))


@instruction("min", "max")
def _(d, i):
    kind, low = type_of(i), i.parts[0] == "min"
    if kind[0] in "us" and kind != "u16x2":
        return by_ufunc(d, i, np.minimum if low else np.maximum, kind)
    if "NaN" in i.parts or kind == "u16x2":
        return arithmetic(d, i, np.minimum if low else np.maximum, kind)
    return arithmetic(d, i, np.fmin if low else np.fmax, kind)


@instruction("mul")
def _(d, i):
    kind = type_of(i)
    if kind[0] not in "us":
        return arithmetic(d, i, np.multiply, kind)
    if "wide" in i.parts:
        wider = kind[0] + str(2 * SIZES[kind])
        dtype = DTYPES[VIEWS[wider]]
        return by_value(d, i, lambda a, b: np.multiply(a, b, dtype=dtype), kind, wider)
    if "hi" in i.parts:
        return by_value(d, i, lambda a, b: high(a, b, SIZES[kind]), kind)
    return by_ufunc(d, i, np.multiply, kind)


def high(a, b, bits):
    """The upper half of a product."""
    return np.array([(int(x) * int(y) >> bits) & (1 << bits) - 1 for x, y in zip(a, b)], np.uint64).astype(a.dtype)


@instruction("mad")
def _(d, i):
    kind = type_of(i)
    if "wide" in i.parts:
        wider = kind[0] + str(2 * SIZES[kind])
        dtype = DTYPES[VIEWS[wider]]
        return by_value(d, i, lambda a, b, c: np.multiply(a, b, dtype=dtype) + c, kind, wider, (kind, kind, wider))
    if "lo" not in i.parts:
        raise EmulationError(i.text)
    return by_value(d, i, lambda a, b, c: a * b + c, kind)


@instruction("fma")
def _(d, i):
    kind = type_of(i)
    if kind == "f32":
        return by_value(d, i, lambda a, b, c: (a.astype(np.float64) * b + c).astype(np.float32), kind)
    if kind in NARROW:
        return by_value(d, i, in_float(lambda a, b, c: a.astype(np.float64) * b + c, kind), "b16" if SIZES[kind] == 16 else "b32")
    return by_value(d, i, lambda a, b, c: a * b + c, kind)


@instruction("div", "rem")
def _(d, i):
    kind = type_of(i)
    if kind[0] == "f":
        return by_ufunc(d, i, np.divide, kind)
    return by_value(d, i, quotient if i.parts[0] == "div" else remainder, kind)


def quotient(a, b):
    """Rounded towards zero; anything for a divisor of zero."""
    safe = np.where(b == 0, 1, b).astype(a.dtype)
    down = a // safe
    return down + ((down < 0) & (down * safe != a)) if a.dtype.kind == "i" else down


def remainder(a, b):
    return a - quotient(a, b) * b


UNARY = {
    "ex2": np.exp2, "lg2": np.log2, "rcp": np.reciprocal, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
}  # fmt: skip


@instruction(*UNARY)
def _(d, i):
    kind, function = type_of(i), UNARY[i.parts[0]]
    if kind in NARROW:
        return by_value(d, i, in_float(function, kind), "b16" if SIZES[kind] == 16 else "b32")
    return by_value(d, i, function, kind)


@instruction("copysign")
def _(d, i):
    return by_value(d, i, lambda a, b: np.copysign(b, a), type_of(i))
