"""Arrays of a list parameter: `xs[i]`, with an `i` that may be known only at run time."""

from __future__ import annotations

import ast

from tile2cpp import dtypes, ir
from tile2cpp.lower.slices import wanted_name
from tile2cpp.lower.values import ArrayValue, Constant, ListValue, Runtime, Value, describe
from tile2cpp.ops import OPERATORS
from tile2cpp.types import Tile


def item(frame, node: ast.Subscript, base: ListValue) -> ArrayValue:
    """The array at a position; negative constants count from the end."""
    if isinstance(node.slice, ast.Slice):
        raise frame.fault(node, "a list has no slices in tile code", hint="pass the part of the list that the kernel needs")
    index = _index(frame, node, base)
    kind = base.expr.type.element
    if not isinstance(index, (ir.Name, ir.Literal)):  # it is written once for each table
        index = frame.stable(index, f"{base.expr.name}_index")
    name = frame.names.fresh(wanted_name(frame, node) or f"{base.expr.name}_item")
    frame.emit(ir.Pick(name, base.expr, index, kind, frame.take_note()))
    return ArrayValue(ir.ArrayName(name, kind))


def _index(frame, node: ast.Subscript, base: ListValue) -> ir.Expr:
    value: Value = frame.value(node.slice)
    if isinstance(value, Constant) and type(value.value) is int:
        literal = ir.Literal(abs(value.value), Tile(dtypes.int32))
        if value.value >= 0:
            return literal
        return frame.apply(OPERATORS["-"], {"x": Runtime(ir.Length(base.expr)), "y": Constant(-value.value)}, node, {}).expr
    if isinstance(value, Runtime) and not value.type.shape and value.type.dtype.kind in ("int", "uint"):
        return value.expr
    raise frame.fault(node.slice, f"a list's index must be an integer scalar, but this is {describe(value)}")
