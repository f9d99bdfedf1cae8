"""Python evaluates from left to right; C++ leaves the order of arguments and operands open.

That matters where one expression holds several accesses to memory and one of them
writes, such as two atomics. Such an expression is lowered again, with a variable
for each of its accesses.
"""

from __future__ import annotations

from typing import Any, Callable

from tile2cpp import ir
from tile2cpp.lower.frame import Frame
from tile2cpp.lower.values import Runtime, Value


class Order(Frame):
    """Adds `rooted`: the value of a statement's own expression."""

    in_order = False  # every access gets a variable, at once
    accesses: list[tuple[Any, bool]] | None = None  # those of the expression at hand, and whether they write

    def rooted(self, evaluate: Callable[[], Value]) -> Value:
        """The value that `evaluate` gives, with its effects in Python's order."""
        if self.in_order:
            return evaluate()
        outer, self.accesses = self.accesses, []
        start, known, taken = len(self.out), dict(self.scopes[-1]), set(self.names.taken)
        try:
            value = evaluate()
            if not self._order_matters(value, self.out[start:]):
                return value
            del self.out[start:]
            self.scopes[-1].clear()
            self.scopes[-1].update(known)
            self.names.taken = taken | set(self.constants) | set(self.global_names.values()) | set(self.cnames.values())
            self.in_order = True
            return evaluate()
        finally:
            self.in_order, self.accesses = False, outer

    def accessing(self, expr: Any, writes: bool, wanted: str) -> Value:
        """The value of an access to memory."""
        self.accessed(expr, writes)
        return Runtime(self.temporary(wanted, expr) if self.in_order else expr)

    def accessed(self, expr: Any, writes: bool) -> None:
        if self.accesses is not None:
            self.accesses.append((expr, writes))

    def _order_matters(self, value: Value, emitted: list[ir.Stmt]) -> bool:
        root = value.expr if isinstance(value, Runtime) else None
        inner = [expr for expr, writes in self.accesses if writes and expr is not root]
        if not inner:
            return False
        if len(self.accesses) - any(expr is root for expr, _ in self.accesses) > 1:
            return True
        # One alone must not get lost, as in `(f(x), y)[1]`.
        held = [*self.parts_of(value), *(e for stmt in ir.statements(tuple(emitted)) for e in ir.roots(stmt))]
        found = {id(e) for part in held for e in ir.walk(part)}
        return any(id(expr) not in found for expr in inner)

    @staticmethod
    def parts_of(value: Value) -> list[Any]:
        """The run-time expressions of a value."""
        from tile2cpp.lower.functions import runtime_leaves

        return list(runtime_leaves(value))
