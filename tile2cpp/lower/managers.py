"""`with`: helpers made by `contextlib.contextmanager`, whose statements stand around those of the block.

The helper is lowered into the function that enters it; at its `yield` the block is. Where
control leaves the block early, by `break`, `continue` or `return`, what follows the
`yield` comes first, innermost helper first, as Python has it.
"""

from __future__ import annotations

import ast
import contextlib
import types
from dataclasses import dataclass
from typing import Any, Callable

from tile2cpp.errors import TileSyntaxError
from tile2cpp.lower.analysis import FUNCTIONS, local_nodes
from tile2cpp.lower.values import Constant, Manager, Value, describe

ENDS = (ast.Break, ast.Continue, ast.Return, ast.Raise)


@dataclass(frozen=True)
class Entered:
    """A block that control is in: the helper's frame, what it still does, and how many loops are around."""

    frame: Any
    rest: list[ast.stmt]
    depth: int


class Managers:
    """Adds `with` to a frame."""

    def _do_with(self, node: ast.With) -> None:
        self.comments_first()
        self._with(list(node.items), lambda: self.lower(node.body))

    def _with(self, items: list[ast.withitem], body: Callable[[], None]) -> None:
        if not items:
            body()
            return
        first, *rest = items
        inner, manager = self._entering(first)

        def run(yielded: Value) -> None:
            if first.optional_vars is not None:
                self._assign_target(first.optional_vars, yielded, first.context_expr, self.take_note())
            self._with(rest, body)
            inner.ended = self.ended

        inner.lower_around(manager_body(inner.syntax), run)

    def _entering(self, item: ast.withitem) -> tuple[Any, Manager]:
        """A frame for the helper's own names that writes into this function."""
        call = item.context_expr
        manager = self.value(call)
        if not isinstance(manager, Manager):
            raise self.fault(call, f"only helpers made by contextlib.contextmanager can follow `with`, but this is {describe(manager)}", hint="write the statements out, or make it a generator function with one `yield` and that decorator")
        syntax = self.shared.syntax_of(manager.function, self, call)
        check_yields(self, syntax, call)
        given = {name: self._settled(name, value) for name, value in manager.arguments}
        return self.inlined(syntax, self.shared.resolver(manager.function), given, call), manager

    def lower_around(self, body: list[ast.stmt], run: Callable[[Value], None]) -> None:
        """Statements of a helper, with the block in place of its `yield`."""
        at = next(i for i, s in enumerate(body) if has_yield(s))
        before, around, rest = body[:at], body[at], body[at + 1 :]
        self.lower(before)
        self.managers.append(Entered(self, rest, len(self.loops)))
        try:
            if isinstance(around, ast.With):
                self._with(list(around.items), lambda: self.lower_around(around.body, run))
            else:
                yielded = around.value.value
                run(self.value(yielded) if yielded is not None else Constant(None))
        finally:
            self.managers.pop()
        if not self.ended:
            self.lower(rest)

    # --- leaving early --------------------------------------------------------------

    def unwind(self, depth: int, finish: Callable[[], Any] = lambda: None) -> Any:
        """Do what the helpers do at the end of all blocks entered inside of `depth` loops; then `finish`."""
        left = [entered for entered in self.managers if entered.depth >= depth]
        kept = self.managers[:]
        states = [(e.frame, e.frame.out, dict(e.frame.env), e.frame.ended) for e in left]
        try:
            for entered in reversed(left):
                self.managers.pop()
                entered.frame.out, entered.frame.ended = self.out, False
                entered.frame.lower(entered.rest)
            return finish()
        finally:
            self.managers[:] = kept
            for frame, out, env, ended in states:
                frame.out, frame.env, frame.ended = out, env, ended


def is_manager(function: Any) -> bool:
    """Whether `contextlib.contextmanager` made a function."""
    return isinstance(getattr(function, "__wrapped__", None), types.FunctionType) and getattr(function, "__globals__", None) is vars(contextlib)


def manager_body(syntax: Any) -> list[ast.stmt]:
    """The statements of a generator function; `try ... finally` is what it means without exceptions."""
    return _flat(syntax.body)


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    flat: list[ast.stmt] = []
    for stmt in body:
        if isinstance(stmt, ast.Try) and not stmt.handlers:
            flat += _flat([*stmt.body, *stmt.orelse, *stmt.finalbody])
        elif isinstance(stmt, ast.With) and has_yield(stmt):
            flat.append(ast.copy_location(ast.With(stmt.items, _flat(stmt.body)), stmt))
        else:
            flat.append(stmt)
    return flat


def has_yield(stmt: ast.stmt) -> bool:
    """Whether control, going through a statement, meets a `yield` of its own."""
    return any(True for _ in _yields([stmt]))


def _yields(body: list[ast.stmt]):
    """The `yield`s that control can reach: nothing counts behind a `break` and its like."""
    for stmt in body:
        blocks = [getattr(stmt, name, []) for name in ("body", "orelse", "finalbody")] if not isinstance(stmt, FUNCTIONS) else []
        if any(blocks):
            for block in blocks:
                yield from _yields(block)
        elif not isinstance(stmt, FUNCTIONS):
            yield from (n for n in local_nodes([stmt]) if isinstance(n, (ast.Yield, ast.YieldFrom)))
        if isinstance(stmt, ENDS):
            return


def check_yields(frame: Any, syntax: Any, call: ast.AST) -> None:
    """A helper for `with` yields once, outside of loops and branches, and does not return early."""
    for node in local_nodes(syntax.body):
        if isinstance(node, ast.Return):
            place = syntax.span(node)
            raise frame.fault(place, f"`return` cannot leave `{syntax.name}`, which a `with` goes through", hint="decide by an `if` around what follows", kind=TileSyntaxError, known_as="Returning from a generator-based context manager is not supported")
    body = manager_body(syntax)
    found = list(_yields(body))
    if not found:
        raise frame.fault(call, f"`{syntax.name}` has no `yield` that it can reach", hint="put one `yield` where the block is to run", known_as="Expected a generator function, but no reachable `yield` statement has been found")
    if len(found) > 1:
        raise frame.fault(call, f"`{syntax.name}` yields {len(found)} times", hint="the block runs once, at one `yield`", known_as="Generator-based context manager must have one `yield` statement")
    if not _in_reach(body):
        raise frame.fault(call, f"the `yield` of `{syntax.name}` stands in a loop, a branch or an expression", hint="make it a statement of its own, outside of loops and branches", known_as="`yield` statement of a generator-based context manager must be placed outside of loops and conditional statements")


def _in_reach(body: list[ast.stmt]) -> bool:
    """Whether the `yield` is a statement of its own, inside of nothing but `with` blocks."""
    around = next(s for s in body if has_yield(s))
    if isinstance(around, ast.With):
        return _in_reach(around.body)
    return isinstance(around, ast.Expr) and isinstance(around.value, ast.Yield)

