"""The C++ of an operation on typical operands, as `tile2cpp ops` shows it.

Operands are made up from the kinds of the parameters and offered to the operation's
own typing rule; the first that it accepts are spelled as emission would spell them.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from tile2cpp import dtypes, ir
from tile2cpp.errors import Reject
from tile2cpp.lower.names import Names
from tile2cpp.ops import Op, result_of
from tile2cpp.speller import Speller
from tile2cpp.types import Array, Extent, Tile, View, Weak

SHAPES = ((64, 64), (64,), ())
DTYPES = (dtypes.float32, dtypes.int32)
RESHAPED = (32, 128)  # what a tile is made into

# What constants are, by what parameters are called; other constants have their default.
CONSTANTS = (
    {"axis": 1, "dtype": dtypes.float16, "axes": (1, 0), "divisor": 16, "keepdims": True},
    {"axis": 0, "dtype": dtypes.int32, "axes": (), "divisor": 16, "keepdims": True},
)


def example_spelling(op: Op) -> str:
    """The C++ of `op`, empty for what has no C++ of its own."""
    for dtype, shape in product(DTYPES, SHAPES):
        for constants in CONSTANTS:
            call = _example(op, dtype, shape, constants)
            if call is not None:
                return _spelled(call)
    return ""


def _spelled(call: ir.Call) -> str:
    speller = Speller(Names(set()), True, set(), {}, {})
    try:
        text = speller.spelled(call).text
        return text if text not in ("x", "fill_value") else ""
    except (AttributeError, KeyError, TypeError, ValueError):
        return ""  # a spelling that needs more than operands, such as the place it stands in


def _example(op: Op, dtype: dtypes.DType, shape: tuple[int, ...], constants: dict[str, Any]) -> ir.Call | None:
    """The operation on operands of one dtype and shape, or None when its rule refuses them."""
    arguments = {name: _operand(op, name, dtype, shape, constants) for name in op.signature.parameters}
    try:
        answer = result_of(_apply(op, {name: _type_of(value) for name, value in arguments.items()}))
    except (Reject, AttributeError, IndexError, KeyError, TypeError, ValueError):
        return None
    arguments.update(answer.constants)
    return ir.Call(op, tuple(arguments.items()), answer.result if isinstance(answer.result, (Tile, View)) else None)


def _apply(op: Op, types: dict[str, Any]) -> Any:
    named = {name for name, parameter in op.signature.parameters.items() if parameter.kind is parameter.KEYWORD_ONLY}
    return op.rule(*(t for n, t in types.items() if n not in named), **{n: types[n] for n in named})


def _operand(op: Op, name: str, dtype: dtypes.DType, shape: tuple[int, ...], constants: dict[str, Any]) -> Any:
    default = op.signature.parameters[name].default
    array = ir.ArrayName("array", Array(dtype, (Extent(),) * max(1, len(shape))))
    scalars = tuple(ir.Name(n, Tile(dtypes.int32)) for n in "ij"[: array.type.ndim])
    kind = op.kind(name)
    if kind == "Tile" and default is not op.signature.empty:
        return None if default is None else ir.Literal(default, Tile(dtype))
    if kind == "Const":
        return constants.get(name, None if default is op.signature.empty else default)
    made = {
        "Tile": ir.Name(name, Tile(dtype, shape)),
        "Tiles": tuple(ir.Name(n, Tile(dtype, shape)) for n in "xy"),
        "Array": array,
        "View": ir.ViewName(array, shape or (64,), "UNDETERMINED", View(array.type, shape or (64,))),
        "Shape": RESHAPED if len(shape) == 2 and "x" in op.signature.parameters else shape,
        "Index": scalars,
        "Indices": scalars,
    }
    return made.get(kind)  # None for functions, nested tuples and the like, which the rule then refuses


def _type_of(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_type_of(v) for v in value)
    if isinstance(value, ir.Literal):
        return Weak(value.value)
    return value.type if isinstance(value, (ir.Name, ir.ArrayName, ir.ViewName)) else value
