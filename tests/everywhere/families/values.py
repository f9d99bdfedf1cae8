"""The dtypes, and elements at which operations go wrong."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("float16", "bfloat16", "float32", "float64")
ARITHMETIC = (*INTEGERS, *FLOATS)


def numpy_of(name: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, name, name))


def kind(name: str) -> str:
    return "float" if name in FLOATS else "bool" if name == "bool" else "uint" if name.startswith("u") else "int"


def special(name: str) -> np.ndarray:
    """Sixteen elements of a dtype: limits, neighbours of zero and, for floats, what is no number."""
    dtype = numpy_of(name)
    if kind(name) == "float":
        info = ml_dtypes.finfo(dtype)
        tiny, least, most = (float(v) for v in (info.smallest_normal, info.smallest_subnormal, info.max))
        with np.errstate(all="ignore"):
            return np.array([0.0, -0.0, 1, -1, 0.1, 1 / 3, 3, -2.5, most, -most, least, -tiny, tiny * 1.5, np.inf, -np.inf, np.nan]).astype(dtype)
    info = np.iinfo(dtype)
    low = [info.min, info.min + 1, -7, -3, -2, -1] if info.min else [4, 6, 9, 10, 100, 77]
    return np.array([*low, 0, 1, 2, 3, 5, 7, 8, 61, info.max - 1, info.max], dtype)


def pairs(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Every special element with every other one."""
    found = list(itertools.product(range(16), repeat=2))
    every = special(name)
    return every[[a for a, _ in found]], every[[b for _, b in found]]


def drawn(name: str, size: int, seed: int = 1) -> np.ndarray:
    """Random bits, so that floats are of every size."""
    dtype = numpy_of(name)
    return np.random.default_rng(seed).integers(0, 256, size * dtype.itemsize, np.uint8).view(dtype)


@np.errstate(invalid="ignore")  # random bits may be signalling NaN
def nonzero(y: np.ndarray) -> np.ndarray:
    """`y` with 3 for its zeros: divisors."""
    return np.where(y == 0, y.dtype.type(3), y)
