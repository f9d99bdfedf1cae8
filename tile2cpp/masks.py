"""Masks of numbered rows and columns: where a scalar test says that all of a tile is kept, the choice element by element is passed over.

    scores = ct.where(j * 128 + columns < n, scores, -inf)      ->      if (j * 128 + 127 >= n) scores = ...

Of the tiles of a loop mostly the last one needs its mask, and between products every instruction for each element counts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tile2cpp import ir, ops
from tile2cpp.dtypes import bool_, int32, int64
from tile2cpp.lower import nonnegative
from tile2cpp.types import Tile
from tile2cpp.warpgroups import loaded_variables, may_be_placed

WHY = "# Only where the mask leaves something out."
SMALL = 1 << 24
RESHAPED = ("reshape", "expand_dims", "broadcast_to")
# A comparison of two tiles fails somewhere if one of the first, the largest (1) or least (0), compares like this with one of the second.
FAILING = {"less": ("greater_equal", 1), "less_equal": ("greater", 1), "greater": ("less_equal", 0), "greater_equal": ("less", 0)}


def passed_over(function: ir.Function) -> ir.Function:
    """`function` with such tests in its innermost loops."""
    changed = frozenset(s.name for s in ir.statements(function.body) if isinstance(s, (ir.Set, ir.Declare)))
    return replace(function, body=_block(function.body, {}, changed, loaded_variables(function), False))


def _block(body: tuple[ir.Stmt, ...], lets: dict[str, Any], changed: frozenset[str], loaded: set[str], loops: bool) -> tuple[ir.Stmt, ...]:
    lets, out = dict(lets), []
    # Variables of this block that take other values here alone, one after the other.
    steady = {s.name for s in body if isinstance(s, ir.Let)} - {s.name for b in body for inner in ir.blocks(b) for s in ir.statements(inner) if isinstance(s, ir.Set)}
    for stmt in body:
        inner = isinstance(stmt, (ir.For, ir.While))  # in branches the author has a test of his own
        stmt = ir.with_blocks(stmt, [_block(b, lets, changed, loaded, inner) for b in ir.blocks(stmt)])
        out += _tested(stmt, lets, changed, loaded) if loops and isinstance(stmt, (ir.Let, ir.Set)) else [stmt]
        if isinstance(stmt, (ir.Let, ir.Set)) and stmt.name in steady:
            value = ir.changed(stmt.value, lambda e: lets.get(stmt.name) if isinstance(e, ir.Name) and e.name == stmt.name else None)
            # What was made of the value before is no longer known by the variable's name.
            lets = {name: made for name, made in (lets | {stmt.name: value}).items() if stmt.name not in _names_in(made)}
    return _sunk(out, changed)


def _sunk(body: list[ir.Stmt], changed: frozenset[str]) -> tuple[ir.Stmt, ...]:
    """`body` with tiles that only masks are made of behind the tests of these, where they are made of the same values there."""
    for place in reversed(range(len(body))):
        let = body[place]
        if not isinstance(let, ir.Let) or let.name in changed or not isinstance(let.value.type, Tile) or not let.value.type.shape or let.value.type.dtype not in (int32, int64, bool_):
            continue
        users = [n for n, s in enumerate(body) if n > place and let.name in _names((s,))]
        if len(users) == 1 and _is_test(body[users[0]]) and _keeps(let.value, body[place + 1 : users[0] + 1]):
            test = body[users[0]]
            body[users[0]] = replace(test, then=(let, *test.then))
            body[place] = ir.Comment(())
    return tuple(s for s in body if s != ir.Comment(()))


def _is_test(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.If) and stmt.note.above[-1:] == (WHY,)


def _keeps(value: Any, body: list[ir.Stmt]) -> bool:
    """Whether a value is the same in front of `body` and anywhere in it: no variable changes, and memory is not asked."""
    changes = {s.name for s in ir.statements(tuple(body)) if isinstance(s, ir.Set)}
    return not changes & _names_in(value) and not any(isinstance(e, ir.Invoke) or (isinstance(e, ir.Call) and e.op.effect) for e in ir.walk(value))


def _names(body: tuple[ir.Stmt, ...]) -> set[str]:
    return {name for s in ir.statements(body) for root in ir.roots(s) for name in _names_in(root)}


def _names_in(expr: Any) -> set[str]:
    return {e.name for e in ir.walk(expr) if isinstance(e, ir.Name)}


def _tested(stmt: ir.Let | ir.Set, lets: dict[str, Any], changed: frozenset[str], loaded: set[str]) -> list[ir.Stmt]:
    """A choice of elements as what it is of, and the choice behind a test; anything else as it is."""
    value = stmt.value
    if not isinstance(value, ir.Call) or value.op.name != "where" or value["x"].type != value.type or not value.type.shape:
        return [stmt]
    test = _fails(value["cond"], lets, changed)
    if test is None or any(isinstance(e, ir.Name) and e.name == stmt.name for side in ("cond", "y") for e in ir.walk(value[side])):
        return [stmt]
    itself = isinstance(value["x"], ir.Name) and value["x"].name == stmt.name
    first = [] if itself else [replace(stmt, value=value["x"])]
    if isinstance(stmt, ir.Let) and may_be_placed(value["x"], loaded):  # a variable for elements, not for a place
        first = [ir.Declare(stmt.name, value.type), ir.Set(stmt.name, value["x"], note=stmt.note)]
    arguments = tuple((n, ir.Name(stmt.name, value.type) if n == "x" else v) for n, v in value.arguments)
    above = (*(stmt.note.above if itself else ()), WHY)
    return [*first, ir.If(test, (ir.Set(stmt.name, replace(value, arguments=arguments)),), (), ir.Note(above=above))]


def _fails(mask: Any, lets: dict[str, Any], changed: frozenset[str]) -> Any | None:
    """A scalar that is true wherever an element of `mask` is false; None if that is not seen."""
    if isinstance(mask, ir.Name):
        return _fails(lets[mask.name], lets, changed) if mask.name in lets else None
    if not isinstance(mask, ir.Call):
        return None
    if mask.op.name in RESHAPED:
        return _fails(mask["x"], lets, changed)
    if mask.op.name == "bitwise_and":
        sides = [_fails(mask[n], lets, changed) for n in ("x", "y")]
        return None if None in sides else call("logical_or", Tile(bool_), x=sides[0], y=sides[1])
    if mask.op.name not in FAILING:
        return None
    name, most = FAILING[mask.op.name]
    x, y = (_range(mask[n], lets, changed) for n in ("x", "y"))
    return None if x is None or y is None else call(name, Tile(bool_), x=x[most], y=y[1 - most])


def _range(expr: Any, lets: dict[str, Any], changed: frozenset[str]) -> tuple[Any, Any] | None:
    """The least and the largest element of a tile of integers, as scalars that are the same wherever they are computed in its scope. What is added to
    tiles must be no larger than an index: else the ends might wrap around where some elements do not."""
    if not isinstance(expr.type, Tile) or expr.type.dtype not in (int32, int64):
        return None
    if not expr.type.shape:
        steady = all(isinstance(e, (ir.Literal, ir.Extent, ir.ArrayName)) or (isinstance(e, ir.Name) and e.name not in changed) or (isinstance(e, ir.Call) and not e.op.effect) for e in ir.walk(expr))
        return (expr, expr) if steady else None
    if isinstance(expr, ir.Name):
        return _range(lets[expr.name], lets, changed) if expr.name in lets else None
    if not isinstance(expr, ir.Call):
        return None
    kind = Tile(expr.type.dtype)
    if expr.op.name in RESHAPED:
        return _range(expr["x"], lets, changed)
    if expr.op.name == "arange" and _is_literal(expr["start"], 0) and _is_literal(expr["step"], 1):
        return ir.Literal(0, kind), ir.Literal(int(expr.type.shape[0]) - 1, kind)
    if expr.op.name not in ("add", "sub", "mul"):
        return None
    x, y = (_range(expr[n], lets, changed) for n in ("x", "y"))
    if x is None or y is None or not all(expr[n].type.shape or _is_like_an_index(expr[n]) for n in ("x", "y")):
        return None
    if expr.op.name == "mul":
        factor = next((r[0] for r in (y, x) if r[0] is r[1] and isinstance(r[0], ir.Literal) and r[0].value >= 0), None)
        other = x if factor is y[0] else y
        return None if factor is None else tuple(call("mul", kind, x=e, y=factor) for e in other)
    ends = y if expr.op.name == "add" else y[::-1]
    return tuple(a if _is_literal(b, 0) else call(expr.op.name, kind, x=a, y=b) for a, b in zip(x, ends))


def _is_like_an_index(scalar: Any) -> bool:
    """Whether it is a number that counts something, or a small one."""
    return abs(scalar.value) < SMALL if isinstance(scalar, ir.Literal) else nonnegative(scalar)


def _is_literal(expr: Any, value: int) -> bool:
    return isinstance(expr, ir.Literal) and expr.value == value or (isinstance(expr, int) and expr == value)


def call(name: str, kind: Tile, **arguments: Any) -> ir.Call:
    """A call of an op, with the usual values of all other parameters."""
    op = ops.find(name)
    return ir.Call(op, tuple((p, arguments.get(p, s.default)) for p, s in op.signature.parameters.items()), kind)
