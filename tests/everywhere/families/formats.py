"""Every dtype in the form in which an array can hold it, and the way in and out of it."""

from __future__ import annotations

from typing import Callable, NamedTuple

import numpy as np
from families.values import FLOATS, INTEGERS, numpy_of

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME
from tile2cpp.ops.formats import from_bits, rounded, to_bits

NATIVE = ("bool", *INTEGERS, *FLOATS, "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu")
EVERY = (*NATIVE, "tfloat32", "float8_e5m3fnu", "float4_e2m1fn")


class Format(NamedTuple):
    """`stored` holds elements in memory; `enter` makes a tile of the dtype of them, `leave` turns it back.

    `numbers` says as float64 what memory means, `memory` is the inverse.
    """

    stored: np.dtype
    enter: Callable
    leave: Callable
    numbers: Callable
    memory: Callable


def same(x):
    return x


def plain(name: str) -> Format:
    dtype = numpy_of(name)
    return Format(dtype, same, same, lambda a: a.astype(np.float64), lambda a: a.astype(dtype))


def nibbles(packed: np.ndarray) -> np.ndarray:
    return np.stack([packed & 15, packed >> 4], -1).reshape(-1)


def packed(codes: np.ndarray) -> np.ndarray:
    flat = np.ascontiguousarray(codes).reshape(-1)
    return flat[0::2] | flat[1::2] << 4


e5m3, e2m1, tf32 = ct.float8_e5m3fnu, ct.float4_e2m1fn, ct.tfloat32

FORMATS = {name: plain(name) for name in NATIVE} | {
    "tfloat32": Format(np.dtype(np.float32), lambda x: x.astype(tf32), lambda x: x.astype(ct.float32), lambda a: rounded(a.astype(np.float64), "tfloat32"), lambda a: a.astype(np.float32)),
    "float8_e5m3fnu": Format(
        np.dtype(np.uint8), lambda x: ct.bitcast(x, e5m3), lambda x: ct.bitcast(x, ct.uint8),
        lambda a: from_bits(a, e5m3).reshape(a.shape).astype(np.float64), lambda a: to_bits(a.astype(np.float32), e5m3).reshape(a.shape),
    ),
    "float4_e2m1fn": Format(
        np.dtype(np.uint8), lambda x: ct.unpack_from_bytes(x, e2m1), lambda x: ct.pack_to_bytes(x),
        lambda a: from_bits(nibbles(a), e2m1).astype(np.float64), lambda a: packed(to_bits(a.astype(e2m1.numpy), e2m1)),
    ),
}  # fmt: skip


def dtype_of(name: str):
    return BY_NAME[{"bool": "bool_"}.get(name, name)]
