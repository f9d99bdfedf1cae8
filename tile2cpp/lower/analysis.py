"""Questions about syntax: which names are assigned, which are read, and where."""

from __future__ import annotations

import ast
import types
from collections import Counter
from typing import Any, Iterable, Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def local_nodes(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes below `nodes`, without the insides of nested functions."""
    stack = list(nodes)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, FUNCTIONS):
            stack.extend(ast.iter_child_nodes(node))


def assigned(nodes: Iterable[ast.AST]) -> Counter[str]:
    """How often each name is assigned in `nodes` (nested functions' own names left out)."""
    counts: Counter[str] = Counter()
    for node in local_nodes(nodes):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            counts[node.id] += 1
        elif isinstance(node, ast.FunctionDef):
            counts[node.name] += 1
    return counts


def assigned_in_loops(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are assigned inside some loop."""
    found: set[str] = set()
    for node in local_nodes(nodes):
        if isinstance(node, (ast.For, ast.While)):
            found.update(assigned([node]))
    return found


class Reads:
    """Where names are read in a function."""

    def __init__(self, nodes: list[ast.AST]):
        self.places: dict[str, list[tuple[int, int]]] = {}
        self.deferred: set[str] = set()
        self.branches: list[tuple[tuple, tuple]] = []  # where the two sides of each `if` lie
        for node in nodes:
            for inner in ast.walk(node):
                if isinstance(inner, ast.If) and inner.orelse:
                    self.branches.append((_extent(inner.body), _extent(inner.orelse)))
                if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load):
                    self.places.setdefault(inner.id, []).append((inner.lineno, inner.col_offset))
                if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name):
                    self.places.setdefault(inner.target.id, []).append((inner.lineno, inner.col_offset))
                if isinstance(inner, FUNCTIONS):
                    # A nested function reads when it is called, which may be later than it is written.
                    self.deferred.update(n.id for n in ast.walk(inner) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))

    def after(self, name: str, node: ast.AST) -> bool:
        """Whether `name` may be read once control has left `node`."""
        end = (node.end_lineno, node.end_col_offset)
        other_sides = [other for own, other in self.branches if own[0] <= end <= own[1]]
        reached = (p for p in self.places.get(name, ()) if p >= end and not any(low <= p < high for low, high in other_sides))
        return name in self.deferred or any(reached)


def _extent(body: list[ast.stmt]) -> tuple[tuple[int, int], tuple[int, int]]:
    first, last = body[0], body[-1]
    return (first.lineno, first.col_offset), (last.end_lineno, last.end_col_offset)


def free_names(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """Names that a nested function reads and does not define itself."""
    a = function.args
    own = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)}
    own |= {p.arg for p in (a.vararg, a.kwarg) if p}
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    own |= set(assigned(body))
    read = {n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return read - own


def scope_of(function: types.FunctionType, inside: tuple[int, ...] = ()) -> tuple:
    """What tells a function from others of the same text: the values that it closes over."""
    if id(function) in inside:
        return ()  # it closes over itself
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return tuple((name, _identity(cell, (*inside, id(function)))) for name, cell in cells)


def _identity(cell: types.CellType, inside: tuple[int, ...]) -> Any:
    try:
        value = cell.cell_contents
    except ValueError:  # not assigned yet
        return None
    if isinstance(value, (bool, int, float, str)):
        return type(value).__name__, repr(value)
    if isinstance(value, types.FunctionType):
        return id(value.__code__), scope_of(value, inside)
    return id(value)
