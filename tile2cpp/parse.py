"""Python text -> syntax: a function's tree with true positions, and the author's comments.

The whole file is parsed, never a function's dedented text: positions are those of the
file and continuation lines cannot break anything. The tree is Python's own `ast`, whose
nodes carry exact ranges; `comments` says which comment belongs to which statement.
"""

from __future__ import annotations

import ast
import types
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tile2cpp.comments import Comments, comments_of
from tile2cpp.errors import Diagnostic, Label, TileSyntaxError
from tile2cpp.lambdas import find_lambda
from tile2cpp.source import SourceFile, Span


@dataclass(frozen=True)
class Module:
    """A parsed file."""

    file: SourceFile
    tree: ast.Module
    comments: Comments


@dataclass(frozen=True, eq=False)
class FunctionSyntax:
    """A function or lambda in its file."""

    node: ast.FunctionDef | ast.Lambda
    module: Module
    alias: str = ""  # what a lambda is called by the statement that makes it

    @property
    def name(self) -> str:
        return getattr(self.node, "name", self.alias or "lambda")

    @property
    def parameters(self) -> tuple[ast.arg, ...]:
        a = self.node.args
        return (*a.posonlyargs, *a.args, *a.kwonlyargs)

    @property
    def body(self) -> list[ast.stmt]:
        """The statements, without the docstring; a lambda returns its expression."""
        if isinstance(self.node, ast.Lambda):
            return [ast.copy_location(ast.Return(value=self.node.body), self.node.body)]
        return self.node.body[1:] if self.doc is not None else self.node.body

    @property
    def doc(self) -> str | None:
        return None if isinstance(self.node, ast.Lambda) else ast.get_docstring(self.node)

    @property
    def file_doc(self) -> str:
        """The file's docstring, when this is the one function in it that is decorated."""
        decorated = [n for n in self.module.tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list]
        return (ast.get_docstring(self.module.tree) or "").partition("\n\n")[0] if decorated == [self.node] else ""

    @property
    def comments(self) -> tuple[str, ...]:
        """Comment lines right above the `def`."""
        decorators = getattr(self.node, "decorator_list", [])
        first = min([self.node.lineno, *(d.lineno for d in decorators)])
        return self.module.comments.above.get(first, ())

    def span(self, node: ast.AST) -> Span:
        return span_of(self.module.file, node)


def span_of(file: SourceFile, node: ast.AST) -> Span:
    """A node's range; `ast` counts columns in UTF-8 bytes, we count characters."""
    return Span(
        file, node.lineno, _characters(file, node.lineno, node.col_offset), node.end_lineno, _characters(file, node.end_lineno, node.end_col_offset)
    )  # fmt: skip


def _characters(file: SourceFile, line: int, offset: int) -> int:
    text = file.line(line)
    return offset + 1 if text.isascii() else len(text.encode()[:offset].decode(errors="ignore")) + 1


_FILES: dict[str, tuple[tuple, SourceFile]] = {}


def source_file(path: str) -> SourceFile:
    """The file's text, read again when it has changed on disk."""
    try:
        stat = Path(path).stat()
    except OSError:
        raise TileSyntaxError(Diagnostic(f"the source file {path} cannot be read", hints=("kernels need their source text: define them in a file",))) from None
    key = (stat.st_mtime_ns, stat.st_size)
    known = _FILES.get(path)
    if known is None or known[0] != key:
        known = _FILES[path] = (key, SourceFile.read(path))
    return known[1]


@lru_cache(maxsize=64)
def parse_file(file: SourceFile) -> Module:
    """Parse a whole file."""
    try:
        tree = ast.parse(file.text, file.path)
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        span = Span(file, line, column, line, column + 1)
        raise TileSyntaxError(Diagnostic(str(error.msg), code="syntax", label=Label(span), kind=TileSyntaxError)) from None
    return Module(file, tree, comments_of(file.text, tree))


def function_syntax(function: types.FunctionType) -> FunctionSyntax:
    """Find a function in its file by position."""
    code = function.__code__
    if code.co_filename.startswith("<"):
        raise TileSyntaxError(
            Diagnostic(f"`{function.__name__}` has no source file: it was made by exec, or typed at a prompt", hints=("define it in a file",), kind=TileSyntaxError)
        )
    module = parse_file(source_file(code.co_filename))
    found = find_lambda(module.tree, code) if code.co_name == "<lambda>" else next((n for n in ast.walk(module.tree) if _is_at(n, code)), None)
    if found is None:
        raise TileSyntaxError(
            Diagnostic(f"`{function.__name__}` is not at line {code.co_firstlineno} of {module.file.name} any more", hints=("the file changed after it was imported: import it again",), kind=TileSyntaxError)
        )
    return FunctionSyntax(found, module)


def _is_at(node: ast.AST, code: types.CodeType) -> bool:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.name != code.co_name:
        return False
    return code.co_firstlineno in (node.lineno, *(d.lineno for d in node.decorator_list))
