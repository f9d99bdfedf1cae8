"""Floats of 16 and 8 bits as they lie in registers, to and from float."""

from __future__ import annotations

import ml_dtypes
import numpy as np

SMALL = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}


def widened(bits, kind, half):
    """Floats of the lower (0) or upper (1) half of registers."""
    return (bits >> bits.dtype.type(16 * half) if half else bits).astype(np.uint16).view(SMALL[kind]).astype(np.float32)


def narrow(values, kind):
    """The bits of floats, rounded to nearest."""
    return values.astype(SMALL[kind]).view(np.uint16)


def packed(low, high):
    return low.astype(np.uint32) | high.astype(np.uint32) << np.uint32(16)


def eighths(bits, kind):
    """Floats of bytes."""
    return bits.astype(np.uint8).view(SMALL[kind]).astype(np.float32)


def saturated(values, kind):
    """The bytes of floats, where what is too large becomes the largest."""
    most = float(ml_dtypes.finfo(SMALL[kind]).max)
    return np.clip(values, -most, most).astype(SMALL[kind]).view(np.uint8)
