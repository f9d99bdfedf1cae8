"""What drawn kernels compute with: dtypes, shapes, and values with what is known of their error."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from ml_dtypes import bfloat16

SIGNED = ("i8", "i16", "i32", "i64")
UNSIGNED = ("u8", "u16", "u32", "u64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("f16", "bf16", "f32", "f64")
DTYPES = ("b", *INTEGERS, *FLOATS)

NAMES = {
    "b": "bool_", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip

SHAPES = ((), (1,), (4,), (8,), (1, 1), (1, 8), (4, 1), (4, 8), (8, 4), (2, 4, 4))


def numpy_dtype(dtype: str) -> np.dtype:
    return np.dtype({"b": bool, "bf16": bfloat16}.get(dtype, NAMES[dtype].rstrip("_")))


def bits(dtype: str) -> int:
    return 8 if dtype == "b" else int(dtype.lstrip("biuf"))


def limits(dtype: str) -> tuple[int, int]:
    info = np.iinfo(numpy_dtype(dtype))
    return int(info.min), int(info.max)


@dataclass(frozen=True)
class Value:
    """A drawn expression.

    `exact`: every backend computes the very same bits. `product`: it ends in a
    multiplication, so that a compiler may fuse an addition to it. `ulps`: how many
    roundings (of its coarsest dtype, `eps`) an inexact value may be away.
    """

    text: str
    dtype: str
    shape: tuple[int, ...] = ()
    exact: bool = True
    product: bool = False
    ulps: float = 0
    eps: float = 0.0

    def named(self, name: str) -> "Value":
        """The same value, read from a variable."""
        return replace(self, text=name)


def epsilon(dtype: str) -> float:
    from ml_dtypes import finfo

    return float(finfo(numpy_dtype(dtype)).eps) if dtype in FLOATS else 0.0


# How far the backends may differ in one inexact step, in units in the last place of the result.
ROUNDINGS = {
    "arithmetic": 1,  # a fused multiply-add rounds once instead of twice
    "function": 4,  # exp, sin, ...: libm, CUDA's and NumPy's are each within two
    "power": 16,  # pow of float32 within eight each
    "sum": 1,  # for each addend: the order is free
}


def inexact(text: str, dtype: str, shape: tuple, parts: tuple[Value, ...], step: str, count: int = 1) -> Value:
    """A float that is away from the true value by what its parts are, and by its own step."""
    ulps = sum(p.ulps for p in parts) + ROUNDINGS[step] * count
    return Value(text, dtype, shape, False, False, ulps, max([epsilon(dtype), *(p.eps for p in parts)]))


def following(text: str, dtype: str, shape: tuple, parts: tuple[Value, ...], product: bool = False) -> Value:
    """A value whose own step is exactly rounded: as good as its parts."""
    exact = all(p.exact for p in parts)
    ulps = 0 if exact else sum(p.ulps for p in parts) + ROUNDINGS["arithmetic"]
    eps = 0.0 if exact else max([epsilon(dtype), *(p.eps for p in parts)])
    return Value(text, dtype, shape, exact, product, ulps, eps)


def widened(shape: tuple, choose) -> tuple[tuple, tuple]:
    """Two shapes that broadcast to `shape`."""

    def part():
        kept = tuple(e if choose(3) else 1 for e in shape)
        while kept and kept[0] == 1 and choose(2):
            kept = kept[1:]
        return kept

    other = part() if choose(2) else shape
    return (shape, other) if choose(2) else (other, shape)
