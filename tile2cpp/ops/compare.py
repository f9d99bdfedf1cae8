"""Comparison, logic and selection."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import arithmetic, dtype_of, pair
from tile2cpp.ops.spelling import AND, CONDITIONAL, OR, UNARY, Spelled, infix
from tile2cpp.types import Tile, broadcast_shapes


def _comparison(name: str, symbol: str, function, summary: str) -> None:
    def rule(x: Tile, y: Tile, /) -> Tile:
        arithmetic(("x", x), ("y", y))
        result, operands = pair(x, y)
        return Typed(result.like(dtypes.bool_), operands)

    rule.__name__, rule.__doc__ = name, summary
    op(cpp=infix(symbol), numpy=function, operator=symbol)(rule)


for _row in (
    ("greater", ">", np.greater, "`x > y`, elementwise; false for NaN."),
    ("greater_equal", ">=", np.greater_equal, "`x >= y`, elementwise; false for NaN."),
    ("less", "<", np.less, "`x < y`, elementwise; false for NaN."),
    ("less_equal", "<=", np.less_equal, "`x <= y`, elementwise; false for NaN."),
    ("equal", "==", np.equal, "`x == y`, elementwise; false for NaN."),
    ("not_equal", "!=", np.not_equal, "`x != y`, elementwise; true for NaN."),
):
    _comparison(*_row)


def _spell_where(call, c) -> Spelled:
    return Spelled(f"ct::select({c(call['cond'])}, {c(call['x'])}, {c(call['y'])})")


@op(cpp=_spell_where, numpy=lambda cond, x, y: np.where(cond != 0, x, y), addresses=True)
def where(cond: Tile, x: Tile, y: Tile, /) -> Tile:
    """`x` where `cond` is true (not 0), else `y`; all three broadcast."""
    if dtype_of(cond).kind == "pointer":
        raise Reject("cond", f"the condition must be numbers, but it is {cond}")
    dtype = pair(x, y)[0].dtype
    shape = broadcast_shapes(cond.shape, broadcast_shapes(x.shape, y.shape, "y"), "x")
    full = Tile(dtype, shape)
    condition = Tile(dtype_of(cond), cond.shape)
    return Typed(full, {"cond": condition, "x": full, "y": full})


def _truth(name: str, x) -> Tile:
    if x.shape:
        symbol = {"logical_and": "&", "logical_or": "|"}[name]
        word = {"logical_and": "and", "logical_or": "or"}[name]
        raise Reject("x", f"`{word}` works on scalars, but this is {x}", hint=f"between tiles write {symbol}, with parentheses around each side")
    arithmetic(("x", x))
    return Tile(dtype_of(x))


def _logical(name: str, symbol: str, function):
    """Scalar `and` and `or`, which evaluate the right side only when needed."""

    def rule(x: Tile, y: Tile, /) -> Tile:
        return Typed(Tile(dtypes.bool_), {"x": _truth(name, x), "y": _truth(name, y)})

    rule.__name__, rule.__doc__ = name, f"Scalar `{'and' if symbol == '&&' else 'or'}`, as a bool."
    return op(cpp=infix(symbol), numpy=function, public=False)(rule)


logical_and = _logical("logical_and", "&&", lambda x, y: np.logical_and(x != 0, y != 0))
logical_or = _logical("logical_or", "||", lambda x, y: np.logical_or(x != 0, y != 0))


def _spell_not(call, c) -> Spelled:
    return Spelled(f"!{c(call['x'], UNARY)}", UNARY)


@op(cpp=_spell_not, numpy=lambda x: x == 0, operator="not", public=False)
def logical_not(x: Tile, /) -> Tile:
    """`not x`, elementwise: whether an element is 0."""
    arithmetic(("x", x))
    kept = Tile(dtype_of(x), x.shape)
    return Typed(kept.like(dtypes.bool_), {"x": kept})


def _spell_choice(call, c) -> Spelled:
    return Spelled(f"{c(call['cond'], OR)} ? {c(call['x'], AND)} : {c(call['y'], CONDITIONAL)}", CONDITIONAL)


@op(cpp=_spell_choice, numpy=lambda cond, x, y: x if cond else y, public=False, nonnegative="branches")
def choose(cond: Tile, x: Tile, y: Tile, /) -> Tile:
    """`x if cond else y` for a run-time scalar condition."""
    if cond.shape:
        raise Reject("cond", f"the condition must be a scalar, but it is {cond}", hint="use ct.where for a choice per element")
    types = [Tile(dtype_of(v), v.shape) for v in (x, y)]
    if types[0] != types[1]:
        raise Reject("y", f"both branches must have one type, but they are {types[0]} and {types[1]}")
    return Typed(types[0], {"cond": Tile(dtype_of(cond)), "x": types[0], "y": types[1]})
