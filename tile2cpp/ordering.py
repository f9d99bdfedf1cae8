"""Which loads and stores of a kernel may meet, so that the threads of a block must keep the program's order."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Iterator

from tile2cpp import ir, spread
from tile2cpp.emitted import WARP
from tile2cpp.types import View

BLOCK_COLUMNS = 8  # of one matrix instruction
WARP_STEP = 16  # warps lie beside each other in blocks of so many rows or columns
LANE_COLUMNS = 4  # lanes along the columns of a block
SLICED = " (sliced)"
IN_ANY_ORDER = ("atomic_add", "atomic_max", "atomic_min", "atomic_and", "atomic_or", "atomic_xor")  # the last value is the same


@dataclass(frozen=True)
class Access:
    """One load, store or atomic: the kernel's array, and the map from its elements to threads.

    `tile` is the shape and order of the view, None for single elements and tiles that overlap; of updates in any order, whose old
    values nobody uses, the operation stands for it. `loops` says that it may run more than once; `strong` that other blocks may wait
    for it; `asks` that it tells the block what others have done so far. The effect may also be that the address of the array is taken.
    """

    array: str
    effect: str
    element_bytes: int
    tile: tuple | None
    loops: bool
    strong: bool
    asks: bool = False


def order_of(accesses: list[Access], threads: int, vector: int, columns: int, product: bool = False, *, alone: bool = False) -> tuple[bool, bool]:
    """Two answers, of which one at most is yes.

    Whether one thread may read what another wrote, so that stores need barriers around them. And whether nobody
    reads it, but several threads may store one element, of which the last store must stay. `alone`: the kernel has an entry of its own,
    which can say so; else such stores count as the first.
    """
    if any(a.effect == "address" for a in accesses):  # any array may be another
        return True, False
    # Who never asks what others have done reads nothing that depends on it. What it tells others itself has barriers of its own, but
    # loads must keep their place before it, which only the entry can say.
    if any(a.strong for a in accesses) and (not alone or any(a.asks for a in accesses)):
        return True, False
    by_array: dict[str, list[Access]] = {}
    for access in accesses:
        by_array.setdefault(access.array, []).append(access)
    shared = [group for group in by_array.values() if _shares(group, threads, vector, columns, product)]
    stores_meet = alone and bool(shared) and all(a.effect == "store" for group in shared for a in group)
    return bool(shared) and not stores_meet, stores_meet


def _shares(group: list[Access], threads: int, vector: int, columns: int, product: bool) -> bool:
    if all(a.effect == "load" for a in group):
        return False
    if any(a.tile is None for a in group):
        return len(group) > 1 or group[0].loops
    if len({a.tile for a in group}) > 1:
        return True
    # Owners store, but every holder of an element loads it: where threads hold copies these are not the same.
    return any(a.effect == "load" for a in group) and _has_copies(group[0].tile[0], threads, vector, columns, product)


def _has_copies(shape: tuple[int, ...], threads: int, vector: int, columns: int, product: bool) -> bool:
    width = shape[-1] if shape else 1
    rows = prod(shape[:-1])
    if product:
        columns //= LANE_COLUMNS
        return width < max(BLOCK_COLUMNS, WARP_STEP * columns) or rows < WARP_STEP * (threads // WARP // columns)
    return width < min(vector, width) * columns or rows < threads // columns


def accesses_of(kernel: ir.Kernel, function: ir.Function, bound: dict[str, set[str]], loops: bool) -> Iterator[Access]:
    """All accesses of a function, helpers included; `bound` maps its arrays to those of the kernel that they may be.

    A slice is bound to its array's name with a mark: its elements lie elsewhere in tiles.
    An array that is one or the other is bound to both, with the mark.
    """
    bound, taken = dict(bound), ir.sources(function.body)
    moved = {stmt.name for stmt in ir.statements(function.body) if isinstance(stmt, (ir.Slice, ir.Foreign))}
    for name in taken:
        steps = ir.steps_to(name, taken)
        marked = not moved.isdisjoint(steps)
        roots = {root for first in steps - taken.keys() for root in bound.get(first, {first})}
        bound[name] = {root.removesuffix(SLICED) + SLICED if marked else root for root in roots}
    yield from _in_block(kernel, function.body, bound, spread.fixed_values(function.body), names_read(function.body), loops)


def names_read(body: tuple) -> set[str]:
    """The variables that somebody uses."""
    return {e.name for e in ir.expressions(body) if isinstance(e, ir.Name)}


def unused_result(stmt: ir.Stmt, read: set[str]) -> ir.Expr | None:
    """The expression of a statement whose value nobody uses."""
    if isinstance(stmt, ir.Let):
        return None if stmt.name in read else stmt.value
    return stmt.call if isinstance(stmt, ir.Do) else None


def _in_block(kernel: ir.Kernel, body: tuple, bound: dict[str, set[str]], values: dict[str, Any], read: set[str], loops: bool) -> Iterator[Access]:
    for stmt in body:
        # A loop's test runs as often as its body.
        again = loops or isinstance(stmt, ir.While)
        unused = unused_result(stmt, read)
        for root in ir.roots(stmt):
            for expr in ir.walk(root):
                if isinstance(expr, ir.Call) and expr.op.effect:
                    yield from _of_call(expr, bound, values, again, used=expr is not unused)
                elif isinstance(expr, ir.Invoke):
                    helper = next(h for h in kernel.helpers if h.name == expr.helper)
                    arrays = {p.name: _roots(a, bound) for p, a in zip(helper.params, expr.arguments) if _array(a) is not None}
                    yield from accesses_of(kernel, helper, arrays, again)
        for block in ir.blocks(stmt):
            yield from _in_block(kernel, block, bound, values, read, loops or isinstance(stmt, (ir.For, ir.While)))


def _array(expr: Any) -> ir.ArrayName | ir.ListName | None:
    if isinstance(expr, (ir.ArrayName, ir.ListName)):
        return expr
    return expr.array if isinstance(expr, ir.ViewName) else None


def _roots(expr: Any, bound: dict[str, set[str]]) -> set[str]:
    name = _array(expr).name
    return bound.get(name, {name})


def _of_call(call: ir.Call, bound: dict[str, set[str]], values: dict[str, Any], loops: bool, used: bool) -> Iterator[Access]:
    arguments = dict(call.arguments)
    touched = next((v for v in arguments.values() if _array(v) is not None), None)
    if touched is None:
        return
    strong = memory_order(call) not in ("WEAK", "RELAXED")
    for root in sorted(_roots(touched, bound)):
        tile = None if root.endswith(SLICED) else _tile(call, touched, arguments, values)
        if call.op.effect == "atomic" and not used and call.op.name.startswith(IN_ANY_ORDER):
            tile = (call.op.name.removesuffix("_offset"),)
        yield Access(root.removesuffix(SLICED), call.op.effect, _array(touched).type.dtype.bytes, tile, loops, strong, used and asks(call))


def orders_of(accesses: list[Access]) -> dict[str, bool]:
    """What the schedule says of atomic operations: whether nobody uses what they give, and whether others may wait for them."""
    unasked = any(a.strong or a.effect == "atomic" for a in accesses) and not any(a.asks for a in accesses)
    return {"unasked": unasked, "tells": any(a.strong for a in accesses)}


def asks(call: ir.Call) -> bool:
    """Whether what a call gives depends on what other blocks have done so far."""
    return call.op.effect == "atomic" or (call.op.effect == "load" and memory_order(call) != "WEAK")


def memory_order(call: ir.Call) -> str:
    """How a load, a store or an atomic operation stands to those of other blocks; a weak one has nothing to do with them."""
    order = dict(call.arguments).get("memory_order", "WEAK")
    return getattr(order, "name", order)


def _tile(call: ir.Call, touched: Any, arguments: dict[str, Any], values: dict[str, Any]) -> tuple | None:
    """Shape and order of the tile that an access by tile index touches, and how far apart tiles are, or what stands for them; None for single elements."""
    if not any(call.op.kind(name) == "Index" for name in arguments if name in call.op.signature.parameters):
        return spread.form_of(call, values)
    rank = _array(touched).type.ndim
    apart = None
    if isinstance(touched.type, View):
        shape = tuple(touched.shape)
        apart = tuple(map(int, touched.type.steps or ())) or None
        if apart and any(step < extent for step, extent in zip(apart, shape)):
            return None  # tiles overlap: an element has a place in each
    elif call.type is not None:
        shape = call.type.shape
    else:
        shape = next(v.type.shape for n, v in arguments.items() if call.op.kind(n) == "Tile")
    return shape or (1,) * rank, arguments.get("order") or tuple(range(rank)), *(() if apart in (None, shape) else (apart,))
