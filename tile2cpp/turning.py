"""Loops with two products in a chain, as attention has them, turned: the first product of the next step begins before the second one of this step.

    for j in range(n):                      first(0)
        s = first(j)                        for j in range(n - 1):
        p = f(s)                   ->           p = f(s); s = first(j + 1); acc = second(p, j, acc)
        acc = second(p, j, acc)             p = f(s); acc = second(p, n - 1, acc)

So a warpgroup works on `f` while its second product still runs. Nothing is computed that was not, and in no other order than the
chain prescribes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Callable

from tile2cpp import ir
from tile2cpp.chains import Chain, chain_of, defined_in, names_of, pure_helpers
from tile2cpp.dtypes import bool_
from tile2cpp.factors import as_written, is_product
from tile2cpp.masks import call
from tile2cpp.types import Tile
from tile2cpp.writes import written_arrays

WHY = "# The first product of a step begins before the second one of the step before: the tensor cores work on that beside the rest."
LAST = "# The last step."


@dataclass(frozen=True)
class Turned:
    """A kernel with turned loops; `ahead` are the variables for products that begin a step ahead, `sums` those of second products, `tiles` the types of
    a turned loop's results: of its first and of its second product."""

    kernel: ir.Kernel
    ahead: tuple[str, ...]
    sums: tuple[str, ...]
    tiles: tuple[tuple[Tile, Tile], ...]


def turned(kernel: ir.Kernel) -> Turned | None:
    """`kernel` with its outer loops with products turned; None if one of its products is not in such a chain. In a file with turned loops no product waits
    for its own end, and only in chains has the one before ended when its left factor is overwritten."""
    written, pure = written_arrays(kernel)[kernel.main.name], pure_helpers(kernel)
    taken = {p.name for p in kernel.main.params} | {c.name for c in kernel.main.constants} | defined_in(kernel.main.body)
    body: list[ir.Stmt] = []
    ahead, sums, tiles = [], [], []
    for stmt in kernel.main.body:
        chain = chain_of(stmt, written, pure) if isinstance(stmt, ir.For) else None
        if chain is None:
            body.append(stmt)
            continue
        statements, name = _turn(stmt, chain, lambda wish: _fresh(wish, taken))
        body += statements
        ahead.append(name)
        sums.append(stmt.body[chain.second].name)
        tiles.append(tuple(p.type for p in chain.products))
    products = sum(is_product(e) for f in kernel.functions for e in ir.expressions(f.body))
    if not ahead or products != 2 * len(ahead):
        return None
    return Turned(replace(kernel, main=replace(kernel.main, body=tuple(body))), tuple(ahead), tuple(sums), tuple(tiles))


# --- turning ----------------------------------------------------------------------------


def _turn(loop: ir.For, chain: Chain, fresh: Callable[[str], str]) -> tuple[list[ir.Stmt], str]:
    """The statements in place of the loop, and the variable for the product that begins a step ahead."""
    first, second = loop.body[chain.first], loop.body[chain.second]
    one = chain.products[0]
    kind = loop.start.type
    direct = first.value is one and not any(first.name in _all_names(s) for s in loop.body[chain.second + 1 :])  # it is the next one's there
    carried = ir.Name(first.name if direct else fresh(f"{first.name}_product"), one.type)
    ahead = ir.Name(fresh(f"next_{carried.name}"), one.type)
    before: list[ir.Stmt] = []
    start, stop = (_steady(e, n, loop, before, fresh) for e, n in ((loop.start, f"{loop.name}_first"), (loop.stop, f"{loop.name}_end")))
    j = ir.Name(loop.name, kind, nonnegative=True)
    last = call("sub", kind, x=stop, y=ir.Literal(1, kind))

    def product(prefix: str, step: Any, notes: bool = False) -> tuple[list[ir.Stmt], Any]:
        """The first product of another step, and what it needs. `notes`: with the author's comments on what stands nowhere else."""
        new: dict[str, Any] = {loop.name: step}
        lets = []
        for let in chain.head:
            value = _replaced(let.value, new)
            lets.append(ir.Let(fresh(f"{prefix}_{let.name}"), value, let.note if notes and let in moved else ir.Note(), constant=let.constant))
            new[let.name] = ir.Name(lets[-1].name, let.value.type)
        return lets, _replaced(one, new)

    def around(inner: list[ir.Stmt], notes: bool) -> list[ir.Stmt]:
        """The body of a step, with `inner` in place of the second product."""
        skipped = {id(s) for s in (*chain.tail, *moved)}
        out: list[ir.Stmt] = []
        for i, stmt in enumerate(loop.body):
            if i == chain.second:
                out += inner
            elif i == chain.first:
                out += [] if direct else [replace(first, value=_exchanged(first.value, one, carried))]
            elif id(stmt) not in skipped:
                out.append(stmt)
        return out if notes else [_without_notes(s) for s in out]

    heads = {id(h) for h in chain.head}
    others = [s for i, s in enumerate(loop.body) if i != chain.first and id(s) not in heads]
    moved = _unused(chain.head, {n for s in others for n in _all_names(s)} | (set() if direct else names_of(_exchanged(first.value, one, carried))))
    sums, two = _operands(second, chain, fresh)
    lets, begun = product("first", start)
    next_lets, next_begun = product("next", call("add", kind, x=j, y=ir.Literal(1, kind)), notes=True)
    inner = [*sums, *chain.tail, *two[:-1], *next_lets, ir.Let(ahead.name, next_begun, first.note if direct else ir.Note()), two[-1], ir.Set(carried.name, ahead)]
    inside = [
        *lets, ir.Declare(carried.name, one.type), ir.Set(carried.name, begun),
        ir.For(loop.name, start, last, None, tuple(around(inner, True)), loop.note),
        ir.Comment((LAST,)), ir.Let(loop.name, last), *around([*sums, *chain.tail, *two], False),
    ]  # fmt: skip
    test = call("less", Tile(bool_), x=start, y=stop)
    return [*before, ir.If(test, tuple(inside), (), ir.Note(above=(WHY,)))], ahead.name


def _operands(second: ir.Let | ir.Set, chain: Chain, fresh: Callable[[str], str]) -> tuple[list[ir.Stmt], list[ir.Stmt]]:
    """The second product with its old sums and its left factor computed before, in this order: first the sums, for which it waits."""
    two = chain.products[1]
    sums, left = as_written(two["acc"]), two["x"]
    before: list[ir.Stmt] = []
    behind: list[ir.Stmt] = []
    if not isinstance(sums, ir.Name):
        before.append(ir.Let(fresh(f"{second.name}_so_far"), sums))
        sums = ir.Name(before[-1].name, sums.type)
    if not isinstance(left, ir.Name):
        behind.append(ir.Let(fresh(f"{second.name}_factor"), left))
        left = ir.Name(behind[-1].name, left.type)
    given = {"x": left, "acc": sums}
    product = replace(two, arguments=tuple((name, given.get(name, value)) for name, value in two.arguments))
    return before, [*behind, replace(second, value=_exchanged(second.value, two, product))]


def _steady(expr: Any, name: str, loop: ir.For, before: list[ir.Stmt], fresh: Callable[[str], str]) -> Any:
    """A bound of the loop as something that can be written more than once."""
    changed = {s.name for s in ir.statements(loop.body) if isinstance(s, ir.Set)}
    if isinstance(expr, ir.Literal) or (isinstance(expr, ir.Name) and expr.name not in changed):
        return expr
    before.append(ir.Let(fresh(name), expr))
    return ir.Name(before[-1].name, expr.type)


# --- expressions and names ------------------------------------------------------------------


def _replaced(expr: Any, new: dict[str, Any]) -> Any:
    return ir.changed(expr, lambda e: new.get(e.name) if isinstance(e, ir.Name) else None)


def _exchanged(expr: Any, old: Any, new: Any) -> Any:
    return ir.changed(expr, lambda e: new if e is old else None)


def _all_names(stmt: ir.Stmt) -> set[str]:
    return {n for s in ir.statements((stmt,)) for root in ir.roots(s) for n in names_of(root)}


def _unused(head: tuple[ir.Let, ...], used: set[str]) -> list[ir.Let]:
    """What only the first product needs, where all else has these variables `used`."""
    found = []
    for let in reversed(head):  # each is made of those before it
        if let.name in used:
            used = used | names_of(let.value)
        else:
            found.append(let)
    return found


def _fresh(wish: str, taken: set[str]) -> str:
    name, number = wish, 2
    while name in taken:
        name, number = f"{wish}_{number}", number + 1
    taken.add(name)
    return name


def _without_notes(stmt: ir.Stmt) -> ir.Stmt:
    (plain,) = ir.rebuild((stmt,), lambda s: s if isinstance(s, ir.Comment) else replace(s, note=ir.Note()))
    return plain
