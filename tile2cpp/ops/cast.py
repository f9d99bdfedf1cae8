"""Conversions between dtypes."""

from __future__ import annotations

import numpy as np

from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import ROUNDINGS, dtype_argument, dtype_of, member
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile


def _spell_astype(call, c) -> Spelled:
    x, target = call["x"], call.type.dtype
    if x.type.dtype == target:
        return c.spelled(x)
    mode = call["rounding_mode"]
    tag = f", ct::{ROUNDINGS[getattr(mode, 'name', mode)]}_t{{}}" if mode is not None else ""
    inner = c.spelled(x)
    return Spelled(f"ct::element_cast<{target.cpp}>({inner.text}{tag})", shape=inner.shape)


def convert(x, dtype):
    """NumPy's conversion with the dialect's rules: float to integer truncates, number to bool is `!= 0`."""
    with np.errstate(all="ignore"):
        if dtype.kind == "bool":
            return np.asarray(x) != 0
        if dtype.name == "tfloat32":
            return _round_tf32(np.asarray(x, np.float32))
        return np.asarray(x).astype(dtype.numpy)


def _round_tf32(x):
    """float32 with the mantissa rounded to 10 bits, ties to even."""
    bits = np.ascontiguousarray(x).view(np.uint32)
    rounded = (bits + 0xFFF + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)
    return np.where(np.isfinite(x), rounded.view(np.float32).reshape(x.shape), x)


@op(cpp=_spell_astype, numpy=lambda x, result: convert(x, result.dtype), owner="tile", method="astype", nonnegative="operands")
def astype(x: Tile, dtype: Const, /, *, rounding_mode: Const = None) -> Tile:
    """`x` converted to `dtype`: floats round to nearest even, float to integer truncates."""
    target = dtype_argument("dtype", dtype)
    source = dtype_of(x)
    if rounding_mode is not None:
        name = member("rounding_mode", rounding_mode, ROUNDINGS)
        if not source.is_float or target.kind not in ("float", "restricted"):
            raise Reject("rounding_mode", f"rounding modes are for float to float, but this is {source} to {target}")
        if name in ("FULL", "APPROX"):
            raise Reject("rounding_mode", f"a conversion does not round by {name}", hint="use one of RN, RZ, RM, RP, RA")
    return Typed(Tile(target, x.shape), {"x": Tile(source, x.shape)}, {"dtype": target})


@op(cpp=lambda call, c: Spelled(f"ct::element_bitcast<{call.type.dtype.cpp}>({c(call['x'])})"), numpy=lambda x, result: np.ascontiguousarray(x).view(result.dtype.numpy).reshape(result.shape), owner="tile", method="bitcast")
def bitcast(x: Tile, /, dtype: Const) -> Tile:
    """The same bits as another dtype of the same size."""
    target = dtype_argument("dtype", dtype)
    source = dtype_of(x)
    if "bool" in (source.kind, target.kind):
        raise Reject("dtype", "bool has no bits to reinterpret", hint="convert with .astype(ct.uint8)")
    if source.bits != target.bits:
        raise Reject("dtype", f"{source} has {source.bits} bits, but {target} has {target.bits}")
    return Typed(Tile(target, x.shape), {"x": Tile(source, x.shape)}, {"dtype": target})
