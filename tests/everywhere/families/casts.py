"""Conversions: from every dtype into every other one, in every rounding mode that the pair has."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from families.batch import Batch, Row
from families.formats import EVERY, FORMATS, NATIVE, dtype_of
from families.values import INTEGERS, drawn, kind, numpy_of, special

import tile2cpp.lang as ct
from tile2cpp.ops.cast import allowed_modes
from tile2cpp.ops.formats import rounded

RANGES = {"bool": (0, 1)} | {name: (int(np.iinfo(name).min), int(np.iinfo(name).max)) for name in INTEGERS}


def code(source: str, target: str, mode=None, method: bool = False):
    enter, leave, dtype = FORMATS[source].enter, FORMATS[target].leave, dtype_of(target)
    if mode is not None:
        return lambda x: leave(ct.astype(enter(x), dtype, rounding_mode=mode))
    if method:
        return lambda x: leave(enter(x).astype(dtype))
    return lambda x: leave(ct.astype(enter(x), dtype))


def want(source: str, target: str, mode: str = "RN"):
    """The rules of section 3.6: truth is "not 0", integers wrap, floats are cut into integers, and rounded into floats."""
    start, end = FORMATS[source], FORMATS[target]

    def into(x):
        if target == "bool":
            return start.numbers(x) != 0
        if source in RANGES and target in RANGES:
            return x.astype(end.stored)
        if source in RANGES and target in ("float32", "float64"):
            return x.astype(target)
        if target in RANGES:
            return np.trunc(start.numbers(x)).astype(target)
        numbers = start.numbers(x)
        return end.memory(numbers if source == target else rounded(numbers, target, mode))

    return into


def elements(source: str, target: str) -> np.ndarray:
    """All codes of narrow formats, otherwise special and random elements; into integers only what fits."""
    if source == "bool":
        return np.array([False, True, True, False])
    if FORMATS[source].stored.itemsize == 1:
        codes = np.arange(256, dtype=np.uint8).view(FORMATS[source].stored)
    else:
        stored = FORMATS[source].stored.name
        codes = np.concatenate([special(stored), drawn(stored, 368, 31), near_ties(stored), ordinary(stored)])
    return codes if target not in RANGES or source in RANGES or target == "bool" else fitting(codes, source, target)


def ordinary(stored: str) -> np.ndarray:
    """Numbers from -200 to 200, halves among them: ties of narrow formats."""
    if kind(stored) == "float":
        return (np.arange(512) * 0.5 - 100).astype(numpy_of(stored))
    return np.arange(512).astype(stored)


def near_ties(stored: str) -> np.ndarray:
    """Numbers right beside the middle between two of a narrow format: a rounding on the way would move them onto it."""
    made = []
    for fraction in (1, 2, 3, 7, 10, 23):
        for whole in (1, 1 + 2.0**-fraction, 1.5):
            middle = whole + 2.0 ** -(fraction + 1)
            if stored == "float64":
                made += [sign * (middle + by) for by in (-(2.0**-45), 0, 2.0**-45) for sign in (1, -1)]
            elif stored == "float32":
                made += [middle + by for by in (-(2.0**-22), 0, 2.0**-22)]
            elif stored in ("int64", "uint64"):
                made += [middle * 2**45 + by for by in (-1, 0, 1)]
            elif stored in ("int32", "uint32"):
                made += [middle * 2**30 + by for by in (-1, 0, 1)]
    filled = np.zeros(128)
    filled[: len(made)] = made
    return filled.astype(numpy_of(stored))


def fitting(codes: np.ndarray, source: str, target: str) -> np.ndarray:
    """The same with 0 for what has no value in the integers of `target`."""
    low, high = RANGES[target]
    if source == "float4_e2m1fn":
        return codes if low < 0 else codes & 0x77  # the sign bits
    numbers = FORMATS[source].numbers(codes)
    inside = (numbers > low - 1) & (numbers < high + 1) & (numbers >= float(low)) & (numbers < float(high) if high > 2**52 else True)
    return np.where(inside, codes, np.zeros(1, codes.dtype)) if source != "float8_e8m0fnu" else np.where(inside, codes, np.ones(1, codes.dtype))


def converting(source: str) -> list[Batch]:
    """The conversions from one dtype; those into integers have elements of their own."""
    rows = {t: Row(code(source, t, method=n % 2 == 0), want(source, t)) for n, t in enumerate(EVERY) if t not in RANGES or source in RANGES or t == "bool"}
    if dtype_of(source).is_floating:  # others have no rounding mode; here nothing is rounded
        rows |= {f"{source} {mode.name}": Row(code(source, source, mode), want(source, source)) for mode in ct.RoundingMode}
    made = [Batch(f"cast {source}", (elements(source, "bool" if source == "bool" else source),), rows)]
    if source not in RANGES:
        signed = {t: Row(code(source, t), want(source, t)) for t in ("int8", "int16", "int32", "int64")}
        unsigned = {t: Row(code(source, t), want(source, t)) for t in ("uint8", "uint16", "uint32", "uint64")}
        made += [Batch(f"cast {source} to {t}", (elements(source, t),), {t: row}) for t, row in (signed | unsigned).items()]
    return made


def joined(batches: list[Batch]) -> Batch:
    """Several batches as one: every row takes the inputs of its own."""
    inputs, rows = [], {}
    for batch in batches:
        (array,) = batch.inputs
        number = next((n for n, known in enumerate(inputs) if known is array), len(inputs))
        inputs += [array] if number == len(inputs) else []
        for name, row in batch.rows.items():
            rows[f"{batch.name}: {name}"] = Row(picking(row.code, number), picking(row.want, number), row.ulps, row.zeros)
    return Batch(batches[0].name, tuple(inputs), rows)


def picking(function, number: int):
    return lambda *tiles: function(tiles[number])


def rounding(source: str) -> Batch:
    rows = {}
    for target in EVERY:
        if target not in (*RANGES, source):
            for mode in allowed_modes(dtype_of(source), dtype_of(target)):
                rows[f"{target} {mode}"] = Row(code(source, target, ct.RoundingMode[mode]), want(source, target, mode))
    return Batch(f"cast {source} rounded", (elements(source, source),), rows)


def batches():
    for source in EVERY:
        yield joined(converting(source))
        if source not in RANGES:
            yield rounding(source)


BATCHES = list(batches())
