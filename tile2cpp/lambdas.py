"""Which lambda of a file a code object was compiled from: several may stand on one line, and inside each other."""

from __future__ import annotations

import ast
from types import CodeType


def find_lambda(tree: ast.AST, code: CodeType) -> ast.Lambda | None:
    """The lambda in `tree` that `code` runs, None where there is none at its line."""
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    if len(found) < 2:
        return found[0] if found else None
    places = _places(code)
    if places:
        found = [n for n in found if all(_inside(place, n.body) for place in places)] or found
        return min(found, key=_extent)  # what a lambda inside runs lies in the outer one, too
    return next((n for n in found if _looks_like(n, code)), found[0])


def _places(code: CodeType) -> list[tuple[int, int, int, int]]:
    """Where the instructions come from; Python 3.10 does not say."""
    if not hasattr(code, "co_positions"):
        return []
    known = {place for place in code.co_positions() if None not in place}
    return [(line, column, end, end_column) for line, end, column, end_column in known if (line, column) != (end, end_column)]


def _inside(place: tuple[int, int, int, int], node: ast.AST) -> bool:
    line, column, end_line, end_column = place
    return (node.lineno, node.col_offset) <= (line, column) and (end_line, end_column) <= (node.end_lineno, node.end_col_offset)


def _extent(node: ast.AST) -> tuple[int, int]:
    lines = node.end_lineno - node.lineno
    return lines, node.end_col_offset - (node.col_offset if not lines else 0)


def _looks_like(node: ast.Lambda, code: CodeType) -> bool:
    """Whether compiling this lambda gives code of the same parameters, names and constants."""
    made = compile(ast.fix_missing_locations(ast.Expression(node)), "", "eval").co_consts[0]
    return _features(made) == _features(code) and len(made.co_code) == len(code.co_code)


def _features(code: CodeType) -> tuple:
    constants = [c for c in code.co_consts if not isinstance(c, (CodeType, str))]
    return code.co_varnames[: code.co_argcount], sorted({*code.co_names, *code.co_freevars}), constants
