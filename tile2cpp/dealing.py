"""Loops that deal rows out to the blocks of a grid: `for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0))`.

Such a kernel is right for a grid of any size. With few blocks the rows are given out beforehand, and whoever is done
first has nothing more to do; with one block for each row, the hardware gives the next one to whoever is done. So a
launch may have more blocks along axis 0 than the author asked for, where nobody can tell: when the loop is all
that a block does, and no row has anything to do with another one. A grid with fewer blocks along that axis than the
GPU has multiprocessors stays as it is: it leaves some of them to others, or its turns come in an order that somebody counts on.
"""

from __future__ import annotations

from typing import Any, Callable, Iterator

from tile2cpp import ir
from tile2cpp.types import Tile

LEAST_SLOTS = 16  # elements of a thread: with less, beginning a block costs more than it gains
SEEN = (ir.Let, ir.Declare, ir.Set, ir.Do, ir.For, ir.While, ir.If, ir.Continue)
PLAIN_STORES = ("store", "view_store", "scatter")


def rows_of(kernel: ir.Kernel, slots: Callable[[Tile], int]) -> tuple:
    """Where a launch finds how many blocks can have something to do: the name of an array, an axis, and how many of its elements one turn takes;
    () where the blocks are to be those of the grid. `slots(tile)`: elements that one thread holds."""
    loop = _only_loop(kernel.main)
    if loop is None or not _is_alone(loop) or not any(slots(tile) >= LEAST_SLOTS for tile in _loaded(loop)):
        return ()
    return _count(loop.stop, [p.name for p in kernel.main.params])


def _only_loop(main: ir.Function) -> ir.For | None:
    """The loop over rows, if all before it has no effect, and its blocks are named nowhere else."""
    *before, loop = main.body or (None,)
    if not isinstance(loop, ir.For) or not all(isinstance(stmt, ir.Let) for stmt in before):
        return None
    if not (_is_of_axis_0(loop.start, "bid") and loop.step is not None and _is_of_axis_0(loop.step, "num_blocks")):
        return None
    everything = list(ir.expressions(main.body))
    if any(c.op.effect for c in ir.calls(tuple(before))):
        return None
    named = [e for e in everything if _is_of_axis_0(e, "bid") or _is_of_axis_0(e, "num_blocks")]
    plain = not any(isinstance(e, (ir.Invoke, ir.Pointer, ir.ListName, ir.Field)) for e in everything)
    return loop if len(named) == 2 and plain else None


def _is_of_axis_0(expr: Any, name: str) -> bool:
    return isinstance(expr, ir.Call) and expr.op.name == name and expr["axis"] == 0


def _is_alone(loop: ir.For) -> bool:
    """Whether turns may run in any order and at once: no variable goes from one to the next, what is read is written by none, and each writes rows of its own."""
    inside = list(ir.statements(loop.body))
    made = {stmt.name for stmt in inside if isinstance(stmt, (ir.Let, ir.Declare, ir.For))}
    if loop.name in made or not all(isinstance(stmt, SEEN) for stmt in inside):
        return False
    if any(isinstance(stmt, ir.Set) and (stmt.name == loop.name or stmt.name not in made) for stmt in inside):
        return False
    calls = [c for c in ir.calls(loop.body) if c.op.effect]
    if any(c.op.effect not in ("load", "store") or not _is_plain(c) for c in calls):
        return False
    read, written = ({_array(c).name for c in calls if c.op.effect == effect} for effect in ("load", "store"))
    places = {(_array(c).name, _own_place(c, loop.name)) for c in calls if c.op.effect == "store"}
    return not read & written and bool(written) and len(places) == len(written) and all(place for _, place in places)


def _is_plain(access: ir.Call) -> bool:
    """Whether no other block can wait for it."""
    order = dict(access.arguments).get("memory_order")
    return getattr(order, "name", order) in (None, "WEAK") and any(isinstance(v, (ir.ArrayName, ir.ViewName)) for _, v in access.arguments)


def _own_place(store: ir.Call, row: str) -> tuple | None:
    """What makes the elements of a store those of its row alone: the axis on which the row is the index, and how many elements it takes there.
    Stores of one array must have the same. Rows that lie in one place of memory are nobody's own."""
    arguments = dict(store.arguments)
    indices = arguments.get("indices", arguments.get("index"))
    if store.op.name not in PLAIN_STORES or not isinstance(indices, tuple) or _array(store).type.strides is not None:
        return None
    axes = [axis for axis, index in enumerate(indices) if isinstance(index, ir.Name) and index.name == row]
    if not axes or arguments.get("order") not in (None, tuple(range(len(indices)))):
        return None
    source = next(v for _, v in store.arguments if isinstance(v, (ir.ArrayName, ir.ViewName)))
    if isinstance(source, ir.ViewName):
        extent = source.shape[axes[0]] if source.type.steps is None else None
    else:
        extent = 1 if store.op.name == "scatter" else arguments["tile"].type.shape[axes[0]]
    return None if extent is None else (axes[0], int(extent))


def _count(stop: Any, names: list[str]) -> tuple:
    """An extent of a parameter, or that over a number, rounded up."""
    each = 1
    if isinstance(stop, ir.Call) and stop.op.name == "cdiv" and isinstance(stop["y"], ir.Literal):
        stop, each = stop["x"], int(stop["y"].value)
    if not isinstance(stop, ir.Extent) or stop.stride or stop.array.name not in names or each < 1:
        return ()
    return stop.array.name, int(stop.axis), each


def _array(call: ir.Call) -> ir.ArrayName:
    source = next(v for _, v in call.arguments if isinstance(v, (ir.ArrayName, ir.ViewName)))
    return source.array if isinstance(source, ir.ViewName) else source


def _loaded(loop: ir.For) -> Iterator[Tile]:
    return (c.type for c in ir.calls(loop.body) if c.op.effect == "load")
