"""Helpers that multiply, written into the kernel that calls them: for those who have to see all products of a kernel in their order.

The file keeps its helpers. What is made here is read by the schedule, and by the warp that fetches factors.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import is_product
from tile2cpp.passing import is_tile, multiplying, unread_factors
from tile2cpp.types import Array, ArrayList, Tile

MOST_STATEMENTS = 4000  # of the kernel then; helpers that call others twice grow quickly


class Unfollowed(Exception):
    """A helper that cannot be written into its caller, or not with its products in one order."""


def inlined(kernel: ir.Kernel, to_write: bool = False) -> ir.Kernel | None:
    """`kernel` with all its products in its own body, each where its turn comes; itself, if no helper multiplies, and None where the order of
    products is the compiler's choice, or a helper has several ends. `to_write`: it will be written like that, in place of the author's helpers."""
    helpers = multiplying(kernel) - {kernel.main.name}
    if not helpers:
        return kernel
    from tile2cpp.writing_out import Writer

    inliner = (Writer if to_write else Inliner)(kernel, helpers)
    try:
        body = inliner.finished(inliner.block(kernel.main.body, {}))
    except Unfollowed:
        return None
    main = replace(kernel.main, body=body, constants=(*kernel.main.constants, *inliner.constants))
    return replace(kernel, main=main, helpers=tuple(h for h in kernel.helpers if h.name not in helpers))


class Inliner:
    """Writes helpers into a kernel. What a parameter is given is a variable of its own here: one that holds elements, unless the helper itself
    passes on what it has not read."""

    constants: tuple[ir.Constant, ...] = ()

    def __init__(self, kernel: ir.Kernel, helpers: set[str]):
        self.functions = {h.name: h for h in kernel.helpers if h.name in helpers}
        self.unread = unread_factors(kernel)
        self.taken = {f.name for f in kernel.functions}
        for function in kernel.functions:
            self.taken |= {p.name for p in function.params} | {c.name for c in function.constants} | {n for s in ir.statements(function.body) for n in made_by(s)}
        self.numbers: Counter[str] = Counter()
        self.size = 0

    def fresh(self, wish: str) -> str:
        while True:
            self.numbers[wish] += 1
            name = f"{wish}_{self.numbers[wish]}"
            if name not in self.taken:
                self.taken.add(name)
                return name

    def block(self, body: tuple[ir.Stmt, ...], fields: dict[tuple[str, str], ir.Name]) -> tuple[ir.Stmt, ...]:
        """`body` without calls of helpers that multiply. `fields`: what stands for the members of their results."""
        fields, out = dict(fields), []
        for stmt in body:
            self.count()
            begun = [e for root in ir.roots(stmt) for e in ir.walk(root) if is_product(e) or (isinstance(e, ir.Invoke) and e.helper in self.functions)]
            calls = [e for e in begun if isinstance(e, ir.Invoke)]
            if calls and (len(begun) > 1 or isinstance(stmt, ir.While)):
                raise Unfollowed  # in which order, or how often, is not seen
            if calls:
                stmt = self.in_place(stmt, calls[0], fields, out)
            stmt = ir.with_roots(stmt, lambda e: fields.get((e.value.name, e.name)) if isinstance(e, ir.Field) else None)
            out.append(ir.with_blocks(stmt, [self.block(b, fields) for b in ir.blocks(stmt)]))
        return tuple(out)

    def count(self) -> None:
        """One more statement, or call, of a kernel that must not grow without end."""
        self.size += 1
        if self.size > MOST_STATEMENTS:
            raise Unfollowed

    def in_place(self, stmt: ir.Stmt, call: ir.Invoke, fields: dict[tuple[str, str], ir.Name], out: list[ir.Stmt]) -> ir.Stmt:
        """What is left of `stmt` behind the statements of a helper that it calls; these go to `out`."""
        written, results = self.called(call, fields)
        note = stmt.note
        written += self.with_results(stmt, call, results, fields)
        stmt = written.pop()
        lines = (*note.above, *filter(None, [note.beside])) if isinstance(stmt, ir.Comment) else note.above
        out += _commented(written, lines)
        if isinstance(stmt, ir.Comment):
            return ir.Comment(() if any(not isinstance(s, ir.Comment) for s in written) else lines)
        return replace(stmt, note=replace(stmt.note, above=())) if written else stmt

    def finished(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """The kernel's body when all helpers are in it."""
        return body

    def called(self, call: ir.Invoke, fields: dict) -> tuple[list[ir.Stmt], tuple[Any, ...]]:
        """The statements of a helper with the arguments of a call, and its results."""
        helper = self.functions[call.helper]
        body = [s for s in helper.body if not isinstance(s, ir.Comment)]
        last = body.pop() if body and isinstance(body[-1], ir.Return) else ir.Return()
        if not last.values:
            body = _with_one_end(body)
        if any(isinstance(s, ir.Return) for s in ir.statements(tuple(body))):
            raise Unfollowed
        given: list[ir.Stmt] = []
        new: dict[str, Any] = {}
        for parameter, argument in zip(helper.params, call.arguments):
            argument = ir.changed(argument, lambda e: fields.get((e.value.name, e.name)) if isinstance(e, ir.Field) else None)
            if argument.type != parameter.type:
                raise Unfollowed  # it is converted on the way
            new[parameter.name] = argument if isinstance(parameter.type, (Array, ArrayList)) else self.given(helper, parameter, argument, given)
        made = [n for s in ir.statements(tuple(body)) for n in made_by(s)]
        new |= {n: self.fresh(n) for n in dict.fromkeys(made)}
        *inside, end = self.block(tuple(_renamed(s, new) for s in (*body, last)), {})
        return [*given, *inside], end.values

    def given(self, helper: ir.Function, parameter: ir.Param, argument: Any, before: list[ir.Stmt]) -> Any:
        """What stands for a parameter: the name of a variable made `before`."""
        name = self.fresh(parameter.name)
        before += variable(name, argument, parameter.type, is_tile(parameter.type) and parameter.name not in self.unread[helper.name])
        return name

    def result(self, call: ir.Invoke, value: Any, kind: Tile, before: list[ir.Stmt]) -> Any:
        """What stands for a call."""
        name = self.fresh(f"{call.helper}_result")
        before += variable(name, value, kind, is_tile(kind))
        return ir.Name(name, kind)

    def with_results(self, stmt: ir.Stmt, call: ir.Invoke, results: tuple[Any, ...], fields: dict) -> list[ir.Stmt]:
        """`stmt` with the results of a helper in place of its call; the last statement is what is left of it."""
        if isinstance(stmt, ir.Do) and stmt.call is call:
            return [ir.Comment(())]
        kind = self.functions[call.helper].result
        if isinstance(kind, Tile):
            before: list[ir.Stmt] = []
            value = self.result(call, results[0], kind, before)
            return [*before, ir.with_roots(stmt, lambda e: value if e is call else None)]
        members = [n for n, _ in kind]
        names = stmt.names if isinstance(stmt, ir.Unpack) else [self.fresh(f"{stmt.name}_{n}") for n in members]
        if isinstance(stmt, ir.Let):
            fields |= {(stmt.name, member): ir.Name(name, t) for name, (member, t) in zip(names, kind)}
        return [*(s for n, value, (_, t) in zip(names, results, kind) for s in variable(n, value, t, is_tile(t))), ir.Comment(())]


def _with_one_end(body: list[ir.Stmt]) -> list[ir.Stmt]:
    """The statements of a helper without a result, where what follows `if ...: return` is the other branch."""
    for line, stmt in enumerate(body):
        if isinstance(stmt, ir.If) and not stmt.otherwise and stmt.then and isinstance(stmt.then[-1], ir.Return):
            return [*body[:line], replace(stmt, then=stmt.then[:-1], otherwise=tuple(_with_one_end(body[line + 1 :])))]
    return body


def variable(name: str, value: Any, kind: Tile, read: bool) -> list[ir.Stmt]:
    """`read`: it holds elements, whatever it is given. Such a one is no name for a load."""
    return [ir.Declare(name, kind), ir.Set(name, value)] if read else [ir.Let(name, value)]


def _commented(written: list[ir.Stmt], lines: tuple[str, ...]) -> list[ir.Stmt]:
    """Statements in place of a call, with the author's comment above all of them."""
    at = next((i for i, s in enumerate(written) if not isinstance(s, ir.Comment)), None)
    if at is None or not lines:
        return written
    first = written[at]
    return [*written[:at], replace(first, note=replace(first.note, above=(*lines, *first.note.above))), *written[at + 1 :]]


def made_by(stmt: ir.Stmt) -> tuple[str, ...]:
    """The variables and arrays that a statement makes."""
    if isinstance(stmt, ir.Unpack):
        return stmt.names
    return (stmt.name,) if isinstance(stmt, (ir.Let, ir.Declare, ir.For, ir.Slice, ir.Pick, ir.Foreign)) else ()


def _renamed(stmt: ir.Stmt, new: dict[str, Any]) -> ir.Stmt:
    """A statement of a helper with its variables and arrays under new names, or with expressions in place of parameters."""

    def change(expr: Any) -> Any:
        if not isinstance(expr, (ir.Name, ir.ArrayName, ir.ListName)) or expr.name not in new:
            return None
        found = new[expr.name]
        return replace(expr, name=found) if isinstance(found, str) else found

    stmt = ir.with_roots(stmt, change)
    if isinstance(stmt, ir.Unpack):
        stmt = replace(stmt, names=tuple(new[n] for n in stmt.names))
    elif isinstance(stmt, (ir.Let, ir.Set, ir.Declare, ir.For, ir.Slice, ir.Pick, ir.Foreign)):
        stmt = replace(stmt, name=new[stmt.name])
    if isinstance(stmt, ir.Let):
        stmt = replace(stmt, constant=False)  # the kernel knows nothing of it
    if isinstance(stmt, ir.Foreign):
        stmt = replace(stmt, origins=tuple(getattr(new.get(o, o), "name", new.get(o, o)) for o in stmt.origins))
    return ir.with_blocks(stmt, [tuple(_renamed(s, new) for s in block) for block in ir.blocks(stmt)])
