"""Helpers that multiply, written into a text that is compiled and read: names stay where they are free, arguments take the place of parameters,
and sums go straight to the variable that keeps them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from tile2cpp import ir
from tile2cpp.factors import is_product
from tile2cpp.inlining import Inliner, made_by, variable
from tile2cpp.lower.names import names_of_array
from tile2cpp.passing import is_tile
from tile2cpp.types import Array, Tile


class Writer(Inliner):
    """Writes helpers into a kernel that will be written like that."""

    def __init__(self, kernel: ir.Kernel, helpers: set[str]):
        super().__init__(kernel, helpers)
        self.functions = {name: _straight(helper) for name, helper in self.functions.items()}
        self.steady: set[str] = set()  # variables of helpers that nothing changes
        main = kernel.main
        self.taken = {f.name for f in kernel.functions if f.name not in helpers} | {p.name for p in main.params} | {c.name for c in main.constants}
        self.taken |= {n for s in ir.statements(main.body) for n in made_by(s)}
        self.taken |= {n for p in main.params if isinstance(p.type, Array) for n in names_of_array(p.name, p.type.ndim)}
        for constant in (c for h in kernel.helpers if h.name in helpers for c in h.constants):
            if constant.name not in self.taken:
                self.constants += (constant,)
                self.taken.add(constant.name)

    def fresh(self, wish: str) -> str:
        if wish in self.taken:
            return super().fresh(wish)
        self.taken.add(wish)
        return wish

    def finished(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        reads = Counter(e.name for e in ir.expressions(body) if isinstance(e, ir.Name))
        return _directly(body, {name for name, count in reads.items() if count == 1})

    def called(self, call: ir.Invoke, fields: dict) -> tuple[list[ir.Stmt], tuple[Any, ...]]:
        body, results = super().called(call, fields)
        inside = tuple(ir.statements(tuple(body)))
        self.steady |= {s.name for s in inside if isinstance(s, ir.Let)} - {s.name for s in inside if isinstance(s, ir.Set)}
        return body, results

    def given(self, helper: ir.Function, parameter: ir.Param, argument: Any, before: list[ir.Stmt]) -> Any:
        body = self.functions[helper.name].body
        changes = any(isinstance(s, ir.Set) and s.name == parameter.name for s in ir.statements(body))
        read = sum(isinstance(e, ir.Name) and e.name == parameter.name for e in ir.expressions(body))
        moves = not any(isinstance(s, (ir.For, ir.While)) for s in body) and not any(isinstance(e, ir.Invoke) or (isinstance(e, ir.Call) and e.op.effect) for e in ir.walk(argument))
        if not changes and (isinstance(argument, (ir.Name, ir.Literal)) or (read == 1 and moves)):
            return argument
        before.append(ir.Let(self.fresh(parameter.name), argument))
        return before[-1].name

    def result(self, call: ir.Invoke, value: Any, kind: Tile, before: list[ir.Stmt]) -> Any:
        return value

    def with_results(self, stmt: ir.Stmt, call: ir.Invoke, results: tuple[Any, ...], fields: dict) -> list[ir.Stmt]:
        kind = self.functions[call.helper].result
        if not isinstance(stmt, ir.Let) or stmt.value is not call or isinstance(kind, Tile):
            return super().with_results(stmt, call, results, fields)
        before: list[ir.Stmt] = []
        for value, (member, t) in zip(results, kind):
            if not (isinstance(value, ir.Name) and value.name in self.steady and value.type == t):
                before += variable(self.fresh(f"{stmt.name}_{member}"), value, t, is_tile(t) and value.type != t)
                value = ir.Name(before[-1].name, t)
            fields[stmt.name, member] = value
        return [*before, ir.Comment(())]


def _straight(function: ir.Function) -> ir.Function:
    """`function` with a variable of its own for each new value of a parameter, where these follow one after the other."""
    sets = [s for s in function.body if isinstance(s, ir.Set)]
    kinds = {p.name: p.type for p in function.params}
    bound = {s.name for stmt in function.body for block in ir.blocks(stmt) for s in ir.statements(block) if isinstance(s, ir.Set)}
    bound |= {s.name for s in sets if s.value.type != kinds.get(s.name)}
    taken = kinds.keys() | {c.name for c in function.constants} | {n for s in ir.statements(function.body) for n in made_by(s)}
    now: dict[str, ir.Name] = {}
    body = []
    for stmt in function.body:
        old, stmt = stmt, reading(stmt, now)
        if isinstance(old, ir.Set) and old.name in kinds and old.name not in bound:
            name = next(n for k in range(1, len(taken) + 2) if (n := f"{old.name}_{k}") not in taken)
            taken |= {name}
            now[old.name] = ir.Name(name, old.value.type)
            stmt = ir.Let(name, stmt.value, stmt.note)
        body.append(stmt)
    return replace(function, body=tuple(body))


def reading(stmt: ir.Stmt, now: dict[str, ir.Name]) -> ir.Stmt:
    """A statement that reads these variables in place of others."""
    stmt = ir.with_roots(stmt, lambda e: now.get(e.name) if isinstance(e, ir.Name) else None)
    return ir.with_blocks(stmt, [tuple(reading(s, now) for s in block) for block in ir.blocks(stmt)])


def _directly(body: tuple[ir.Stmt, ...], once: set[str]) -> tuple[ir.Stmt, ...]:
    """`body` without variables for a product that are read `once`, to give it to another variable, which nobody looks at before."""
    out = [ir.with_blocks(s, [_directly(b, once) for b in ir.blocks(s)]) for s in body]
    for let in [s for s in out if isinstance(s, ir.Let) and s.name in once and any(is_product(e) for e in ir.walk(s.value))]:
        at = next(i for i, s in enumerate(out) if s is let)
        to = next((i for i, s in enumerate(out) if isinstance(s, ir.Set) and isinstance(s.value, ir.Name) and s.value.name == let.name), None)
        if to is None or any(_mentions(s, out[to].name) for s in out[at + 1 : to]):
            continue
        given = out.pop(to)
        note = replace(let.note, above=(*let.note.above, *given.note.above), beside=let.note.beside or given.note.beside)
        out[at] = replace(given, value=let.value, note=note)
    return tuple(out)


def _mentions(stmt: ir.Stmt, name: str) -> bool:
    """Whether a statement reads or changes a variable."""
    return any(
        (isinstance(s, ir.Set) and s.name == name) or any(isinstance(e, ir.Name) and e.name == name for root in ir.roots(s) for e in ir.walk(root))
        for s in ir.statements((stmt,))
    )  # fmt: skip
