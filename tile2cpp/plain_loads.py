"""Factors of products as loads that can be seen: what fetches them ahead of time asks where they lie in memory, and a helper or a variable with
several values hides that.

    def rows(A, i, k): return ct.load(A, (i, k), (TM, TK))      a = ct.load(A, (i, k), (TM, TK))
    a = rows(A, i, k)                                      ->
    a = f(a)                                                    a_2 = f(a)

Nothing is computed that was not. Such a file is written only where it brings products onto a faster path (`pipeline.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.factors import is_product, matrix
from tile2cpp.inlining import Unfollowed
from tile2cpp.joining import divided
from tile2cpp.passing import is_tile, multiplying, unread_factors
from tile2cpp.types import Tile
from tile2cpp.warpgroups import loaded_variables, may_be_placed
from tile2cpp.writes import written_anywhere
from tile2cpp.writing_out import Writer


def with_plain_loads(kernel: ir.Kernel) -> ir.Kernel:
    """`kernel` with its factors written like that; itself, where they are."""
    helpers = _giving(kernel)
    for function in kernel.functions if helpers else ():
        if function.name not in helpers:
            kernel = _exchanged(kernel, function, _written_out(kernel, function, helpers))
    for function in kernel.functions:
        kernel = _exchanged(kernel, function, divided(function))
    used = {e.helper for f in kernel.functions if f.name not in helpers for e in ir.expressions(f.body) if isinstance(e, ir.Invoke)}
    return replace(kernel, helpers=tuple(h for h in kernel.helpers if h.name in used or h.name not in helpers)) if helpers else kernel


def _exchanged(kernel: ir.Kernel, old: ir.Function, new: ir.Function) -> ir.Kernel:
    if new is old:
        return kernel
    if old is kernel.main:
        return replace(kernel, main=new)
    return replace(kernel, helpers=tuple(new if h is old else h for h in kernel.helpers))


def _giving(kernel: ir.Kernel) -> set[str]:
    """The helpers whose results are factors as they lie in memory, and that do nothing but load what nobody writes."""
    written, busy = written_anywhere(kernel), multiplying(kernel)
    found: set[str] = set()
    for helper in kernel.helpers:  # callees come first
        steady = not written[helper.name] and helper.name not in busy and _ends_once(helper)
        if steady and all(_only_loads(e, found) for e in ir.expressions(helper.body)) and _gives_loads(helper, found):
            found.add(helper.name)
    return found & _factors(kernel, found)


def _ends_once(helper: ir.Function) -> bool:
    return isinstance(helper.body[-1] if helper.body else None, ir.Return) and sum(isinstance(s, ir.Return) for s in ir.statements(helper.body)) == 1


def _only_loads(expr: Any, known: set[str]) -> bool:
    if isinstance(expr, ir.Invoke):
        return expr.helper in known
    return not isinstance(expr, ir.Call) or expr.op.effect in ("", "load")


def _gives_loads(helper: ir.Function, known: set[str]) -> bool:
    """Whether a result of `helper` is a matrix that nobody has read yet: a load, or a parameter, turned or not."""
    results = [v for s in ir.statements(helper.body) if isinstance(s, ir.Return) for v in s.values]
    loaded = loaded_variables(helper) | {p.name for p in helper.params if is_tile(p.type)}
    return any(isinstance(v.type, Tile) and matrix(v.type.shape) is not None and (may_be_placed(v, loaded) or _comes_from(v, known)) for v in results)


def _comes_from(value: Any, known: set[str]) -> bool:
    return any(isinstance(e, ir.Invoke) and e.helper in known for e in ir.walk(value))


def _factors(kernel: ir.Kernel, giving: set[str]) -> set[str]:
    """Those of `giving` whose results reach a product."""
    found, unread = set(), unread_factors(kernel)
    for function in reversed(kernel.functions):  # callers come first
        made: dict[str, list[Any]] = {}
        for stmt in ir.statements(function.body):
            for name in stmt.names if isinstance(stmt, ir.Unpack) else (stmt.name,) if isinstance(stmt, (ir.Let, ir.Set)) else ():
                made.setdefault(name, []).append(stmt.value)
        waiting = list(_used_as_factors(kernel, function, unread))
        if function.name in found:
            waiting += [v for s in ir.statements(function.body) if isinstance(s, ir.Return) for v in s.values]
        while waiting:
            for expr in ir.walk(waiting.pop()):
                if isinstance(expr, ir.Invoke) and expr.helper in giving:
                    found.add(expr.helper)
                elif isinstance(expr, ir.Name):
                    waiting += made.pop(expr.name, [])
    return found


def _used_as_factors(kernel: ir.Kernel, function: ir.Function, unread: dict[str, frozenset[str]]) -> Iterator[Any]:
    for expr in ir.expressions(function.body):
        if is_product(expr):
            yield from (expr["x"], expr["y"])
        elif isinstance(expr, ir.Invoke) and expr.helper in unread:
            params = next(h for h in kernel.helpers if h.name == expr.helper).params
            yield from (given for p, given in zip(params, expr.arguments) if p.name in unread[expr.helper])


def _written_out(kernel: ir.Kernel, function: ir.Function, helpers: set[str]) -> ir.Function:
    """`function` with the bodies of `helpers` in place of their calls; itself where they cannot be followed."""
    if not any(isinstance(e, ir.Invoke) and e.helper in helpers for e in ir.expressions(function.body)):
        return function
    writer = _LoadWriter(replace(kernel, main=function), helpers)
    try:
        body = writer.block(function.body, {})
    except Unfollowed:
        return function
    return replace(function, body=body, constants=(*function.constants, *writer.constants))


class _LoadWriter(Writer):
    """Writes helpers that only load into a function. As nothing changes what they read, a statement may call several of them, in any order."""

    def block(self, body: tuple[ir.Stmt, ...], fields: dict[tuple[str, str], ir.Name]) -> tuple[ir.Stmt, ...]:
        fields, out = dict(fields), []
        for stmt in body:
            while (call := self._innermost(stmt)) is not None:
                self.count()
                if isinstance(stmt, ir.While):
                    raise Unfollowed  # it is called anew for each turn
                stmt = self.in_place(stmt, call, fields, out)
            stmt = ir.with_roots(stmt, lambda e: fields.get((e.value.name, e.name)) if isinstance(e, ir.Field) else None)
            out.append(ir.with_blocks(stmt, [self.block(b, fields) for b in ir.blocks(stmt)]))
        return tuple(out)

    def with_results(self, stmt: ir.Stmt, call: ir.Invoke, results: tuple[Any, ...], fields: dict) -> list[ir.Stmt]:
        if not isinstance(stmt, ir.Unpack):
            return super().with_results(stmt, call, results, fields)
        kinds = [kind for _, kind in self.functions[call.helper].result]
        if any(value.type != kind for value, kind in zip(results, kinds)):
            raise Unfollowed  # it is converted on the way
        return [*(ir.Let(name, value) for name, value in zip(stmt.names, results)), ir.Comment(())]

    def _innermost(self, stmt: ir.Stmt) -> ir.Invoke | None:
        """A call whose arguments call none of the helpers."""
        calls = [e for root in ir.roots(stmt) for e in ir.walk(root) if isinstance(e, ir.Invoke) and e.helper in self.functions]
        return next((c for c in calls if not any(_comes_from(a, self.functions.keys()) for a in c.arguments)), None)
