"""Which comment belongs to which statement of a file.

Python's tokenizer finds the comments; a statement owns those right above it and the one
beside it, and a block those after its last statement. LibCST draws the same lines; it
needs 0.3 s to import and to visit a file, which every first launch would pay, so it is
the tests that hold this module to it.
"""

from __future__ import annotations

import ast
import bisect
import io
import tokenize
from dataclasses import dataclass, field


@dataclass
class Comments:
    """Comments by the line that their statement begins at; `footer` by that of a block's last statement."""

    above: dict[int, tuple[str, ...]] = field(default_factory=dict)
    beside: dict[int, str] = field(default_factory=dict)
    footer: dict[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Place:
    """A statement: its first and last line and its indentation. A compound one ends with its header."""

    first: int
    last: int
    column: int
    is_keyword: bool = False  # a line with `else:` and the like, which is no statement


def comments_of(text: str, tree: ast.Module) -> Comments:
    """The comments of a parsed file."""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    places = [_place(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    places += [Place(t.start[0], t.start[0], t.start[1], True) for t in tokens if _is_keyword(t)]
    places.sort(key=lambda p: p.first)
    found = Comments()
    for token in tokens:
        if token.type == tokenize.COMMENT:
            line, column = token.start
            alone = token.line[:column].strip() == ""
            _attach(found, places, line, column, token.string, alone)
    return found


def _is_keyword(token: tokenize.TokenInfo) -> bool:
    return token.string in ("else", "except", "finally") and token.line[: token.start[1]].strip() == ""


def _place(node: ast.stmt) -> Place:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    body = getattr(node, "body", None)
    last = max(node.lineno, body[0].lineno - 1) if isinstance(body, list) and body else node.end_lineno
    return Place(first, last, node.col_offset)


def _attach(found: Comments, places: list[Place], line: int, column: int, text: str, alone: bool) -> None:
    position = bisect.bisect_right([p.first for p in places], line)
    before = places[position - 1] if position else None
    after = places[position] if position < len(places) else None
    inside = before is not None and line <= before.last and not before.is_keyword
    if inside and not alone and line in (before.first, before.last):
        found.beside[line] = text
    elif inside and not _is_header(before, after, line):
        _add(found.above, before.first, text)  # between the lines of one statement
    elif before is None or not alone or (after is not None and after.column >= column):
        following = next((p for p in places[position:] if not p.is_keyword), None)
        if following is not None:
            _add(found.above, following.first, text)
    else:
        owner = next((p for p in reversed(places[:position]) if p.column <= column and not p.is_keyword), before)
        _add(found.footer, owner.first, text)


def _is_header(before: Place, after: Place | None, line: int) -> bool:
    """Whether a line stands between a compound statement's header and its body."""
    return after is not None and after.column > before.column and line > before.first


def _add(where: dict[int, tuple[str, ...]], line: int, text: str) -> None:
    where[line] = (*where.get(line, ()), text)
