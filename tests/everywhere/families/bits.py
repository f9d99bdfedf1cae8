"""Bits: operators on integers, the same bits as another dtype, and bytes."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from families.batch import Batch, Row
from families.values import INTEGERS, drawn, pairs

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME

OPERATORS = {
    "x & y": Row(lambda x, y: x & y, lambda x, y: x & y),
    "x | y": Row(lambda x, y: x | y, lambda x, y: x | y),
    "x ^ y": Row(lambda x, y: x ^ y, lambda x, y: x ^ y),
    "~x": Row(lambda x, y: ~x, lambda x, y: ~x),
    "x & 5": Row(lambda x, y: x & 5, lambda x, y: x & x.dtype.type(5)),
    # Counts are unsigned, and those beyond the width shift everything out.
    "x << y": Row(lambda x, y: x << y, lambda x, y: np.left_shift(x, y)),
    "x >> y": Row(lambda x, y: x >> y, lambda x, y: np.right_shift(x, y)),
    "x << 3": Row(lambda x, y: x << 3, lambda x, y: x << x.dtype.type(3)),
    "x >> 2": Row(lambda x, y: x >> 2, lambda x, y: x >> x.dtype.type(2)),
    "bitwise_and": Row(lambda x, y: ct.bitwise_and(x, y), lambda x, y: x & y),
    "bitwise_or": Row(lambda x, y: ct.bitwise_or(x, y), lambda x, y: x | y),
    "bitwise_xor": Row(lambda x, y: ct.bitwise_xor(x, y), lambda x, y: x ^ y),
    "bitwise_not": Row(lambda x, y: ct.bitwise_not(x), lambda x, y: ~x),
    "bitwise_lshift": Row(lambda x, y: ct.bitwise_lshift(x, y & 7), lambda x, y: np.left_shift(x, y & y.dtype.type(7))),
    "bitwise_rshift": Row(lambda x, y: ct.bitwise_rshift(x, y & 7), lambda x, y: np.right_shift(x, y & y.dtype.type(7))),
}  # fmt: skip

# The dtypes that a bitcast goes between, by their width; float8_e5m3fnu has no array and is met on the way.
WIDTHS = {
    8: ("int8", "uint8", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"),
    16: ("int16", "uint16", "float16", "bfloat16"),
    32: ("int32", "uint32", "float32"),
    64: ("int64", "uint64", "float64"),
}


def numpy_dtype(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, name))


def bitcast(dtype, method: bool):
    return (lambda x: x.bitcast(dtype)) if method else (lambda x: ct.bitcast(x, dtype))


def through(dtype, last):
    return lambda x: ct.bitcast(ct.bitcast(x, dtype), last)


def casts(source: str, others: tuple[str, ...]) -> dict[str, Row]:
    # Signalling NaNs may become quiet where a float is moved, so bits are looked at, not numbers.
    rows = {}
    for number, name in enumerate(others):
        rows[f"bitcast to {name}"] = Row(bitcast(BY_NAME[name], number % 2 == 0), lambda x, d=numpy_dtype(name): x.view(d))
    if source in WIDTHS[8]:
        rows["through e5m3"] = Row(through(ct.float8_e5m3fnu, BY_NAME[source]), lambda x: x)
    rows["bytes"] = Row(lambda x: ct.pack_to_bytes(x), lambda x: x.view(np.uint8))
    rows["bytes and back"] = Row(lambda x: ct.unpack_from_bytes(ct.pack_to_bytes(x), x.dtype), lambda x: x)
    return rows


def every(source: str) -> np.ndarray:
    """All bits of narrow elements, some of wide ones."""
    dtype = numpy_dtype(source)
    if dtype.itemsize == 1:
        return np.arange(256, dtype=np.uint8).view(dtype)
    return drawn(source, 128)


def small_rows() -> dict[str, Row]:
    """The formats without arrays: their bytes go in and come out."""
    return {
        "e2m1": Row(lambda x: ct.pack_to_bytes(ct.unpack_from_bytes(x, ct.float4_e2m1fn)), lambda x: x),
        "e5m3": Row(lambda x: ct.pack_to_bytes(ct.unpack_from_bytes(x, ct.float8_e5m3fnu)), lambda x: x),
        "e4m3": Row(lambda x: ct.pack_to_bytes(ct.unpack_from_bytes(x, ct.float8_e4m3fn)), lambda x: x),
        "e5m2": Row(lambda x: ct.pack_to_bytes(ct.unpack_from_bytes(x, ct.float8_e5m2)), lambda x: x),
        "e8m0": Row(lambda x: ct.pack_to_bytes(ct.unpack_from_bytes(x, ct.float8_e8m0fnu)), lambda x: x),
        "int32": Row(lambda x: ct.unpack_from_bytes(x, ct.int32), lambda x: x.view(np.int32)),
        "float64": Row(lambda x: ct.unpack_from_bytes(x, ct.float64), lambda x: x.view(np.float64)),
    }


def batches():
    for name in INTEGERS:
        yield Batch(f"bits {name}", pairs(name), OPERATORS)
    for names in WIDTHS.values():
        for name in names:
            yield Batch(f"bitcast {name}", (every(name),), casts(name, names))
    yield Batch("bytes of small formats", (np.arange(256, dtype=np.uint8),), small_rows())


BATCHES = list(batches())
