"""Arrays of a list parameter: `xs[i]`, with an `i` that may be known only at run time."""

from __future__ import annotations

import ast
from typing import Callable

from tile2cpp import dtypes, ir
from tile2cpp.lower.merging import Meeting
from tile2cpp.lower.slices import wanted_name
from tile2cpp.lower.values import ArrayValue, Constant, ListChoice, ListValue, Runtime, Value, describe
from tile2cpp.ops import OPERATORS
from tile2cpp.types import Tile


def item(frame, node: ast.Subscript, base: ListValue | ListChoice) -> Value:
    """The array at a position; negative constants count from the end."""
    if isinstance(node.slice, ast.Slice):
        raise frame.fault(node, "a list has no slices in tile code", hint="pass the part of the list that the kernel needs")
    index = frame.value(node.slice)
    if isinstance(base, ListChoice) and isinstance(index, Runtime) and not index.type.shape and not isinstance(index.expr, (ir.Name, ir.Literal)):
        index = Runtime(frame.stable(index.expr, "index"))  # it is written once for each list
    return _of_each(frame, node, base, wanted_name(frame, node) or "item", lambda one: _picked(frame, node, one, index))


def length(frame, node: ast.Call, base: ListValue | ListChoice) -> Value:
    return _of_each(frame, node, base, "length", lambda one: Runtime(ir.Length(one.expr)))


def _of_each(frame, node: ast.AST, base: ListValue | ListChoice, name: str, make: Callable[[ListValue], Value]) -> Value:
    """What `make` finds for a list; where paths have chosen the list, for each of them in a branch of its own."""
    if isinstance(base, ListValue):
        return make(base)
    if isinstance(base.which, Constant):
        return make(base.lists[base.which.value])
    paths, values = [], []
    for one in base.lists:
        with frame.block() as path:
            values.append(make(one))
        paths.append(path.out)
    meeting = Meeting(frame, paths)
    made = meeting.merged(name, values)
    frame.out += meeting.declared
    chain = tuple(paths[-1])
    for number in reversed(range(len(paths) - 1)):
        test = frame.apply(OPERATORS["=="], {"x": base.which, "y": Constant(number)}, node, {}).expr
        chain = (ir.If(test, tuple(paths[number]), chain),)
    frame.out += chain
    frame.out += meeting.after
    return made


def _picked(frame, node: ast.Subscript, base: ListValue, value: Value) -> ArrayValue:
    index = _index(frame, node, base, value)
    kind = base.expr.type.element
    if not isinstance(index, (ir.Name, ir.Literal)):  # it is written once for each table
        index = frame.stable(index, f"{base.expr.name}_index")
    name = frame.names.fresh(wanted_name(frame, node) or f"{base.expr.name}_item")
    frame.emit(ir.Pick(name, base.expr, index, kind, frame.take_note()))
    return ArrayValue(ir.ArrayName(name, kind))


def _index(frame, node: ast.Subscript, base: ListValue, value: Value) -> ir.Expr:
    if isinstance(value, Constant) and type(value.value) is int:
        literal = ir.Literal(abs(value.value), Tile(dtypes.int32))
        if value.value >= 0:
            return literal
        return frame.apply(OPERATORS["-"], {"x": Runtime(ir.Length(base.expr)), "y": Constant(-value.value)}, node, {}).expr
    if isinstance(value, Runtime) and not value.type.shape and value.type.dtype.kind in ("int", "uint"):
        return value.expr
    raise frame.fault(node.slice, f"a list's index must be an integer scalar, but this is {describe(value)}")
