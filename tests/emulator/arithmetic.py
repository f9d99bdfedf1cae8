"""Integers, floats, comparisons and bits, lane by lane."""

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


def arithmetic(d, i, function, kind):
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
    if kind[0] in "us":
        return by_ufunc(d, i, np.minimum if low else np.maximum, kind)
    if "NaN" in i.parts:
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


# --- comparisons ---

COMPARE = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
}  # fmt: skip
JOIN = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def comparison(name, kind):
    if kind[0] != "f" and kind != "bf16":
        return COMPARE[name]
    if name in ("num", "nan"):
        return lambda a, b: (np.isnan(a) | np.isnan(b)) == (name == "nan")
    if name.endswith("u") and name[:-1] in COMPARE:
        return lambda a, b: COMPARE[name[:-1]](a, b) | np.isnan(a) | np.isnan(b)
    if name == "ne":
        return lambda a, b: (a != b) & ~np.isnan(a) & ~np.isnan(b)
    return COMPARE[name]


@instruction("setp")
def _(d, i):
    kind, compare = type_of(i), comparison(i.parts[1], type_of(i))
    targets = [d.target(t, "pred", i) for t in i.operands[0].split("|")]
    a, b = (d.source(o, kind if kind != "bf16" else "b16", i) for o in i.operands[1:3])
    if len(targets) == 1 and len(i.operands) == 3:
        target = targets[0]
        if isinstance(compare, np.ufunc) and kind != "bf16":

            def run(w, m):
                r = w.rows
                compare(r[a], r[b], out=r[target], where=m)

            return run
    join = next((JOIN[p] for p in i.parts[2:] if p in JOIN), None)
    third = i.operands[3] if len(i.operands) > 3 else None
    negated = third is not None and third.startswith("!")
    c = d.source(third.lstrip("!"), "pred", i) if third else None

    def run(w, m):
        r = w.rows
        x, y = (widened(r[s], "bf16", 0) for s in (a, b)) if kind == "bf16" else (r[a], r[b])
        first = compare(x, y)
        for target, value in zip(targets, (first, ~first)):
            if join:
                value = join(value, ~r[c] if negated else r[c])
            write(r, target, value, m)

    return run


@instruction("set", "slct")
def _(d, i):
    raise EmulationError(i.text)


@instruction("selp")
def _(d, i):
    kind = type_of(i)
    target = d.target(i.operands[0], kind, i)
    a, b = (d.source(o, kind, i) for o in i.operands[1:3])
    p = d.source(i.operands[3], "pred", i)

    def run(w, m):
        r = w.rows
        np.copyto(r[target], np.where(r[p], r[a], r[b]), where=m)

    return run


# --- bits ---


@instruction("shl", "shr")
def _(d, i):
    kind = type_of(i)
    target, a, by = d.target(i.operands[0], kind, i), d.source(i.operands[1], kind, i), d.source(i.operands[2], "u32", i)
    function = np.left_shift if i.parts[0] == "shl" else np.right_shift
    most = SIZES[kind] - 1 if kind[0] == "s" else SIZES[kind]

    def run(w, m):
        r = w.rows
        np.copyto(r[target], function(r[a], np.minimum(r[by], most).astype(r[a].dtype)), where=m, casting="unsafe")

    return run


@instruction("shf")
def _(d, i):
    left, wraps = i.parts[1] == "l", i.parts[2] == "wrap"

    def funnel(low, high, by):
        n = (by & 31 if wraps else np.minimum(by, 32)).astype(np.uint64)
        both = high.astype(np.uint64) << np.uint64(32) | low
        return (both << n) >> np.uint64(32) if left else both >> n

    return by_value(d, i, funnel, "b32")


@instruction("bfi")
def _(d, i):
    kind = type_of(i)

    def insert(a, b, at, length):
        one = a.dtype.type(1)
        mask = ((one << length.astype(a.dtype)) - one) << at.astype(a.dtype)
        return b & ~mask | a << at.astype(a.dtype) & mask

    return by_value(d, i, insert, kind, kind, (kind, kind, "u32", "u32"))


@instruction("bfe")
def _(d, i):
    kind = type_of(i)
    bits = SIZES[kind]

    def extract(a, at, length):
        wide = a.astype(np.int64 if kind[0] == "s" else np.uint64).astype(object)
        result = []
        for x, p, n in zip(wide, at & 255, length & 255):
            end = min(int(p) + int(n), bits)
            value = int(x) >> int(p) & (1 << max(0, end - int(p))) - 1
            if kind[0] == "s" and n and value >> max(0, end - int(p) - 1) & 1:
                value -= 1 << max(0, end - int(p))
            result.append(value)
        return np.array(result, dtype=object)

    return by_value(d, i, extract, kind, kind, (kind, "u32", "u32"))


@instruction("prmt")
def _(d, i):
    if len(i.parts) > 2:
        raise EmulationError(i.text)

    def permute(a, b, how):
        pieces = np.stack([a, b], 1).astype("<u4").view(np.uint8).reshape(len(a), 8)
        result = np.zeros(len(a), np.uint32)
        for n in range(4):
            pick = how >> np.uint32(4 * n) & 15
            piece = pieces[np.arange(len(a)), pick & 7]
            piece = np.where(pick & 8, np.where(piece & 128, 255, 0), piece)
            result |= piece.astype(np.uint32) << np.uint32(8 * n)
        return result

    return by_value(d, i, permute, "b32")


@instruction("lop3")
def _(d, i):
    table = d.literal(i.operands.pop())

    def combine(a, b, c):
        result = np.zeros_like(a)
        for n in range(8):
            if table >> n & 1:
                result |= (a if n & 4 else ~a) & (b if n & 2 else ~b) & (c if n & 1 else ~c)
        return result

    return by_value(d, i, combine, "b32")


@instruction("popc", "clz", "brev", "bfind")
def _(d, i):
    kind = type_of(i)
    bits = SIZES[kind]
    count = {
        "popc": lambda x: bin(x).count("1"), "clz": lambda x: bits - x.bit_length(), "brev": lambda x: int(f"{x:0{bits}b}"[::-1], 2),
        "bfind": lambda x: x.bit_length() - 1,
    }[i.parts[0]]  # fmt: skip
    plain = f"b{bits}"
    return by_value(d, i, lambda a: np.array([count(int(x)) for x in a]), plain, plain if i.parts[0] == "brev" else "u32")
