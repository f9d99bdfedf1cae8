"""What decides which factors a kernel multiplies next, taken out of it as a function of its own.

Warps that only fetch run it beside the kernel, and so know every product's factors ahead of time. It keeps the loops and
branches around the products, and of all else what these, and the places of the factors, are computed from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.ordering import memory_order
from tile2cpp.types import Tile
from tile2cpp.writes import written_anywhere

DEFINITIONS = (ir.Let, ir.Set, ir.Declare, ir.Unpack, ir.Slice, ir.Pick, ir.Foreign)
OF_ONE_ELEMENT = ("reshape", "expand_dims", "astype", "item")  # what a thread makes of a tile of one element without asking others
LEAVING = (ir.Break, ir.Continue, ir.Return)


@dataclass(frozen=True)
class Fed:
    """A product whose factors are fetched: `left` and `right` name their descriptors, in C++."""

    product: ir.Call
    left: str | None
    right: str | None
    left_loaded: bool


def feeder(kernel: ir.Kernel, products: list[Fed]) -> ir.Function | None:
    """The function that hands over the factors of `products`, in the order of the kernel; None where that order, or a factor's place,
    depends on elements of tiles or on memory that the kernel writes, or where a product is not in the kernel itself."""
    body = _with_feeds(kernel.main.body, {id(fed.product): fed for fed in products})
    if body is None or sum(isinstance(s, ir.Feed) for s in ir.statements(body)) != len(products):
        return None
    body = _needed(body)
    written = written_anywhere(kernel)
    placed = _placed(body)
    scalar = all(_is_known(e, kernel, written[kernel.main.name], written, placed) for s in ir.statements(body) if not isinstance(s, ir.Feed) for e in ir.roots(s) if not _defines(s) & placed)
    factors = all(_is_place(e, kernel, written) for s in ir.statements(body) if isinstance(s, ir.Feed) or _defines(s) & placed for e in ir.roots(s))
    return replace(kernel.main, body=body, doc="", comments=()) if scalar and factors else None


def turns_alike(function: ir.Function) -> bool:
    """Whether the loops and branches of a feeder are the same in all blocks of the grid."""
    own: set[str] = set()  # variables that differ from block to block
    while True:
        more = own | {n for s in ir.statements(function.body) if any(_differs(e, own) for e in ir.roots(s)) for n in _defines(s)}
        if more == own:
            break
        own = more
    return not any(_differs(e, own) for s in ir.statements(function.body) if isinstance(s, (ir.For, ir.While, ir.If)) for e in ir.roots(s))


def _differs(expr: Any, own: set[str]) -> bool:
    """Whether it depends on the block's place in the grid, or on memory; a helper may ask for either."""
    calls = any(isinstance(e, ir.Invoke) or (isinstance(e, ir.Call) and (e.op.name == "bid" or bool(e.op.effect))) for e in ir.walk(expr))
    return calls or not own.isdisjoint(_names(expr))


def _with_feeds(body: tuple[ir.Stmt, ...], found: dict[int, Fed]) -> tuple[ir.Stmt, ...] | None:
    """`body` with a `Feed` in front of every statement with a product of `found`; None if a statement has two."""
    out: list[ir.Stmt] = []
    for stmt in body:
        products = [e for root in ir.roots(stmt) for e in ir.walk(root) if id(e) in found]
        if len(products) > 1 or (products and ir.blocks(stmt)):
            return None  # in which order, or how often, is the compiler's choice
        for product in products:
            fed = found[id(product)]
            out.append(ir.Feed(product, product["x"] if fed.left_loaded else None, product["y"], (fed.left, fed.right)))
        blocks = [_with_feeds(block, found) for block in ir.blocks(stmt)]
        if None in blocks:
            return None
        out.append(ir.with_blocks(stmt, blocks))
    return tuple(out)


def _needed(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """The feeds of `body` and all that they depend on, without the author's comments."""
    names: set[str] = set()
    while True:
        kept = _keep(body, names)
        more = names | {n for s in ir.statements(kept) for root in ir.roots(s) for n in _names(root)}
        if more == names:
            return kept
        names = more


def _keep(body: tuple[ir.Stmt, ...], names: set[str]) -> tuple[ir.Stmt, ...]:
    kept = []
    for stmt in body:
        if isinstance(stmt, ir.Comment):
            continue
        stmt = ir.with_blocks(replace(stmt, note=ir.Note()), [_keep(block, names) for block in ir.blocks(stmt)])
        inside = [s for block in ir.blocks(stmt) for s in ir.statements(block)]
        wanted = isinstance(stmt, (ir.Feed, *LEAVING)) or (isinstance(stmt, ir.Let) and stmt.constant) or bool(_defines(stmt) & names)
        if isinstance(stmt, (ir.For, ir.While)):
            wanted = any(isinstance(s, (ir.Feed, ir.Return)) or _defines(s) & names for s in inside)
        elif isinstance(stmt, ir.If):
            wanted = any(isinstance(s, (ir.Feed, *LEAVING)) or _defines(s) & names for s in inside)
        if wanted:
            kept.append(stmt)
    return tuple(kept)


def _defines(stmt: ir.Stmt) -> set[str]:
    if isinstance(stmt, ir.Unpack):
        return set(stmt.names)
    return {stmt.name} if isinstance(stmt, DEFINITIONS) else set()


def _names(expr: Any) -> Iterator[str]:
    for inner in ir.walk(expr):
        if isinstance(inner, (ir.Name, ir.ArrayName, ir.ListName)):
            yield inner.name


def _placed(body: tuple[ir.Stmt, ...]) -> set[str]:
    """The variables that hold factors, or what factors are made of; not those that say where these lie: they are computed."""
    found: set[str] = set()
    lets = {s.name: s.value for s in ir.statements(body) if isinstance(s, ir.Let) and isinstance(s.value.type, Tile) and s.value.type.shape}
    waiting = [e for s in ir.statements(body) if isinstance(s, ir.Feed) for e in ir.roots(s)]
    while waiting:
        expr = waiting.pop()
        if _is_number(expr):
            continue
        if isinstance(expr, ir.Name) and expr.name in lets and expr.name not in found:
            found.add(expr.name)
            waiting.append(lets[expr.name])
        waiting += ir.children(expr)
    return found


def _is_number(expr: Any) -> bool:
    kind = getattr(expr, "type", None)
    return isinstance(kind, Tile) and not kind.shape


def _is_known(expr: Any, kernel: ir.Kernel, written: set[str], all_written: dict[str, set[str]], placed: set[str] = frozenset()) -> bool:
    """Whether one thread can compute it, at any time: from scalars, and from memory that nobody writes."""
    for inner in ir.walk(expr):
        kind = getattr(inner, "type", None)
        if isinstance(kind, Tile) and kind.shape and not _is_element(inner):
            return False
        if isinstance(inner, ir.Call) and not _reads_only(inner, written):
            return False
        if isinstance(inner, ir.Invoke) and not _is_known_helper(inner.helper, kernel, all_written):
            return False
    return True


def _is_element(expr: Any) -> bool:
    """Whether it is a tile of one element as it lies in memory, which every thread reads like a scalar."""
    if any(extent != 1 for extent in expr.type.shape):
        return False
    if not isinstance(expr, ir.Call):
        return isinstance(expr, ir.Name)
    return expr.op.name in OF_ONE_ELEMENT or (expr.op.effect == "load" and "index" in dict(expr.arguments))


def _reads_only(call: ir.Call, written: set[str]) -> bool:
    touched = {a.name for _, v in call.arguments for a in ir.walk(v) if isinstance(a, (ir.ArrayName, ir.ListName))}
    return not call.op.effect or (call.op.effect == "load" and memory_order(call) == "WEAK" and not touched & written)


def _is_known_helper(name: str, kernel: ir.Kernel, all_written: dict[str, set[str]]) -> bool:
    helper = next(h for h in kernel.helpers if h.name == name)
    return all(_is_known(e, kernel, all_written[name], all_written) for s in ir.statements(helper.body) for e in ir.roots(s))


def _is_place(expr: Any, kernel: ir.Kernel, written: dict[str, set[str]]) -> bool:
    """Whether an operand of a product, or what it is made of, only says where in an array it lies: loads are not done here."""
    if isinstance(expr, ir.Name) and expr.type.shape:
        return True
    if isinstance(expr, ir.Call) and expr.type is not None and expr.type.shape:
        if not _reads_only(expr, written[kernel.main.name]):
            return False
        return all(_is_place(e, kernel, written) for e in ir.children(expr))
    return _is_known(expr, kernel, written[kernel.main.name], written)
