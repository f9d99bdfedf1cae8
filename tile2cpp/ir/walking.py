"""Walks over the IR: what is inside an expression or a statement, and rewriting of statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tile2cpp.ir.nodes import (
    Call, Do, Expr, Extent, Feed, Field, For, Foreign, If, Invoke, Length, Let, Pick, Pointer, Return, Set, Slice, Stmt, Unpack, ViewName, While,
)  # fmt: skip


def children(expr: Any) -> Iterator[Expr]:
    """The expressions directly inside an expression."""
    match expr:
        case Call():
            yield from _expressions(tuple(value for _, value in expr.arguments))
        case Invoke():
            yield from _expressions(expr.arguments)
        case Extent() | ViewName() | Pointer():
            yield expr.array
        case Field():
            yield expr.value
        case Length():
            yield expr.list


def _expressions(value: Any) -> Iterator[Expr]:
    if isinstance(value, Expr.__args__):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _expressions(item)


def walk(expr: Any) -> Iterator[Expr]:
    """An expression and everything inside it."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def blocks(stmt: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """The statement lists inside a statement."""
    if isinstance(stmt, If):
        return (stmt.then, stmt.otherwise)
    return (stmt.body,) if isinstance(stmt, (For, While)) else ()


def roots(stmt: Stmt) -> tuple[Any, ...]:
    """The expressions that a statement itself evaluates."""
    match stmt:
        case Let() | Set() | Unpack():
            return (stmt.value,)
        case Do():
            return (stmt.call,)
        case For():
            return tuple(e for e in (stmt.start, stmt.stop, stmt.step) if e is not None)
        case While() | If():
            return (stmt.test,)
        case Return():
            return stmt.values
        case Feed():
            return tuple(e for e in (stmt.left, stmt.right) if e is not None)
        case Slice():
            return (stmt.array, stmt.start, stmt.stop)
        case Pick():
            return (stmt.list, stmt.index)
        case Foreign():
            return (stmt.pointer, *stmt.shape, *stmt.strides)
    return ()


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """All statements below `body`, in order."""
    for stmt in body:
        yield stmt
        for block in blocks(stmt):
            yield from statements(block)


def expressions(body: tuple[Stmt, ...]) -> Iterator[Expr]:
    """All expressions of all statements below `body`, each before its parts."""
    for stmt in statements(body):
        for root in roots(stmt):
            yield from walk(root)


def calls(body: tuple[Stmt, ...]) -> Iterator[Call]:
    """All calls of operations below `body`."""
    return (e for e in expressions(body) if isinstance(e, Call))


def sources(body: tuple[Stmt, ...]) -> dict[str, set[str]]:
    """For each array that is made in `body` of other arrays, or of a list: their names, in order."""
    found: dict[str, set[str]] = {}
    for stmt in statements(body):
        match stmt:
            case Slice():
                found.setdefault(stmt.name, set()).add(stmt.array.name)
            case Pick():
                found.setdefault(stmt.name, set()).add(stmt.list.name)
            case Foreign() if stmt.origins:
                found.setdefault(stmt.name, set()).update(stmt.origins)
    return found


def steps_to(name: str, taken: dict[str, set[str]]) -> set[str]:
    """An array, and all arrays and lists that it may be taken of, step by step; those not in `taken` are the first ones."""
    found, waiting = {name}, [name]
    while waiting:
        new = taken.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def rebuild(body: tuple[Stmt, ...], change) -> tuple[Stmt, ...]:
    """`body` with `change(stmt)` in place of every statement (inner blocks first); None drops one."""
    out = []
    for stmt in body:
        match stmt:
            case For() | While():
                stmt = replace(stmt, body=rebuild(stmt.body, change))
            case If():
                stmt = replace(stmt, then=rebuild(stmt.then, change), otherwise=rebuild(stmt.otherwise, change))
        if (changed := change(stmt)) is not None:
            out.append(changed)
    return tuple(out)


def expand(body: tuple[Stmt, ...], change) -> tuple[Stmt, ...]:
    """`body` with the statements that `change(stmt)` gives in place of every statement (inner blocks first)."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case For() | While():
                stmt = replace(stmt, body=expand(stmt.body, change))
            case If():
                stmt = replace(stmt, then=expand(stmt.then, change), otherwise=expand(stmt.otherwise, change))
        out += change(stmt)
    return tuple(out)
