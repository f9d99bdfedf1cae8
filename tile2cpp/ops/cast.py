"""Conversions between dtypes."""

from __future__ import annotations

import math

import numpy as np

from tile2cpp.errors import Reject, TileValueError
from tile2cpp.ops import Typed, op
from tile2cpp.ops.formats import from_bits, rounded, to_bits
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


def whole_number(value: bool | int | float, dtype) -> int:
    """A constant as an element of an integral dtype: cut toward zero, and wrapped around where it does not fit."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Reject("", f"the constant {value} has no value in {dtype}", kind=TileValueError)
    low, high = dtype.range()
    return (int(value) - low) % (high - low + 1) + low


def convert(x, dtype, mode: str = "RN", source=None):
    """A conversion with the dialect's rules: float to integer truncates, number to bool is `!= 0`, floats round by `mode`."""
    if type(x) in (bool, int, float) and dtype.is_integral:
        x = whole_number(x, dtype)
    x = np.asarray(x)
    with np.errstate(all="ignore"):
        if dtype.kind == "bool":
            return x != 0
        twice = dtype.name == "bfloat16" and x.dtype.itemsize >= 4 and x.dtype != np.float32  # ml_dtypes would go through float32
        narrow = dtype.kind == "restricted" or (mode != "RN" and dtype.is_float) or twice
        if narrow and source != dtype:
            return rounded(x.astype(np.float64), dtype.name, mode).astype(dtype.numpy)
        return x.astype(dtype.numpy)


# The rounding modes of conversions: to e8m0 the first one is the default.
ALLOWED = {
    "float64": ("RN", "RZ", "RM", "RP", "RA"), "float32": ("RN", "RZ", "RM", "RP", "RA"), "float16": ("RN", "RZ", "RM", "RP", "RA"),
    "bfloat16": ("RN", "RZ"), "tfloat32": ("RN", "RZ", "RA"), "float8_e8m0fnu": ("RP", "RZ"),
}  # fmt: skip


# What float16 does not hold although it has no more bits.
BEYOND_HALF = ("bfloat16", "float8_e8m0fnu", "float8_e5m3fnu")

SCALES = ("float8_e8m0fnu", "float8_e5m3fnu")


def allowed_modes(source, target) -> tuple[str, ...]:
    """The rounding modes of a conversion; directions other than toward zero exist mostly where nothing is lost."""
    allowed = ALLOWED.get(target.name, ("RN",))
    if target.name == "bfloat16" or target.name == "float16" and (source.bits > 16 or source.name in BEYOND_HALF):
        return ("RN", "RZ")
    if target.name == "tfloat32" and source.bits > 32 or source.name in SCALES and target.name not in SCALES and len(allowed) > 1:
        return ("RN", "RZ")  # NVIDIA's compiler takes no other mode of scales either, although nothing is lost
    if target.name == "float32" and source.bits > 32:
        return ("RN", "RZ", "RM", "RP")
    return allowed


def _check_rounding(mode, source, target) -> str:
    """The name of the rounding mode, which the pair of dtypes must have."""
    if mode is None:
        return "RN"
    if not source.is_floating or not target.is_floating:
        raise Reject("rounding_mode", f"rounding modes are for float to float, but this is {source} to {target}", known_as="rounding_mode is only valid for float to float conversions")
    if source == target:  # nothing is rounded
        return "RN"
    name, allowed = member("rounding_mode", mode, ROUNDINGS), allowed_modes(source, target)
    if name not in allowed:
        known_as = f"rounding_mode={mode} is not supported for conversion from {source} to {target}"
        raise Reject("rounding_mode", f"{source} to {target} does not round by {name}", hint="use one of " + ", ".join(allowed), known_as=known_as)
    return name


def _astype_numpy(x, rounding_mode, types, result):
    return convert(x, result.dtype, getattr(rounding_mode, "name", rounding_mode) or "RN", types["x"].dtype)


@op(cpp=_spell_astype, numpy=_astype_numpy, owner="tile", method="astype", nonnegative="operands")
def astype(x: Tile, /, dtype: Const, *, rounding_mode: Const = None) -> Tile:
    """`x` converted to `dtype`: floats round to nearest even, float to integer truncates."""
    target = dtype_argument("dtype", dtype)
    source = dtype_of(x)
    _check_rounding(rounding_mode, source, target)
    return Typed(Tile(target, x.shape), {"x": Tile(source, x.shape)}, {"dtype": target})


def _bitcast_numpy(x, types, result):
    return from_bits(to_bits(x, types["x"].dtype), result.dtype).reshape(result.shape)


@op(cpp=lambda call, c: Spelled(f"ct::element_bitcast<{call.type.dtype.cpp}>({c(call['x'])})"), numpy=_bitcast_numpy, owner="tile", method="bitcast")
def bitcast(x: Tile, /, dtype: Const) -> Tile:
    """The same bits as another dtype of the same size."""
    target = dtype_argument("dtype", dtype, "bitcast to or from a foreign pointer is not supported")
    source = dtype_of(x)
    if "bool" in (source.kind, target.kind):
        raise Reject("dtype", "bool has no bits to reinterpret", hint="compare with 0, or convert with .astype(...)", known_as=f"Cannot bitcast from {source} to {target}: bitcast to or from bool is not supported")
    if "tfloat32" in (source.name, target.name) and source != target:
        raise Reject("dtype", "tfloat32 has no 32 bits to reinterpret", hint="convert it with .astype(ct.float32) first")
    if source.bits != target.bits:
        raise Reject("dtype", f"{source} has {source.bits} bits, but {target} has {target.bits}", hint="take a dtype of the same width; ct.pack_to_bytes and ct.unpack_from_bytes regroup bytes", known_as=f"Cannot bitcast from {source} to {target}: bit width is different ({source.bits} vs. {target.bits})")
    return Typed(Tile(target, x.shape), {"x": Tile(source, x.shape)}, {"dtype": target})
