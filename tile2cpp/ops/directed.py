"""Arithmetic rounded in a chosen direction, and without subnormals, as NumPy meanings.

NumPy rounds to nearest. From its result and the sign of what is missing to the exact one
follows the result in every other direction: it is that number or its neighbour.
"""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from tile2cpp.ops.formats import rounded

TINY = np.finfo(np.float32).tiny

PLAIN: dict[str, Callable] = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt}


def mode_name(mode: Any) -> str:
    """The name of a rounding mode; what is not directed is rounded to nearest here."""
    name = getattr(mode, "name", mode)
    return name if name in ("RZ", "RM", "RP") else "RN"


def flushed(x: np.ndarray, flush: bool = True) -> np.ndarray:
    """float32 with zeros of the same sign for its subnormals."""
    return np.where(np.abs(x) < TINY, np.copysign(np.float32(0), x), x) if flush else x


def compute(name: str, operands: tuple, mode: Any, flush: bool, dtype) -> np.ndarray:
    """`name` of `operands`, which are of `dtype`, rounded once."""
    direction = mode_name(mode)
    with np.errstate(all="ignore"):
        if direction == "RN" or not dtype.is_float:
            return flushed(PLAIN[name](*(flushed(x, flush) for x in operands)), flush)
        if dtype.bits == 16:  # two roundings in one direction are one
            wide = _directed(name, tuple(x.astype(np.float32) for x in operands), direction)
            return rounded(wide.astype(np.float64), dtype.name, direction).astype(dtype.numpy)
        return flushed(_directed(name, tuple(flushed(x, flush) for x in operands), direction), flush)


def _directed(name: str, operands: tuple, direction: str) -> np.ndarray:
    if name == "sub":
        name, operands = "add", (operands[0], -operands[1])
    near = np.asarray(PLAIN[name](*operands))
    missing = _missing(name, near, operands)
    if direction == "RZ":
        moves = missing * np.where(np.signbit(near), -1, 1) < 0
        made = np.where(moves, np.nextafter(near, near.dtype.type(0)), near)
    else:
        moves, end = (missing > 0, np.inf) if direction == "RP" else (missing < 0, -np.inf)
        made = np.where(moves, np.nextafter(near, near.dtype.type(end)), near)
    if name == "add" and direction == "RM":  # what cancels leaves -0
        made = np.where((made == 0) & (missing == 0) & (np.signbit(operands[0]) | np.signbit(operands[1])), -near.dtype.type(0), made)
    return made


def _missing(name: str, near: np.ndarray, operands: tuple) -> np.ndarray:
    """The sign of the exact result minus `near`, 0 where `near` is exact."""
    if near.dtype == np.float64:
        return np.frompyfunc(lambda *v: _sign(name, *v), 1 + len(operands), 1)(near, *operands).astype(np.int8)
    # Products of two float32 are exact in float64.
    near, first, *second = (x.astype(np.float64) for x in (near, *operands))
    second = second[0] if second else near
    if name == "add":
        total = first + second
        part = total - first
        left = (first - (total - part)) + (second - part)
        difference = np.where(total == near, left, total - near)
    elif name == "mul":
        difference = first * second - near
    else:
        difference = (first - near * second) * (np.sign(second) if name == "div" else 1)
    return np.where(np.isnan(difference), 0, np.sign(difference)).astype(np.int8)


def _sign(name: str, near: float, first: float, second: float = 0.0) -> int:
    """The same for one float64, in fractions."""
    from fractions import Fraction  # which few programs need

    if not (math.isfinite(first) and math.isfinite(second)) or math.isnan(near) or (name == "div" and second == 0):
        return 0
    if math.isinf(near):
        return -1 if near > 0 else 1
    x, y, made = Fraction(first), Fraction(second), Fraction(near)
    if name == "sqrt":
        difference = x - made * made
    else:
        exact = {"add": x + y, "mul": x * y, "div": x / y if y else x}[name]
        difference = exact - made
    return (difference > 0) - (difference < 0)


def folded(name: str, x: np.ndarray, axis: int, mode: Any, flush: bool, dtype) -> np.ndarray:
    """The running results along `axis`, one element after the other; the first one is itself."""
    columns = np.moveaxis(x, axis, 0)
    made = [columns[0]]
    for column in columns[1:]:
        made.append(compute(name, (made[-1], column), mode, flush, dtype))
    return np.moveaxis(np.stack(made), 0, axis)
