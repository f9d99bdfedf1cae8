"""Loads and stores that are known to lie inside their array need no mask.

Proven only from the signature's fixed extents and from constant indices or loop
bounds: how large the grid is, a kernel cannot know.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tile2cpp import ir


def prove_in_bounds(function: ir.Function) -> ir.Function:
    """Switch off `check_bounds` where every tile index is in range."""

    def visit(body: tuple[ir.Stmt, ...], ranges: dict[str, tuple[int, int]]) -> tuple[ir.Stmt, ...]:
        return tuple(_statement(stmt, ranges, visit) for stmt in body)

    return replace(function, body=visit(function.body, {}))


def _statement(stmt: ir.Stmt, ranges: dict, visit) -> ir.Stmt:
    match stmt:
        case ir.For():
            inner = dict(ranges)
            inner.pop(stmt.name, None)
            if isinstance(stmt.start, ir.Literal) and isinstance(stmt.stop, ir.Literal):
                inner[stmt.name] = (stmt.start.value, stmt.stop.value - 1)
            return replace(stmt, body=visit(stmt.body, inner))
        case ir.While():
            return replace(stmt, test=_expr(stmt.test, ranges), body=visit(stmt.body, ranges))
        case ir.If():
            return replace(stmt, test=_expr(stmt.test, ranges), then=visit(stmt.then, ranges), otherwise=visit(stmt.otherwise, ranges))
        case ir.Let() | ir.Set():
            return replace(stmt, value=_expr(stmt.value, ranges))
        case ir.Do():
            return replace(stmt, call=_expr(stmt.call, ranges))
        case ir.Return():
            return replace(stmt, values=tuple(_expr(v, ranges) for v in stmt.values))
    return stmt


def _expr(expr: Any, ranges: dict) -> Any:
    if isinstance(expr, tuple):
        return tuple(_expr(e, ranges) for e in expr)
    if isinstance(expr, ir.Invoke):
        return replace(expr, arguments=_expr(expr.arguments, ranges))
    if not isinstance(expr, ir.Call):
        return expr
    arguments = {p: _expr(v, ranges) for p, v in expr.arguments}
    if arguments.get("check_bounds") is True and "index" in arguments and _inside(arguments, ranges):
        arguments["check_bounds"] = False
    return replace(expr, arguments=tuple(arguments.items()))


def _inside(arguments: dict[str, Any], ranges: dict) -> bool:
    if "array" in arguments:
        array, order = arguments["array"], arguments["order"]
        shape = arguments["tile"].type.shape if "tile" in arguments else arguments["shape"] or (1,) * array.type.ndim
    else:
        view = arguments["view"]
        if view.type.steps is not None:
            return False
        array, order, shape = view.array, tuple(range(view.array.type.ndim)), view.shape
    for index, axis, tile in zip(arguments["index"], order, shape):
        extent = array.type.extents[axis].value
        low, high = _range_of(index, ranges)
        if extent is None or low is None or low < 0 or (high + 1) * tile > extent:
            return False
    return True


def _range_of(index: Any, ranges: dict) -> tuple[int | None, int | None]:
    if isinstance(index, ir.Literal):
        return index.value, index.value
    if isinstance(index, ir.Name):
        return ranges.get(index.name, (None, None))
    return None, None
