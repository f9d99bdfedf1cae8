"""What ops make of compile-time numbers alone: numbers again, computed in double precision or without bounds.

    ct.minimum(N, 128)        # a constant when N is one, and so an extent
    tile_f16 * ct.exp(2.0)    # a float16 tile, since a constant adapts to the tile
"""

from __future__ import annotations

import math
import operator
from typing import Any, Callable

import numpy as np

from tile2cpp.ops import Op


def _in_double(function: Callable) -> Callable:
    """A function of floats as NumPy computes it: overflow is infinite, and what has no value is NaN."""

    def call(*numbers):
        with np.errstate(all="ignore"):
            return float(function(*(np.float64(x) for x in numbers)))

    return call


def _extreme(choose: Callable) -> Callable:
    """The smaller or larger of two numbers; NaN counts only beside NaN."""
    return lambda x, y: y if x != x else x if y != y else choose(x, y)


MEANINGS: dict[str, Callable] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv, "floordiv": operator.floordiv,
    "mod": operator.mod, "pow": operator.pow, "cdiv": lambda x, y: -(-x // y), "maximum": _extreme(max), "minimum": _extreme(min),
    "atan2": math.atan2, "negative": operator.neg, "abs": lambda x: x if isinstance(x, bool) else abs(x),
    "greater": operator.gt, "greater_equal": operator.ge, "less": operator.lt, "less_equal": operator.le, "equal": operator.eq, "not_equal": operator.ne,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor, "bitwise_not": operator.invert,
    "bitwise_lshift": operator.lshift, "bitwise_rshift": operator.rshift, "isnan": math.isnan,
    "rsqrt": _in_double(lambda x: 1 / np.sqrt(x)),
    **{name: _in_double(getattr(np, name)) for name in ("exp", "exp2", "log", "log2", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "floor", "ceil")},
}  # fmt: skip

# Ops that give a number back as it is, where their rule lets a scalar pass.
UNCHANGED = {"sum", "prod", "max", "min", "reshape", "broadcast_to", "assume_divisible_by"}
CONVERSIONS = {"astype", "bitcast"}  # these do so for the dtype that the number has of its own


# What refuses some numbers, which then meet the op's rule: a whole number has no floor, True no complement.
ONLY = {"floor": float, "ceil": float, "isnan": float, "bitwise_not": int}


def numbers_of(op: Op, values: dict[str, Any], number: Callable[[Any], Any]) -> list[Any] | None:
    """The operands of an op that has a meaning for numbers, when all of them are; `number` gives that of a value, or None."""
    if op.name not in MEANINGS:
        return None
    found = [number(value) for parameter, value in values.items() if op.kind(parameter) == "Tile"]
    wanted = ONLY.get(op.name)
    if None in found or wanted is not None and type(found[0]) is not wanted:
        return None
    return found
