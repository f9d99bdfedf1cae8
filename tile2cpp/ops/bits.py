"""Bitwise operations and shifts."""

from __future__ import annotations

import numpy as np

from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.meanings import quiet
from tile2cpp.ops.rules import dtype_of, integral, pair
from tile2cpp.ops.spelling import Spelled, infix, prefix
from tile2cpp.types import Tile

NO_INTEGERS = "Bitwise operations require integers or booleans. Use an explicit cuda.tile.bitcast() for non-integer operands."


def _bitwise(name: str, symbol: str, function, summary: str, nonnegative: str) -> None:
    def rule(x: Tile, y: Tile, /) -> Tile:
        for parameter, value in (("x", x), ("y", y)):
            if dtype_of(value).kind not in ("bool", "int", "uint"):
                raise Reject(parameter, f"`{symbol}` works on integers and bools, not on {value}", hint="ct.bitcast(x, ct.int32) gives the bits of a float32", known_as=NO_INTEGERS)
        if isinstance(x, Tile) and isinstance(y, Tile) and x.dtype != y.dtype:
            raise Reject("y", f"`{symbol}` needs operands of one dtype, but they are {x.dtype} and {y.dtype}", hint="convert one of them with .astype(...)", known_as=f"Bitwise operands must have same data type, got: {x.dtype} and {y.dtype}")
        result, operands = pair(x, y)
        return Typed(result, operands)

    rule.__name__, rule.__doc__ = name, summary
    spell = infix(symbol)

    def small(call, c) -> Spelled:
        spelled = spell(call, c)
        dtype = call.type.dtype
        if call.type.shape or dtype.bits >= 32:
            return spelled
        # C++ computes with small scalars, bools too, as int.
        return Spelled(f"{dtype.cpp}({spelled.text})" if dtype.kind == "bool" else f"({dtype.cpp})({spelled.text})", 11, bare=spelled.text)

    op(cpp=small, numpy=function, operator=symbol, nonnegative=nonnegative)(rule)


for _row in (
    ("bitwise_and", "&", np.bitwise_and, "`x & y`, bit by bit; logical for bools.", "operands"),
    ("bitwise_or", "|", np.bitwise_or, "`x | y`, bit by bit; logical for bools.", "operands"),
    ("bitwise_xor", "^", np.bitwise_xor, "`x ^ y`, bit by bit; logical for bools.", "operands"),
):
    _bitwise(*_row)


def _shift(name: str, symbol: str, function, summary: str) -> None:
    def rule(x: Tile, y: Tile, /) -> Tile:
        for parameter, value, side in (("x", x, "left"), ("y", y, "right")):
            integral(parameter, value, f"Bitwise shift requires an integer for {side}-hand side, got: {dtype_of(value)}")
        result, operands = pair(x, y)
        return Typed(result, operands)

    rule.__name__, rule.__doc__ = name, summary
    spell = infix(symbol)

    def small(call, c) -> Spelled:
        spelled = spell(call, c)
        dtype = call.type.dtype
        if call.type.shape or dtype.bits >= 32:
            return spelled
        return Spelled(f"({dtype.cpp})({spelled.text})", 11)

    op(cpp=small, numpy=quiet(function), operator=symbol, nonnegative="operands" if symbol == ">>" else "")(rule)


_shift("bitwise_lshift", "<<", np.left_shift, "`x << y`; bits shifted out are lost.")
_shift("bitwise_rshift", ">>", np.right_shift, "`x >> y`; signed integers keep their sign.")


def _spell_complement(call, c) -> Spelled:
    x = call["x"]
    if x.type.dtype.kind == "bool":
        return prefix("!")(call, c)
    if not x.type.shape and x.type.dtype.bits < 32:
        return Spelled(f"({x.type.dtype.cpp})(~{c(x, 11)})", 11)
    return prefix("~")(call, c)


@op(cpp=_spell_complement, numpy=lambda x: ~x, operator="~")
def bitwise_not(x: Tile, /) -> Tile:
    """`~x`: all bits flipped; logical not for bools."""
    if dtype_of(x).kind not in ("bool", "int", "uint"):
        raise Reject("x", f"`~` works on integers and bools, not on {x}")
    kept = Tile(dtype_of(x), x.shape)
    return Typed(kept, {"x": kept})
