"""Whether products may fetch factors at another time than the program loads them, beside what blocks tell each other.

They only ever fetch elements of arrays that the kernel does not write. So what the block itself stores is no reason to wait;
what others store is, once the block has looked whether they have: by an operation with acquire semantics whose result it uses,
or by asking in any order first, and then by such an operation whatever becomes of its result.

Nor may they fetch late: a factor that was loaded before the block tells others (an operation with release semantics) may be something else
behind it. Where a warp fetches, or a factor stays, it has arrived by its first product; else each product fetches it `again`.
"""

from __future__ import annotations

from tile2cpp import factors, ir
from tile2cpp.ordering import Access, asks, memory_order, names_read, unused_result
from tile2cpp.warpgroups import may_be_placed

ACQUIRING, RELEASING = ("ACQUIRE", "ACQ_REL"), ("RELEASE", "ACQ_REL")
UNASKED, ASKED, LOOKED = range(3)  # what the block may know of others


def may_fetch(kernel: ir.Kernel, accesses: list[Access], again: bool = False) -> bool:
    """Whether no product of `kernel` would fetch too early, or too late, and no array is reached through an address, behind which any may lie."""
    return not any(a.effect == "address" for a in accesses) and _Looks(kernel, again).in_block(kernel.main.body, UNASKED) is not None


class _Looks:
    """Follows a kernel in the order of the program."""

    def __init__(self, kernel: ir.Kernel, again: bool):
        self.again = again
        self.loaded: set[str] = set()  # variables that hold what no product has fetched so far
        self.told: set[str] = set()  # those that did so when the block told others
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
        products = [e for e in evaluated if factors.is_product(e)]
        if (known == LOOKED and products) or not self.fetched_in_time(stmt, evaluated, products):
            return None
        after = [self.in_block(self.helpers[e.helper], known) for e in evaluated if isinstance(e, ir.Invoke)]
        return None if None in after else max([known, *after])

    def fetched_in_time(self, stmt: ir.Stmt, evaluated: list[ir.Expr], products: list[ir.Call]) -> bool:
        """Whether the products of `stmt`, and of helpers that get factors from it, read nothing that was loaded before the block told others."""
        given = [e for p in products for e in (p["x"], p["y"])] + [a for e in evaluated if isinstance(e, ir.Invoke) for a in e.arguments]
        used = {e.name for g in given for e in ir.walk(g) if isinstance(e, ir.Name)}
        if used & self.told:
            return False
        if products and not self.again:
            self.loaded -= used
        if any(isinstance(e, ir.Call) and memory_order(e) in RELEASING for e in evaluated):
            self.told |= self.loaded
        if isinstance(stmt, ir.Let):
            self.follow(stmt)
        return True

    def follow(self, stmt: ir.Let) -> None:
        """A variable that is loaded anew, or holds what another one does."""
        read = {e.name for e in ir.walk(stmt.value) if isinstance(e, ir.Name)}
        for names in (self.loaded, self.told):
            held = bool(read & names) and may_be_placed(stmt.value, names)
            names.discard(stmt.name)
            names |= {stmt.name} if held else set()
        self.loaded |= {stmt.name} if may_be_placed(stmt.value, set()) else set()

    def known_by(self, stmt: ir.Stmt, evaluated: list[ir.Expr], known: int) -> int:
        """What the block may know when `stmt` has evaluated its own operations."""
        unused = unused_result(stmt, self.read)
        used = [e for e in evaluated if e is not unused]
        if any(isinstance(e, ir.Call) and asks(e) for e in used):
            known = max(known, ASKED)
        acquiring = [e for e in (evaluated if known >= ASKED else used) if isinstance(e, ir.Call) and memory_order(e) in ACQUIRING]
        return LOOKED if acquiring else known
