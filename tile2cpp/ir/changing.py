"""Expressions with others in place of some of them, in expressions and in statements."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable

from tile2cpp.ir.nodes import Call, Do, Extent, Feed, Field, For, Foreign, If, Invoke, Length, Let, Pick, Pointer, Return, Set, Slice, Stmt, Unpack, ViewName, While

Change = Callable[[Any], Any]


def changed(expr: Any, change: Change) -> Any:
    """`expr` with `change(inner)` in place of every expression for which that is not None."""
    new = change(expr)
    if new is not None:
        return new
    match expr:
        case tuple():
            return tuple(changed(item, change) for item in expr)
        case Call():
            return replace(expr, arguments=tuple((n, changed(v, change)) for n, v in expr.arguments))
        case Invoke():
            return replace(expr, arguments=changed(expr.arguments, change))
        case Extent() | ViewName() | Pointer():
            return replace(expr, array=changed(expr.array, change))
        case Field():
            return replace(expr, value=changed(expr.value, change))
        case Length():
            return replace(expr, list=changed(expr.list, change))
    return expr


def with_roots(stmt: Stmt, change: Change) -> Stmt:
    """`stmt` with all that it evaluates itself changed so; not what its blocks do."""

    def c(expr: Any) -> Any:
        return changed(expr, change)

    match stmt:
        case Let() | Set() | Unpack():
            return replace(stmt, value=c(stmt.value))
        case Do():
            return replace(stmt, call=c(stmt.call))
        case For():
            return replace(stmt, start=c(stmt.start), stop=c(stmt.stop), step=stmt.step and c(stmt.step))
        case While() | If():
            return replace(stmt, test=c(stmt.test))
        case Return():
            return replace(stmt, values=c(stmt.values))
        case Feed():
            return replace(stmt, left=stmt.left and c(stmt.left), right=c(stmt.right))
        case Slice():
            return replace(stmt, array=c(stmt.array), start=c(stmt.start), stop=c(stmt.stop))
        case Pick():
            return replace(stmt, list=c(stmt.list), index=c(stmt.index))
        case Foreign():
            return replace(stmt, pointer=c(stmt.pointer), shape=c(stmt.shape), strides=c(stmt.strides))
    return stmt


def with_blocks(stmt: Stmt, blocks: list) -> Stmt:
    """`stmt` with these statement lists inside, in the order of `blocks(stmt)`."""
    if isinstance(stmt, If):
        return replace(stmt, then=blocks[0], otherwise=blocks[1])
    return replace(stmt, body=blocks[0]) if blocks else stmt
