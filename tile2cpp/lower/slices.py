"""`array.slice(...)` and `ct.Array.from_foreign(...)`: spans of their own, declared where the author takes them."""

from __future__ import annotations

import ast
from typing import Any

from tile2cpp import ir
from tile2cpp.lower.values import ArrayValue
from tile2cpp.types import Array


def made(frame, op, arguments: tuple, result: Array, node: ast.AST) -> ArrayValue:
    """The array that an op of arrays gives."""
    named: dict[str, Any] = dict(arguments)
    if "pointer" in named:
        name = frame.names.fresh(wanted_name(frame, node) or "foreign")
        frame.emit(ir.Foreign(name, named["pointer"], named["shape"], named["strides"], result, frame.take_note()))
        return ArrayValue(ir.ArrayName(name, result))
    if op.method != "slice":
        return ArrayValue(named["array"])
    name = frame.names.fresh(wanted_name(frame, node) or f"{named['array'].name}_slice")
    start, stop = (frame.stable(named[p], p) for p in ("start", "stop"))
    frame.emit(ir.Slice(name, named["array"], named["axis"], start, stop, result, frame.take_note()))
    return ArrayValue(ir.ArrayName(name, result))


def wanted_name(frame, node: ast.AST) -> str:
    """The name that the author gives to the result."""
    for statement in ast.walk(frame.syntax.node):
        if isinstance(statement, ast.Assign) and statement.value is node and isinstance(statement.targets[0], ast.Name):
            return statement.targets[0].id
    return ""
