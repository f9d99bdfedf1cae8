"""Floating formats by their numbers: exact rounding into each, in every direction.

NumPy rounds to nearest even only, and the small formats of ml_dtypes overflow to NaN
where the hardware stops at the largest number; so conversions are computed here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Format(NamedTuple):
    """`fraction` bits of mantissa, the exponent of the smallest normal number, the largest number.

    Numbers beyond the largest become infinity, or the largest where `stops`.
    """

    fraction: int
    least: int
    largest: float
    stops: bool = False


FORMATS = {
    "float32": Format(23, -126, float(np.finfo(np.float32).max)),
    "tfloat32": Format(10, -126, (2 - 2**-10) * 2.0**127),
    "float16": Format(10, -14, 65504.0),
    "bfloat16": Format(7, -126, (2 - 2**-7) * 2.0**127),
    "float8_e4m3fn": Format(3, -6, 448.0, True),
    "float8_e5m2": Format(2, -14, 57344.0, True),
    "float8_e5m3fnu": Format(3, -14, 114688.0, True),
    "float4_e2m1fn": Format(1, 0, 6.0, True),
}


def rounded(x: np.ndarray, name: str, mode: str = "RN") -> np.ndarray:
    """`x` (float64) with every element rounded into the format `name`, as float64."""
    with np.errstate(all="ignore"):
        if name == "float8_e8m0fnu":
            return _power_of_two(x, mode)
        if name not in FORMATS:
            return x
        made = _rounded(x, FORMATS[name], mode)
        if name == "float4_e2m1fn":
            return np.where(np.isnan(x), 6.0, made)  # the format has no NaN
        if name == "float8_e5m3fnu":
            return np.abs(made)  # nor this one a sign
        return made


def _rounded(x: np.ndarray, format: Format, mode: str) -> np.ndarray:
    _, exponent = np.frexp(x)
    step = np.maximum(exponent - 1, format.least) - format.fraction
    whole = np.ldexp(x, -step)  # exact: the digits that stay are before the point
    steps = {"RN": np.rint, "RZ": np.trunc, "RM": np.floor, "RP": np.ceil, "RA": _ties_away}
    made = np.where(np.isfinite(x), np.ldexp(steps[mode](whole), step), x)
    made = np.copysign(made, x)
    beyond = np.abs(made) > format.largest
    if not format.stops:
        up = {"RZ": False, "RM": np.signbit(x), "RP": ~np.signbit(x)}.get(mode, True)
        return np.where(beyond & np.isfinite(x), np.copysign(np.where(up, np.inf, format.largest), x), made)
    return np.where(beyond, np.copysign(format.largest, x), made)


def _ties_away(x: np.ndarray) -> np.ndarray:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _power_of_two(x: np.ndarray, mode: str) -> np.ndarray:
    """e8m0: the next power of two above (below with RZ), between 2^-127 and 2^127."""
    fraction, exponent = np.frexp(np.abs(x))  # the format has no sign
    above = (fraction > 0.5) & (mode != "RZ")
    power = np.clip(np.where(np.isinf(x), 127, exponent - 1 + above), -127, 127)
    made = np.ldexp(1.0, np.where(x == 0, -127, power))
    return np.where(np.isnan(x), np.nan, made)


def _decoded(codes: np.ndarray) -> np.ndarray:
    """The numbers that codes of `float8_e5m3fnu` mean, as float32."""
    power, fraction = codes.astype(np.int32) >> 3, (codes & 7).astype(np.float32)
    made = np.where(power == 0, np.ldexp(fraction / 8, -14), np.ldexp(1 + fraction / 8, power - 15))
    return np.where(codes == 255, np.nan, made).astype(np.float32)


def to_bits(x: np.ndarray, dtype) -> np.ndarray:
    """The bits of elements, as unsigned integers; 4-bit ones in the low half of a byte."""
    if dtype.name == "float8_e5m3fnu":
        return np.where(np.isnan(x), 255, np.searchsorted(_decoded(np.arange(255, dtype=np.uint8)), x)).astype(np.uint8)
    flat = np.ascontiguousarray(x).reshape(-1)
    return flat.view(f"u{flat.dtype.itemsize}")


def from_bits(bits: np.ndarray, dtype) -> np.ndarray:
    """The elements that such bits mean."""
    if dtype.name == "float8_e5m3fnu":
        return _decoded(bits)
    return np.ascontiguousarray(bits).reshape(-1).view(dtype.numpy)
