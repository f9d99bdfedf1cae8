"""Moves and conversions."""

from __future__ import annotations

import numpy as np

from .arithmetic import type_of, write
from .decode import DTYPES, VIEWS, instruction
from .errors import EmulationError
from .halves import eighths, narrow, packed, saturated, widened
from .ptx import SIZES

ROUND = {"rn": np.rint, "rni": np.rint, "rz": np.trunc, "rzi": np.trunc, "rm": np.floor, "rmi": np.floor, "rp": np.ceil, "rpi": np.ceil}
INTEGERS = {f"{sign}{bits}": np.dtype(f"{'i' if sign == 's' else 'u'}{bits // 8}") for sign in "us" for bits in (8, 16, 32, 64)}


@instruction("mov")
def _(d, i):
    kind = type_of(i)
    to, source = i.operands
    if to.startswith("{"):
        return take_apart(d, i, kind)
    if source.startswith("{"):
        return put_together(d, i, kind)
    target, a = d.target(to, kind, i), d.source(source, kind, i)

    def run(w, m):
        np.copyto(w.rows[target], w.rows[a], where=m)

    return run


def take_apart(d, i, kind):
    parts = d.vector(i.operands[0])
    bits = SIZES[kind] // len(parts)
    targets, a = [d.target(p, f"b{bits}", i) for p in parts], d.source(i.operands[1], f"b{SIZES[kind]}", i)

    def run(w, m):
        whole = w.rows[a].copy()
        for n, target in enumerate(targets):
            write(w.rows, target, whole >> whole.dtype.type(n * bits), m)

    return run


def put_together(d, i, kind):
    parts = d.vector(i.operands[1])
    bits = SIZES[kind] // len(parts)
    target, sources = d.target(i.operands[0], f"b{SIZES[kind]}", i), [d.source(p, f"b{bits}", i) for p in parts]
    dtype = DTYPES[VIEWS[f"b{SIZES[kind]}"]]

    def run(w, m):
        whole = w.rows[sources[0]].astype(dtype)
        for n, source in enumerate(sources[1:], 1):
            whole |= w.rows[source].astype(dtype) << dtype(n * bits)
        write(w.rows, target, whole, m)

    return run


@instruction("cvta")
def _(d, i):
    """Shared memory, parameters and arrays have addresses of their own in one space, so they stay what they are."""
    target, a = d.target(i.operands[0], "u64", i), d.source(i.operands[1], "u64", i)

    def run(w, m):
        np.copyto(w.rows[target], w.rows[a], where=m)

    return run


@instruction("cvt")
def _(d, i):
    to, source = [p for p in i.parts[1:] if p in SIZES or p in ("e4m3x2", "e5m2x2")]
    if to.endswith("x2") and len(i.operands) == 3:
        return pack(d, i, to)
    if source in ("e4m3x2", "e5m2x2"):
        return unpack_bytes(d, i, to, source[:4])
    flags = [p for p in i.parts[1:] if p not in (to, source)]
    unknown = set(flags) - {*ROUND, "sat", "ftz"}
    if unknown:
        raise EmulationError(f"{i.text}: {unknown}")
    rounding = next((ROUND[f] for f in flags if f in ROUND), None)
    target_bits = d.width(i.operands[0], i, SIZES[to])
    source_bits = max(16, d.width(i.operands[1], i, SIZES[source]))
    target = d.target(i.operands[0], f"{'s' if to[0] == 's' else 'b'}{target_bits}" if to in INTEGERS else register_kind(to), i)
    a = d.source(i.operands[1], f"b{source_bits}" if source in INTEGERS or source == "bf16" else source, i)

    def read(row):
        if source in INTEGERS:
            return row.astype(f"u{INTEGERS[source].itemsize}").view(INTEGERS[source])
        return widened(row, "bf16", 0) if source == "bf16" else row

    def run(w, m):
        x = read(w.rows[a])
        if to in INTEGERS:
            value = to_integer(x, INTEGERS[to], rounding, "sat" in flags)
        else:
            value = to_float(x, to, rounding if source == to or source == "f64" else None, "sat" in flags, any(f.endswith("i") for f in flags))
        write(w.rows, target, value, m)

    return run


def register_kind(kind):
    return "b16" if kind == "bf16" else kind


def to_integer(x, dtype, rounding, saturates):
    if x.dtype.kind == "f":
        info = np.iinfo(dtype)
        whole = (rounding or np.trunc)(x.astype(np.float64))
        return np.array([0 if v != v else info.min if v <= info.min else info.max if v >= info.max else int(v) for v in whole], dtype)
    if saturates:
        info, own = np.iinfo(dtype), np.iinfo(x.dtype)
        return np.clip(x, max(info.min, own.min), min(info.max, own.max)).astype(dtype)
    return x.astype(dtype)


def to_float(x, kind, rounding, saturates, whole):
    if whole and rounding:
        x = rounding(x)
    if saturates:
        x = np.clip(np.nan_to_num(x, nan=0.0), 0, 1)
    if kind == "bf16":
        return narrow(x.astype(np.float32) if x.dtype != np.float64 else x, "bf16")
    return x.astype(DTYPES[VIEWS[kind]])


def pack(d, i, to):
    """Two floats in one register; the first operand becomes the upper half."""
    target = d.target(i.operands[0], "b16" if to[0] == "e" else "b32", i)
    upper, lower = (d.source(o, "f32", i) for o in i.operands[1:])
    element = to[:-2]

    def run(w, m):
        low, high = w.rows[lower], w.rows[upper]
        if "relu" in i.parts:
            low, high = np.maximum(low, 0), np.maximum(high, 0)
        if element in ("e4m3", "e5m2"):
            value = saturated(low, element).astype(np.uint16) | saturated(high, element).astype(np.uint16) << np.uint16(8)
        else:
            value = packed(narrow(low, element), narrow(high, element))
        write(w.rows, target, value, m)

    return run


def unpack_bytes(d, i, to, element):
    target, a = d.target(i.operands[0], to, i), d.source(i.operands[1], "b16", i)

    def run(w, m):
        both = w.rows[a]
        write(w.rows, target, packed(*[narrow(eighths(both >> np.uint16(8 * n) & 255, element), to[:-2]) for n in (0, 1)]), m)

    return run
