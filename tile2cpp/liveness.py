"""How many registers the tiles of a kernel take at once, as far as its lines say: a number for the schedule.

Elementwise work is done in place, element by element, so what counts are the tiles that wait for a later line. Of a tile
that was loaded and converted, the narrow elements wait: converting again costs the compiler less.
"""

from __future__ import annotations

from typing import Any, Callable

from tile2cpp import ir
from tile2cpp.types import Tile

IN_PLACE = ("cast", "shape")  # families whose results can be made again of what `x` held
REGISTER_BITS = 32


def most_live(function: ir.Function, slots: Callable[[Tile], int]) -> float | None:
    """Registers of a thread at the line where most are taken; None where the lines branch, loop or call others.

    `slots(tile)`: elements that one thread holds.
    """
    if not all(isinstance(stmt, (ir.Let, ir.Do, ir.Return)) for stmt in function.body):
        return None
    return _most(function.body, slots, {})


def most_live_in(loop: Any, body: tuple, slots: Callable[[Tile], int], helpers: bool = False) -> float | None:
    """Registers of a thread at the line of `loop` where most are taken, with the tiles that `body` makes before it and that it reads or
    changes; None where it calls functions, unless `helpers` count as operations that take none of their own."""
    names, changed, bits, around = _names(loop), _changed(loop), {}, 0.0
    for stmt in body[: body.index(loop)]:
        value = getattr(stmt, "value", None)
        if isinstance(stmt, ir.Let) and isinstance(getattr(value, "type", None), Tile):
            bits[stmt.name] = _bits(value, bits)
            if stmt.name in names | changed and (stmt.name in changed or not _is_made_anew(value)):
                around += slots(value.type) * bits[stmt.name] / REGISTER_BITS
    inside = _most(loop.body, slots, bits, helpers)
    return None if inside is None else around + inside


def most_live_in_loops(body: tuple, slots: Callable[[Tile], int], counts: Callable[[Any], bool]) -> float:
    """The same of that loop in `body` for which `counts` where most are taken, however deep it lies; 0 where there is none. What helpers take is not seen."""
    most = 0.0
    for stmt in body:
        if isinstance(stmt, (ir.For, ir.While)) and counts(stmt):
            most = max(most, most_live_in(stmt, body, slots, True) or 0.0)
        most = max([most, *(most_live_in_loops(block, slots, counts) for block in ir.blocks(stmt))])
    return most


def _most(body: tuple, slots: Callable[[Tile], int], bits: dict[str, int], helpers: bool = False) -> float | None:
    """Registers at the line where most are taken by the tiles that lines of `body` make; None where they call others."""
    used = [_names(stmt) for stmt in body]
    last = {name: line for line, names in enumerate(used) for name in names}
    waiting: dict[str, float] = {}
    most = 0.0
    for line, stmt in enumerate(body):
        if not helpers and any(isinstance(e, ir.Invoke) for e in ir.expressions((stmt,))):
            return None
        inner = [_most(block, slots, bits, helpers) or 0.0 for block in ir.blocks(stmt)]
        most = max(most, sum(waiting.values()) + max(inner, default=0.0))
        waiting = {name: registers for name, registers in waiting.items() if last[name] > line}
        if isinstance(stmt, ir.Let) and isinstance(getattr(stmt.value, "type", None), Tile) and last.get(stmt.name, line) > line:
            bits[stmt.name] = _bits(stmt.value, bits)
            waiting[stmt.name] = slots(stmt.value.type) * bits[stmt.name] / REGISTER_BITS
    return most


def _names(stmt: Any) -> set[str]:
    return {e.name for e in ir.expressions((stmt,)) if isinstance(e, ir.Name)}


def _changed(stmt: Any) -> set[str]:
    return {s.name for s in ir.statements((stmt,)) if isinstance(s, ir.Set)}


def _is_made_anew(value: ir.Expr) -> bool:
    """Whether a tile is numbers in a row or all one: such a one takes no registers."""
    return isinstance(value, ir.Call) and value.op.family == "create"


def _bits(expr: Any, known: dict[str, int]) -> int:
    """Of an element, as it waits: truth values in predicates."""
    own = expr.type.dtype.bits if expr.type.dtype else REGISTER_BITS
    if isinstance(expr, ir.Name):
        return known.get(expr.name, own)
    if isinstance(expr, ir.Call) and expr.op.family in IN_PLACE and "x" in dict(expr.arguments) and isinstance(getattr(expr["x"], "type", None), Tile):
        return min(own, _bits(expr["x"], known))
    return 1 if expr.type.dtype and expr.type.dtype.name == "bool" else own
