"""Loops whose two products make a chain: the second one's left factor follows from the first one's result, and what lies between may be seen through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import as_written, is_product
from tile2cpp.types import Tile


@dataclass(frozen=True)
class Chain:
    """Where the two products of a loop stand in its body, and what of the body is needed for the first one (`head`), and for the
    left factor of the second one alone (`tail`)."""

    first: int
    second: int
    products: tuple[ir.Call, ir.Call]
    head: tuple[ir.Let, ...]
    tail: tuple[ir.Let, ...]


def chain_of(loop: ir.For, written: set[str], pure: set[str]) -> Chain | None:
    """The chain of a loop, or None. `written`: arrays that the kernel stores to; `pure`: helpers that only compute."""
    found = [(i, e) for i, s in enumerate(loop.body) for root in ir.roots(s) for e in ir.walk(root) if is_product(e)]
    inside = [s for block in (b for s in loop.body for b in ir.blocks(s)) for s in ir.statements(block)]
    if loop.step is not None or len(found) != 2 or any(is_product(e) for s in inside for root in ir.roots(s) for e in ir.walk(root)):
        return None
    if any(isinstance(s, (ir.Break, ir.Continue, ir.Return)) for s in (*loop.body, *inside)):
        return None
    (first, one), (second, two) = found
    if first == second or any(p.op.name != "mma" for p in (one, two)) or not isinstance(loop.body[first], ir.Let) or not isinstance(loop.body[second], (ir.Let, ir.Set)):
        return None
    head = _needs(one, loop, first)
    tail = _narrow(two["x"], loop, second)
    if head is None or tail is None or not all(_may_wait(s, loop.body[:second], written, pure) for s in tail):
        return None
    if not all(_is_read_only(e, written) for e in (one, *(s.value for s in head))):
        return None
    if loop.body[first].name not in _origins(two["x"], loop.body[:second]) or not _is_read(two["acc"], loop, second):
        return None
    return Chain(first, second, (one, two), head, tail)


def pure_helpers(kernel: ir.Kernel) -> set[str]:
    """The helpers that only compute."""
    found: set[str] = set()
    for helper in kernel.helpers:  # callees come first
        inside = list(ir.expressions(helper.body))
        if all(e.helper in found if isinstance(e, ir.Invoke) else not isinstance(e, ir.Call) or not e.op.effect for e in inside):
            found.add(helper.name)
    return found


def _is_read_only(expr: Any, written: set[str], pure: set[str] = frozenset()) -> bool:
    """Whether it is the same whenever it is evaluated, but for its variables."""
    for inner in ir.walk(expr):
        if (isinstance(inner, ir.Invoke) and inner.helper not in pure) or (isinstance(inner, ir.Call) and inner.op.effect not in ("", "load")):
            return False
        if isinstance(inner, ir.ArrayName) and inner.name in written:
            return False
    return True


def _needs(expr: Any, loop: ir.For, before: int) -> tuple[ir.Let, ...] | None:
    """The variables of the body that `expr` is made of; None if one of them changes, or is more than a value, such as a part of an array."""
    changed = {s.name for s in ir.statements(loop.body) if isinstance(s, ir.Set)}
    made = {s.name: s for s in loop.body[:before] if isinstance(s, ir.Let)}
    others = defined_in(loop.body) - made.keys()
    names, waiting = set(), [expr]
    while waiting:
        for name in _names_and_arrays(waiting.pop()) - names:
            if name in changed or name in others:
                return None
            names.add(name)
            if name in made:
                waiting.append(made[name].value)
    return tuple(s for s in loop.body[:before] if isinstance(s, ir.Let) and s.name in names)


def _narrow(left: Any, loop: ir.For, before: int) -> tuple[ir.Let, ...] | None:
    """The narrow tiles that the left factor is made of. They are made behind the wait for the product of the step before, whose left factor has
    the same registers; None if something else looks at them, or one is made otherwise: in branches, or among other results of a helper."""
    narrow = {s.name: s for s in loop.body[:before] if isinstance(s, ir.Let) and _is_narrow(s.value)}
    of_steps = defined_in(loop.body) | {s.name for s in ir.statements(loop.body) if isinstance(s, ir.Set)}
    found: dict[str, ir.Let] = {}
    waiting = [left]
    while waiting:
        inside = [e for e in ir.walk(waiting.pop()) if isinstance(e, (ir.Name, ir.Field)) and _is_narrow(e)]
        variables = {e.name if isinstance(e, ir.Name) else e.value.name for e in inside}
        if (variables & of_steps) - narrow.keys():
            return None
        for name in variables & narrow.keys() - found.keys():
            found[name] = narrow[name]
            waiting.append(narrow[name].value)
    users = [s for i, s in enumerate(loop.body) if i != before and not (isinstance(s, ir.Let) and s.name in found)]
    if any(names_of(root) & found.keys() for s in ir.statements(tuple(users)) for root in ir.roots(s)):
        return None
    return tuple(s for s in loop.body[:before] if isinstance(s, ir.Let) and s.name in found)


def _is_narrow(expr: Any) -> bool:
    return isinstance(expr.type, Tile) and bool(expr.type.shape) and expr.type.dtype.bytes == 2


def _may_wait(let: ir.Let, body: tuple[ir.Stmt, ...], written: set[str], pure: set[str]) -> bool:
    """Whether a variable of `body` may as well be made behind all of it."""
    later = body[next(i for i, s in enumerate(body) if s is let) :]
    changes = {s.name for s in ir.statements(later) if isinstance(s, ir.Set)}
    return not changes & names_of(let.value) and _is_read_only(let.value, written, pure)


def _origins(expr: Any, body: tuple[ir.Stmt, ...]) -> set[str]:
    """All variables that `expr` may be computed from in `body`."""
    sets: dict[str, list] = {}
    for s in ir.statements(body):
        if isinstance(s, (ir.Let, ir.Set)):
            sets.setdefault(s.name, []).append(s.value)
    names, waiting = set(), [expr]
    while waiting:
        new = names_of(waiting.pop()) - names
        names |= new
        waiting += [value for name in new for value in sets.get(name, ())]
    return names


def _is_read(acc: Any, loop: ir.For, second: int) -> bool:
    """Whether the sums of a step are read before the next step's product begins, so that it has ended: as old sums, or behind it, where they are this step's alone."""
    stmt = loop.body[second]
    acc = as_written(acc)
    if not isinstance(acc, ir.Name):
        return isinstance(stmt, ir.Set) and stmt.name in names_of(acc)
    if isinstance(stmt, ir.Let):
        if not any(stmt.name in names_of(root) for s in loop.body[second + 1 :] if not _is_copy(s) for root in ir.roots(s)):
            return False
        return any(isinstance(s, ir.Set) and s.name == acc.name in names_of(s.value) and not _is_copy(s) for s in loop.body[:second])
    made = [s for s in loop.body[:second] if isinstance(s, ir.Let) or (isinstance(s, ir.Set) and acc.name == stmt.name)]
    return any(s.name == acc.name and stmt.name in names_of(s.value) and not _is_copy(s) for s in made)


def _is_copy(stmt: ir.Stmt) -> bool:
    """Whether it gives the value of a variable to another one, which reads nothing."""
    return isinstance(stmt, (ir.Let, ir.Set)) and isinstance(as_written(stmt.value), ir.Name)


# --- names ---------------------------------------------------------------------------------


def names_of(expr: Any) -> set[str]:
    """The variables that an expression reads."""
    return {e.name for e in ir.walk(expr) if isinstance(e, ir.Name)}


def _names_and_arrays(expr: Any) -> set[str]:
    return {e.name for e in ir.walk(expr) if isinstance(e, (ir.Name, ir.ArrayName, ir.ListName))}


def defined_in(body: tuple[ir.Stmt, ...]) -> set[str]:
    """The variables and arrays that statements make, those inside of them included."""
    names = set()
    for s in ir.statements(body):
        names |= set(s.names) if isinstance(s, ir.Unpack) else {s.name} if hasattr(s, "name") and not isinstance(s, ir.Set) else set()
    return names
