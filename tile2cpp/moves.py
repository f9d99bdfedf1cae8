"""Whether tiles of a kernel move between threads through shared memory, where products leave little of it."""

from __future__ import annotations

from typing import Any

from tile2cpp import ir
from tile2cpp.factors import matrix
from tile2cpp.types import Tile

STAYING = ("advanced", "arrays", "atomics", "bits", "cast", "compare", "create", "directed", "grid", "math", "memory")  # families whose operations take elements as they lie


def moves(kernel: ir.Kernel, fetched: list[tuple[ir.Call, bool, bool]]) -> bool:
    """`fetched`: the products that fetch factors, and whether the left and the right one of each is among them. What is made of
    these only on the way to the product never lies in registers."""
    factors = _factors(kernel, fetched)
    return any(_may_move(call) for f in kernel.functions for call in ir.calls(f.body) if id(call) not in factors)


def _factors(kernel: ir.Kernel, fetched: list[tuple[ir.Call, bool, bool]]) -> set[int]:
    """The expressions that only say which factors are fetched, and the products themselves, by identity."""
    found = {id(product) for product, *_ in fetched}
    for product, *parts in fetched:
        for operand, is_fetched in zip(("x", "y"), parts):
            if is_fetched:
                found |= {id(e) for e in ir.walk(product[operand])}
    while True:
        elsewhere = {e.name for f in kernel.functions for e in ir.expressions(f.body) if isinstance(e, ir.Name) and id(e) not in found}
        lets = (s.value for f in kernel.functions for s in ir.statements(f.body) if isinstance(s, ir.Let) and s.name not in elsewhere)
        more = {id(e) for value in lets if _is_loaded(value) for e in ir.walk(value)} - found
        if not more:
            return found
        found |= more


def _is_loaded(value: Any) -> bool:
    """A load, or one that is turned or cast on the way."""
    while isinstance(value, ir.Call) and value.op.effect != "load" and value.op.family in ("shape", "cast"):
        value = value["x"]
    return isinstance(value, ir.Name) or (isinstance(value, ir.Call) and value.op.effect == "load")


def _has_strides(operand: Any) -> bool:
    """Whether it is an array that need not lie row by row, or a view of one."""
    array = operand.array if isinstance(operand, ir.ViewName) else operand
    return isinstance(array, ir.ArrayName) and array.type.ndim > 1 and array.type.strides is not None


def _may_move(call: ir.Call) -> bool:
    if any(_has_strides(e) for e in ir.children(call)):
        return True  # where columns are adjacent in memory, tiles are turned round on the way
    tiles = [e.type for e in ir.children(call) if isinstance(getattr(e, "type", None), Tile) and e.type.shape and e.type.size > 1]
    if isinstance(call.type, Tile) and call.type.shape:
        tiles.append(call.type)
    if call.op.name in ("reshape", "expand_dims"):
        forms = {matrix(t.shape) for t in tiles}
        return len(forms) > 1 or None in forms
    # Elements meet those of another shape, which lie elsewhere.
    return bool(tiles) and (call.op.family not in STAYING or len({t.shape for t in tiles}) > 1)
