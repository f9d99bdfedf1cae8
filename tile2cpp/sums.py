"""Sums of products that are needed after another product has begun with them.

On warpgroups a product runs on while its threads go on, in the registers of its sums. The next one adds to the same registers, as
long as nobody asks for the old sums again: these would have to be copied while they change. So does a variable that is given
the sums of another one.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import SUMS, as_written, is_product
from tile2cpp.passing import multiplying
from tile2cpp.types import Tile


def are_kept(kernel: ir.Kernel) -> bool:
    """Whether the kernel may ask for sums with which another product began, or have two variables for them."""
    found = multiplying(kernel)
    return any(_keeps(f, found) for f in kernel.functions if f.name in found)


def may_end_early(kernel: ir.Kernel) -> bool:
    """Whether a function may end while one of its products is under way: with sums that nobody asks for, such as the state behind the last step."""
    multipliers = multiplying(kernel)
    for function in (f for f in kernel.functions if f.name in multipliers):
        unread = _Unread(multipliers)
        if unread.behind(function.body, frozenset()) | unread.ends:
            return True
    return False


class _Unread:
    """Follows a function, and the variables whose sums nobody has read since a product began with them. `ends`: those at returns, `leaves`: where a loop is left."""

    def __init__(self, multipliers: set[str]):
        self.multipliers = multipliers
        self.ends: frozenset[str] = frozenset()
        self.leaves: frozenset[str] = frozenset()

    def behind(self, body: tuple, unread: frozenset[str]) -> frozenset[str]:
        """The variables behind `body`, if these are `unread` in front of it."""
        for stmt in body:
            unread = self.behind_own(stmt, unread)
            if isinstance(stmt, ir.Return):
                self.ends |= unread
                return frozenset()
            if isinstance(stmt, (ir.Break, ir.Continue)):
                self.leaves |= unread
                return frozenset()
            if isinstance(stmt, (ir.For, ir.While)):
                outer, self.leaves = self.leaves, frozenset()
                for _ in range(2):  # the second turn begins as the first one ended
                    unread |= self.behind(stmt.body, unread) | self.leaves
                self.leaves = outer
            elif ir.blocks(stmt):
                unread = frozenset().union(*(self.behind(block, unread) for block in ir.blocks(stmt)))
        return unread

    def behind_own(self, stmt: ir.Stmt, unread: frozenset[str]) -> frozenset[str]:
        """The same for what a statement itself evaluates."""
        value = as_written(stmt.value) if isinstance(stmt, (ir.Let, ir.Set)) else None
        begins = is_product(value) or (isinstance(value, ir.Invoke) and value.helper in self.multipliers)
        read = {e.name for root in ir.roots(stmt) for e in ir.walk(root) if isinstance(e, ir.Name)}
        copied = isinstance(value, ir.Name) and value.name in unread
        return (unread - read) | ({stmt.name} if begins or copied else set())


def _keeps(function: ir.Function, multipliers: set[str]) -> bool:
    statements = list(ir.statements(function.body))
    running = {p.name for p in function.params if isinstance(p.type, Tile) and p.type.shape and p.type.dtype in SUMS.values()}
    while True:  # variables whose sums may be on their way
        more = running | {name for s in statements for name in _given(s, running)}
        if more == running:
            break
        running = more
    reads = Counter(e.name for s in statements for root in ir.roots(s) for e in ir.walk(root) if isinstance(e, ir.Name))
    once = {name for name in running if reads[name] == 1} & _read_where_made(function.body, {p.name for p in function.params})
    for stmt in statements:
        value = as_written(stmt.value) if isinstance(stmt, (ir.Let, ir.Set)) else None
        if isinstance(value, ir.Name) and value.name in running and value.name not in once:
            return True
        for begun in (e for root in ir.roots(stmt) for e in ir.walk(root) if is_product(e) or (isinstance(e, ir.Invoke) and e.helper in multipliers)):
            own = {stmt.name} if isinstance(stmt, ir.Set) and value is begun else set()
            if not _taken(begun) & running <= own | once:
                return True
    return False


def _given(stmt: ir.Stmt, running: set[str]) -> set[str]:
    """The variables that a statement gives sums which may be on their way."""
    if isinstance(stmt, ir.Unpack):
        return set(stmt.names)
    if not isinstance(stmt, (ir.Let, ir.Set)):
        return set()
    value = as_written(stmt.value)
    found = is_product(value) or isinstance(value, ir.Invoke) or (isinstance(value, ir.Name) and value.name in running)
    return {stmt.name} if found else set()


def _taken(begun: Any) -> set[str]:
    """The variables with whose sums a product begins, or a helper that multiplies may begin one."""
    operands = begun.arguments if isinstance(begun, ir.Invoke) else [value for name, value in begun.arguments if name == "acc"]
    return {value.name for value in map(as_written, operands) if isinstance(value, ir.Name)}


def _read_where_made(body: tuple, made: set[str]) -> set[str]:
    """The variables that are read in the very block that makes them, which turns as often."""
    made = made | {s.name for s in body if isinstance(s, ir.Let)}
    found = {e.name for s in body if not isinstance(s, ir.While) for root in ir.roots(s) for e in ir.walk(root) if isinstance(e, ir.Name)} & made
    for stmt in body:
        for block in ir.blocks(stmt):
            found |= _read_where_made(block, set())
    return found
