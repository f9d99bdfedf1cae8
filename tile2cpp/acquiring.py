"""Whether products may fetch factors before the program comes to them, where the threads of a block must keep its order.

They only ever fetch elements of arrays that the kernel does not write. So what the block itself stores is no reason to wait;
what others store is, once the block has looked whether they have: by an operation with acquire semantics whose result it uses,
or by asking in any order first, and then by such an operation whatever becomes of its result.
"""

from __future__ import annotations

from tile2cpp import factors, ir
from tile2cpp.ordering import Access, asks, memory_order, names_read, unused_result

ACQUIRING = ("ACQUIRE", "ACQ_REL")
UNASKED, ASKED, LOOKED = range(3)  # what the block may know of others


def may_fetch_ahead(kernel: ir.Kernel, accesses: list[Access]) -> bool:
    """Whether no product of `kernel` comes behind such a look, and no array is reached through an address, behind which any may lie."""
    return not any(a.effect == "address" for a in accesses) and _Looks(kernel).in_block(kernel.main.body, UNASKED) is not None


class _Looks:
    """Follows a kernel in the order of the program."""

    def __init__(self, kernel: ir.Kernel):
        self.helpers = {h.name: h.body for h in kernel.helpers}
        self.read = set().union(*(names_read(f.body) for f in kernel.functions))

    def in_block(self, body: tuple[ir.Stmt, ...], known: int) -> int | None:
        """What the block may know at the end of `body`, if it knew `known` at its beginning; None if a product comes behind a look."""
        for stmt in body:
            # A loop's second turn begins as its first one ended; its third may as the second one did, where that began with more.
            for _ in range(3 if isinstance(stmt, (ir.For, ir.While)) else 1):
                begun = self.in_statement(stmt, known)
                after = [begun, *(self.in_block(block, begun or UNASKED) for block in ir.blocks(stmt))]
                if None in after:
                    return None
                known = max(after)
        return known

    def in_statement(self, stmt: ir.Stmt, known: int) -> int | None:
        """The same for what `stmt` itself evaluates, in an order that is the compiler's choice."""
        evaluated = [e for root in ir.roots(stmt) for e in ir.walk(root)]
        known = self.known_by(stmt, evaluated, known)
        if known == LOOKED and any(map(factors.is_product, evaluated)):
            return None
        after = [self.in_block(self.helpers[e.helper], known) for e in evaluated if isinstance(e, ir.Invoke)]
        return None if None in after else max([known, *after])

    def known_by(self, stmt: ir.Stmt, evaluated: list[ir.Expr], known: int) -> int:
        """What the block may know when `stmt` has evaluated its own operations."""
        unused = unused_result(stmt, self.read)
        used = [e for e in evaluated if e is not unused]
        if any(isinstance(e, ir.Call) and asks(e) for e in used):
            known = max(known, ASKED)
        acquiring = [e for e in (evaluated if known >= ASKED else used) if isinstance(e, ir.Call) and memory_order(e) in ACQUIRING]
        return LOOKED if acquiring else known
