"""Python that is not in the tile language, refused with its name and a way out.

The whole function is looked through before anything is typed, so that every such
place is reported, also in branches that a constant condition discards.
"""

from __future__ import annotations

import ast

from tile2cpp.errors import Diagnostic, Label, TileSyntaxError
from tile2cpp.parse import FunctionSyntax
from tile2cpp.source import Span

STATEMENTS = {
    ast.Try: ("`try`", "device code has no exceptions; remove it"),
    ast.Assert: ("`assert`", "ct.assert_ checks while the kernel runs, ct.static_assert while it is translated"),
    ast.Delete: ("`del`", "it is not needed; remove it"),
    ast.Global: ("`global`", "globals are frozen in tile code; return the new value"),
    ast.Nonlocal: ("`nonlocal`", "return the new value instead"),
    ast.Import: ("`import`", "move it to the top of the file"),
    ast.ImportFrom: ("`import`", "move it to the top of the file"),
    ast.ClassDef: ("a class", "define it at the top level of the file, as a frozen dataclass"),
    ast.AsyncFunctionDef: ("`async`", "write a plain function"),
    ast.AsyncFor: ("`async for`", "write a plain `for`"),
    ast.AsyncWith: ("`async with`", "write the statements out"),
    ast.Match: ("`match`", "write `if` and `elif`"),
}
if hasattr(ast, "TryStar"):
    STATEMENTS[ast.TryStar] = STATEMENTS[ast.Try]

EXPRESSIONS = {
    ast.List: ("a list", "write a tuple: (...)"),
    ast.Dict: ("a dict", "use separate constants, a frozen dataclass, or compute the value inside ct.static_eval(...)"),
    ast.Set: ("a set", "write a tuple; it supports `in`"),
    ast.ListComp: ("a list comprehension", "write tuple(... for v in ct.static_iter(...)), a loop, or a whole-tile operation such as ct.arange(n, dtype=ct.int32) * 4"),
    ast.SetComp: ("a set comprehension", "write a loop"),
    ast.DictComp: ("a dict comprehension", "write a loop"),
    ast.NamedExpr: ("the walrus operator `:=`", "assign in a statement of its own, before"),
    ast.Yield: ("`yield`", "device code has no generators"),
    ast.YieldFrom: ("`yield from`", "device code has no generators"),
    ast.Await: ("`await`", "device code has no coroutines"),
}
KEYWORDS = {ast.Try: 3, ast.Assert: 6, ast.Delete: 3, ast.Global: 6, ast.Nonlocal: 8, ast.Import: 6, ast.ImportFrom: 4, ast.ClassDef: 5, ast.Match: 5}


# Arguments of these are Python's own business: they are evaluated while the kernel is translated.
EVALUATED_BY_PYTHON = ("static_eval", "static_iter", "static_assert", "static_exception")


def check(syntax: FunctionSyntax, is_kernel: bool = False) -> list[Diagnostic]:
    """All places in a function that are not in the language."""
    found: list[Diagnostic] = []

    def refuse(node: ast.AST, what: str, hint: str, span: Span | None = None) -> None:
        found.append(
            Diagnostic(f"{what} is not part of the tile language", code="syntax", label=Label(span or syntax.span(node)), hints=(hint,), kind=TileSyntaxError)
        )

    if isinstance(syntax.node, ast.AsyncFunctionDef):
        refuse(syntax.node, *STATEMENTS[ast.AsyncFunctionDef], span=_first(syntax.span(syntax.node), 5))
    args = syntax.node.args
    for extra in (args.vararg, args.kwarg) if is_kernel else ():
        if extra is not None:
            refuse(extra, "a variable parameter list of a kernel", "name every parameter, or pass a tuple as one argument")
    body = [syntax.node.body] if isinstance(syntax.node, ast.Lambda) else syntax.node.body
    for part in body:
        for node in _seen(part):
            _look_at(node, syntax, refuse)
    return found


def _seen(root: ast.AST):
    """All nodes but the arguments of compile-time directives."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        called = node.func if isinstance(node, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", ""))
        stack.extend([called] if name in EVALUATED_BY_PYTHON else reversed(list(ast.iter_child_nodes(node))))


def _look_at(node: ast.AST, syntax: FunctionSyntax, refuse) -> None:
    kind = type(node)
    if kind in STATEMENTS:
        what, hint = STATEMENTS[kind]
        refuse(node, what, hint, _first(syntax.span(node), KEYWORDS.get(kind, 1)))
    elif kind in EXPRESSIONS and not isinstance(getattr(node, "ctx", None), ast.Store):
        what, hint = EXPRESSIONS[kind]
        if isinstance(node, ast.List) and node.elts and len(items := ", ".join(map(ast.unparse, node.elts))) <= 40:
            hint = f"write a tuple: ({items}{',' * (len(node.elts) == 1)})"
        refuse(node, what, hint)
    elif isinstance(node, (ast.For, ast.While)) and node.orelse:
        word = "for" if isinstance(node, ast.For) else "while"
        refuse(node, f"`else` on a `{word}` loop", "set a flag in the loop and test it afterwards", _else_of(node, syntax))
    elif isinstance(node, ast.FunctionDef) and node.decorator_list:
        refuse(node.decorator_list[0], "a decorator on a nested function", "move the function to the top level of the file")
    elif isinstance(node, ast.Starred) and isinstance(node.ctx, ast.Store):
        refuse(node, "a starred target", "name the items, or slice the tuple")


def _first(span: Span, length: int) -> Span:
    return Span(span.file, span.line, span.column, span.line, span.column + length)


def _else_of(node: ast.For | ast.While, syntax: FunctionSyntax) -> Span:
    """The `else` keyword: the last line above its block that begins with it."""
    file = syntax.module.file
    for line in range(node.orelse[0].lineno, node.lineno, -1):
        text = file.line(line)
        if text.lstrip().startswith("else"):
            column = len(text) - len(text.lstrip()) + 1
            return Span(file, line, column, line, column + 4)
    return syntax.span(node.orelse[0])
