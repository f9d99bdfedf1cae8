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
    used = [_names(stmt) for stmt in function.body]
    last = {name: line for line, names in enumerate(used) for name in names}
    bits: dict[str, int] = {}
    waiting: dict[str, float] = {}
    most = 0.0
    for line, stmt in enumerate(function.body):
        if any(isinstance(e, ir.Invoke) for root in ir.roots(stmt) for e in ir.walk(root)):
            return None
        most = max(most, sum(waiting.values()))
        waiting = {name: registers for name, registers in waiting.items() if last[name] > line}
        if isinstance(stmt, ir.Let) and isinstance(getattr(stmt.value, "type", None), Tile) and last.get(stmt.name, line) > line:
            bits[stmt.name] = _bits(stmt.value, bits)
            waiting[stmt.name] = slots(stmt.value.type) * bits[stmt.name] / REGISTER_BITS
    return most


def _names(stmt: Any) -> set[str]:
    return {e.name for root in ir.roots(stmt) for e in ir.walk(root) if isinstance(e, ir.Name)}


def _bits(expr: Any, known: dict[str, int]) -> int:
    """Of an element, as it waits: truth values in predicates."""
    own = expr.type.dtype.bits if expr.type.dtype else REGISTER_BITS
    if isinstance(expr, ir.Name):
        return known.get(expr.name, own)
    if isinstance(expr, ir.Call) and expr.op.family in IN_PLACE and "x" in dict(expr.arguments) and isinstance(getattr(expr["x"], "type", None), Tile):
        return min(own, _bits(expr["x"], known))
    return 1 if expr.type.dtype and expr.type.dtype.name == "bool" else own
