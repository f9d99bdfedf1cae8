"""Whether products may fetch factors before the program comes to them, where the threads of a block must keep its order.

They only ever fetch elements of arrays that the kernel does not write. So what the block itself stores is no reason to wait;
what others store is, once the block has looked whether they have: by an atomic operation with acquire semantics whose result it uses.
"""

from __future__ import annotations

from typing import Any

from tile2cpp import factors, ir
from tile2cpp.ordering import Access

ACQUIRING = ("ACQUIRE", "ACQ_REL")


def may_fetch_ahead(kernel: ir.Kernel, accesses: list[Access]) -> bool:
    """Whether no product of `kernel` comes behind such a look, and no array is reached through an address, behind which any may lie."""
    return not any(a.effect == "address" for a in accesses) and _Looks(kernel).in_block(kernel.main.body, False) is not None


class _Looks:
    """Follows a kernel in the order of the program."""

    def __init__(self, kernel: ir.Kernel):
        self.helpers = {h.name: h.body for h in kernel.helpers}

    def in_block(self, body: tuple[ir.Stmt, ...], looked: bool) -> bool | None:
        """Whether the block has looked at the end of `body`, if it had (`looked`) at its beginning; None if a product comes behind."""
        for stmt in body:
            # A loop's second turn begins as its first one ended.
            for _ in range(2 if isinstance(stmt, (ir.For, ir.While)) else 1):
                begun = self.in_statement(stmt, looked)
                after = [begun, *(self.in_block(block, bool(begun)) for block in ir.blocks(stmt))]
                if None in after:
                    return None
                looked = any(after)
        return looked

    def in_statement(self, stmt: ir.Stmt, looked: bool) -> bool | None:
        """The same for what `stmt` itself evaluates, in an order that is the compiler's choice."""
        evaluated = [e for root in ir.roots(stmt) for e in ir.walk(root)]
        looked = looked or self.looks(stmt)
        if looked and any(map(factors.is_product, evaluated)):
            return None
        after = [self.in_block(self.helpers[e.helper], looked) for e in evaluated if isinstance(e, ir.Invoke)]
        return None if None in after else looked or any(after)

    @staticmethod
    def looks(stmt: ir.Stmt) -> bool:
        """Whether `stmt` itself uses what an acquiring operation gives."""
        unused = ir.roots(stmt) if isinstance(stmt, ir.Do) else ()
        return any(_acquires(e) and not any(e is root for root in unused) for root in ir.roots(stmt) for e in ir.walk(root))


def _acquires(expr: Any) -> bool:
    order = dict(expr.arguments).get("memory_order") if isinstance(expr, ir.Call) else None
    return getattr(order, "name", order) in ACQUIRING
