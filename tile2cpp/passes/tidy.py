"""Small rewrites for the reader: results unpacked at once, names that nobody reads dropped."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tile2cpp import ir


def uses(body: tuple[ir.Stmt, ...]) -> Counter[str]:
    """How often each variable is read."""
    counts: Counter[str] = Counter()
    for expr in ir.expressions(body):
        if isinstance(expr, ir.Name) or (isinstance(expr, ir.Literal) and expr.name):
            counts[expr.name] += 1
        counts.update(e.name for e in _named_extents(expr))
    return counts


def _named_extents(expr):
    shapes = [expr.shape] if isinstance(expr, ir.ViewName) else []
    if isinstance(expr, ir.Call):
        shapes += [v for p, v in expr.arguments if expr.op.kind(p) == "Shape" and v is not None]
    for shape in shapes:
        yield from (e for e in shape if hasattr(e, "name"))


def drop_unread(function: ir.Function) -> ir.Function:
    """Drop variables that only ever hold constants and are never read."""
    counts = uses(function.body)
    worth = {s.name for s in ir.statements(function.body) if isinstance(s, (ir.Let, ir.Set)) and not isinstance(s.value, ir.Literal)}
    worth |= {s.name for s in ir.statements(function.body) if isinstance(s, ir.Declare) and counts[s.name]}

    def keep(stmt: ir.Stmt) -> ir.Stmt | None:
        unread = isinstance(stmt, (ir.Let, ir.Set, ir.Declare)) and not counts[stmt.name] and stmt.name not in worth
        if not unread:
            return stmt
        note = stmt.note
        return ir.Comment(note.above) if note.above else None

    return replace(function, body=ir.rebuild(function.body, keep))


def unpack_results(function: ir.Function) -> ir.Function:
    """`r = f(); a = r.x; b = r.y` becomes `auto [a, b] = f()`."""
    counts = uses(function.body)

    def rewrite(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        out: list[ir.Stmt] = []
        position = 0
        while position < len(body):
            stmt = _inside(body[position], rewrite)
            taken = _unpacked(body, position, counts)
            if taken is not None:
                out.append(taken)
                position += 1 + len(taken.names)
                continue
            out.append(stmt)
            position += 1
        return tuple(out)

    return replace(function, body=rewrite(function.body))


def _inside(stmt: ir.Stmt, rewrite) -> ir.Stmt:
    if isinstance(stmt, (ir.For, ir.While)):
        return replace(stmt, body=rewrite(stmt.body))
    if isinstance(stmt, ir.If):
        return replace(stmt, then=rewrite(stmt.then), otherwise=rewrite(stmt.otherwise))
    return stmt


def _unpacked(body: tuple[ir.Stmt, ...], position: int, counts: Counter[str]) -> ir.Unpack | None:
    first = body[position]
    if not (isinstance(first, ir.Let) and isinstance(first.value, ir.Invoke) and isinstance(first.value.type, tuple)):
        return None
    size = len(first.value.type)
    following = body[position + 1 : position + 1 + size]
    if len(following) < size or counts[first.name] != size:
        return None
    # Structured bindings follow the order of the members.
    names, members = [], []
    for stmt in following:
        if not (isinstance(stmt, ir.Let) and isinstance(stmt.value, ir.Field) and stmt.value.value.name == first.name):
            return None
        names.append(stmt.name)
        members.append(stmt.value.name)
    if len(set(members)) != size:
        return None
    note = first.note if first.note.above or first.note.beside else following[0].note
    return ir.Unpack(tuple(names), first.value, note) if _in_order(members, first) else None


def _in_order(members: list[str], let: ir.Let) -> bool:
    return True if not hasattr(let.value, "fields") else list(let.value.fields) == members
