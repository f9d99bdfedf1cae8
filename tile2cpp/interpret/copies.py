"""Rewritten copies of the author's functions, and places in their files.

A copy has the original's globals, closure cells, defaults, file name and line numbers,
so a debugger shows the author's file and sees the author's variables. A copy is needed
at all because Python decides by itself what `not`, `range` or a constant in a loop
mean; see `rewrite`.
"""

from __future__ import annotations

import ast
import copy
import linecache
import types
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from tile2cpp.errors import TileSyntaxError
from tile2cpp.interpret import runtime
from tile2cpp.interpret.rewrite import RUN, rewrite
from tile2cpp.lambdas import find_lambda
from tile2cpp.source import SourceFile, Span

CELL = types.CellType(runtime)


@dataclass(frozen=True, eq=False)
class Module:
    """A source file as its author wrote it."""

    file: SourceFile
    tree: ast.Module

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """A place given as Python counts: bytes from 0."""
        return Span(self.file, line, self._character(line, column), end_line, self._character(end_line, end_column))

    def _character(self, line: int, column: int) -> int:
        return len(self.file.line(line).encode()[:column].decode(errors="ignore")) + 1

    def span_of(self, node: ast.AST) -> Span:
        return self.span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)

    def nodes_at(self, place: tuple[int, int, int, int]) -> list[ast.AST]:
        """The expressions and statements at exactly this place."""
        return [n for n in ast.walk(self.tree) if (getattr(n, "lineno", 0), *(getattr(n, k, 0) for k in ("col_offset", "end_lineno", "end_col_offset"))) == place]


class ByIdentity:
    """A table by code object. Python calls two code objects equal when only their files differ."""

    def __init__(self):
        self._found: dict[int, tuple[CodeType, Any]] = {}

    def get(self, code: CodeType) -> Any:
        return self._found.get(id(code), (None, None))[1]

    def __setitem__(self, code: CodeType, value: Any) -> None:
        self._found[id(code)] = code, value  # holding the code keeps its identity its own


# Which code runs a rewritten copy, and of which file; filled by `copied`.
MODULE_OF = ByIdentity()
_COPIES = ByIdentity()


def copied(function: FunctionType) -> FunctionType:
    """The function that means in Python what `function` means in tile code."""
    code = function.__code__
    if MODULE_OF.get(code) is not None:
        return function  # a nested function or lambda of a copy
    made = _COPIES.get(code)
    if made is None:
        made = _COPIES[code] = _compile(function)
    cells = dict(zip(code.co_freevars, function.__closure__ or ())) | {RUN: CELL}
    result = FunctionType(made, function.__globals__, function.__name__, function.__defaults__, tuple(cells[n] for n in made.co_freevars))
    result.__kwdefaults__ = function.__kwdefaults__
    result.__qualname__ = function.__qualname__
    return result


def _compile(function: FunctionType) -> CodeType:
    """Compile the rewritten syntax of `function` inside a function that owns its free names."""
    code = function.__code__
    module = module_of(code.co_filename, function.__globals__)
    original = _find(module, code)
    made = rewrite(copy.deepcopy(original))
    if isinstance(made, ast.FunctionDef):
        made.name = ".made"  # its own name must stay a global in it
    else:
        _without_defaults(made)
    body = [made, ast.Return(ast.Name(".made", ast.Load()))] if isinstance(made, ast.FunctionDef) else [ast.Return(made)]
    cells = [ast.arg(name) for name in (RUN, *code.co_freevars)]
    parameters = ast.arguments(posonlyargs=[], args=cells, kwonlyargs=[], kw_defaults=[], defaults=[])
    owner = ast.FunctionDef(name=".owner", args=parameters, body=body, decorator_list=[], type_params=[])
    tree = ast.fix_missing_locations(ast.Module([owner], []))
    outer = _inner(compile(tree, code.co_filename, "exec", dont_inherit=True, flags=_future_flags(code)), ".owner")
    found = _inner(outer, ".made" if isinstance(made, ast.FunctionDef) else "<lambda>")
    names = {key: getattr(code, key) for key in ("co_name", "co_qualname") if hasattr(code, key)}
    result = found.replace(**names)
    _remember(result, module)
    return result


def _without_defaults(made: ast.Lambda) -> None:
    """A copy takes over the values; what computes them may be another lambda, whose code would stand first."""
    nothing = ast.Constant(None)
    made.args.defaults = [nothing for _ in made.args.defaults]
    made.args.kw_defaults = [default and nothing for default in made.args.kw_defaults]


def _future_flags(code: CodeType) -> int:
    import __future__

    return code.co_flags & __future__.annotations.compiler_flag


def _inner(code: CodeType, name: str) -> CodeType:
    return next(c for c in code.co_consts if isinstance(c, CodeType) and c.co_name == name)


def _remember(code: CodeType, module: Module) -> None:
    MODULE_OF[code] = module
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _remember(constant, module)


def module_of(filename: str, names: dict) -> Module:
    """The file's text as Python would show it in a traceback, parsed."""
    linecache.checkcache(filename)
    return _parsed(filename, "".join(linecache.getlines(filename, names)))


@lru_cache(maxsize=64)
def _parsed(filename: str, text: str) -> Module:
    if not text:
        raise TileSyntaxError(f"the source of {filename} cannot be read, and tile code needs its source")
    return Module(SourceFile(filename, text), ast.parse(text, filename))


def _find(module: Module, code: CodeType) -> ast.FunctionDef | ast.Lambda:
    """The syntax that `code` was compiled from."""
    if code.co_name == "<lambda>":
        return _find_lambda(module, code)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
            if code.co_firstlineno in (node.lineno, *(d.lineno for d in node.decorator_list)):
                return node
    raise TileSyntaxError(f"{code.co_name} is not at line {code.co_firstlineno} of {module.file.name}: the file has changed since it was imported")


def _find_lambda(module: Module, code: CodeType) -> ast.Lambda:
    found = find_lambda(module.tree, code)
    if found is None:
        raise TileSyntaxError(f"the lambda at line {code.co_firstlineno} of {module.file.name} is not there: the file has changed since it was imported")
    return found


def place_of(code: CodeType, instruction: int, line: int) -> tuple[int, int, int, int]:
    """What a frame of a copy is at: line, column, end line, end column as Python counts. Python 3.10 knows only the line."""
    if hasattr(code, "co_positions"):
        line, end_line, column, end_column = list(code.co_positions())[instruction // 2]
        if None not in (line, column):
            return line, column, end_line, end_column
    text = MODULE_OF.get(code).file.line(line)
    return line, len(text) - len(text.lstrip()), line, len(text.rstrip().encode())
