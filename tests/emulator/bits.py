"""Bits of integers: shifts, fields, permutations."""

from __future__ import annotations

import numpy as np

from .arithmetic import by_value, type_of
from .decode import instruction
from .errors import EmulationError
from .ptx import SIZES


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
