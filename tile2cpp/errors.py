"""Diagnostics: what goes wrong is a sentence, labelled source lines and a way out.

Everything a user can do wrong ends in one of the exception classes below. An
exception holds one or more `Diagnostic`s, in source order, and `str()` shows them
all, each with the author's own line and carets.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from tile2cpp.source import SourceFile, Span


class Tile2cppError(Exception):
    """Base of every error that tile2cpp raises for a user's mistake.

    `diagnostics` lists all findings; `message` and `loc` are those of the first.
    """

    def __init__(self, *diagnostics: "Diagnostic | str"):
        self.diagnostics = tuple(Diagnostic(d) if isinstance(d, str) else d for d in diagnostics)
        super().__init__("\n\n".join(str(d) for d in self.diagnostics))

    @property
    def message(self) -> str:
        return self.diagnostics[0].message

    @property
    def loc(self) -> Span | None:
        return self.diagnostics[0].span

    def __reduce__(self):
        return type(self), self.diagnostics


class TileError(Tile2cppError):
    """Base of the errors of the tile language."""


class TileSyntaxError(TileError):
    """Python that is not part of the tile language, or an unknown name."""


class TileTypeError(TileError):
    """Types, dtypes, shapes, ranks or arguments that do not fit."""


class TileValueError(TileError):
    """A constant that does not fit where it is used."""


class NoDeviceMeaning(TileError):
    """A Python function that has no meaning in device code."""


class TileRecursionError(TileError):
    """Helper functions call each other without end."""


class TileStaticEvalError(TileError):
    """Something that cannot be done at compile time."""


class StaticException(TileStaticEvalError):
    """A Python exception at compile time."""


class TileStaticAssertionError(TileError):
    """`static_assert` or `ensure_constant` failed."""


class TileUnsupportedFeatureError(TileError):
    """The target GPU or the toolkit is too old for this."""


class TileInternalError(TileError):
    """A bug of tile2cpp: a compiler rejected the emitted file."""


class TileCompilerExecutionError(TileInternalError):
    """The C++ compiler failed on the emitted file."""


class TileCompilerTimeoutError(TileInternalError):
    """The C++ compiler took too long."""


@dataclass(frozen=True)
class Label:
    """A place in the source and what is to be said about it."""

    span: Span
    text: str = ""


@dataclass(frozen=True)
class Diagnostic:
    """One finding: a sentence in the author's words, places, and a way out.

    `label` is the smallest thing that is wrong; `others` are related places;
    `calls` lead from the kernel to the mistake, outermost first. `known_as` is what
    cuTile calls the mistake, for programs that look for its words.
    """

    message: str
    code: str = ""
    label: Label | None = None
    others: tuple[Label, ...] = ()
    hints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    calls: tuple[Label, ...] = ()
    kind: type = field(default=TileTypeError, compare=False)
    known_as: str = field(default="", compare=False)

    @property
    def span(self) -> Span | None:
        return self.label.span if self.label else None

    def __str__(self) -> str:
        heading = f"error[{self.code}]: {self.message}" if self.code else f"error: {self.message}"
        lines = [heading]
        if self.label:
            lines += _snippet(self.label, self.others)
            first, left_out, last = _shortened(self.calls)
            for call in first:
                lines += _snippet(call, ())
            lines += [f"  ... {left_out} more calls ..."] if left_out else []
            for call in last:
                lines += _snippet(call, ())
        lines += [f"  = hint: {hint}" for hint in self.hints]
        lines += [f"  = in cuTile: {self.known_as}"] if self.known_as else []
        lines += [f"  = {note}" for note in self.notes]
        return "\n".join(lines)


class Reject(Exception):
    """A typing rule's refusal: which parameter, why, and what to do instead.

    Raised by the body of an op; lowering knows where that argument stands in the
    source and makes a `Diagnostic` of it.
    """

    def __init__(self, parameter: str, why: str, *, hint: str = "", code: str = "", kind: type = TileTypeError, known_as: str = ""):
        super().__init__(why)
        self.parameter, self.why, self.hint, self.code, self.kind, self.known_as = parameter, why, hint, code, kind, known_as


def raise_all(diagnostics: list[Diagnostic]) -> None:
    """Raise one exception for all of `diagnostics`, in source order; nothing when there are none."""
    if not diagnostics:
        return
    unique = list(dict.fromkeys(diagnostics))
    unique.sort(key=lambda d: (str(d.span.file.path), d.span.line, d.span.column) if d.span else ("", 0, 0))
    raise unique[0].kind(*unique)


def _shortened(calls: tuple[Label, ...]) -> tuple[tuple[Label, ...], int, tuple[Label, ...]]:
    """The outermost and innermost calls of a long chain, and how many lie between."""
    if len(calls) <= 6:
        return calls, 0, ()
    return calls[:2], len(calls) - 4, calls[-2:]


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _snippet(main: Label, others: tuple[Label, ...]) -> list[str]:
    """The lines around all labels of one file, marked `^` for the main one and `-` for the rest."""
    file: SourceFile = main.span.file
    marks: dict[int, list[tuple[Label, str]]] = {}
    for label, mark in [(main, "^"), *((o, "-") for o in others if o.span.file == file)]:
        marks.setdefault(label.span.line, []).append((label, mark))
    pad = len(str(max(marks)))
    out = [f"{' ' * pad}--> {file.name}:{main.span.line}:{main.span.column}", f"{' ' * pad} |"]
    previous = None
    for number in sorted(marks):
        if previous is not None and number > previous + 1:
            out.append(f"{' ' * pad} | ...")
        text = file.line(number).rstrip()
        out.append(f"{number:>{pad}} | {text}".rstrip())
        for label, mark in sorted(marks[number], key=lambda m: m[0].span.column):
            out.append(f"{' ' * pad} | {_underline(text, label, mark)}".rstrip())
        previous = number
    out.append(f"{' ' * pad} |")
    elsewhere = [o for o in others if o.span.file != file]
    return out + [line for o in elsewhere for line in _snippet(o, ())]


def _underline(text: str, label: Label, mark: str) -> str:
    span = label.span
    end = span.end_column if span.end_line == span.line else len(text) + 1
    before = "".join("\t" if c == "\t" else " " * _width(c) for c in text[: span.column - 1])
    marked = max(1, _width(text[span.column - 1 : end - 1]))
    return f"{before}{mark * marked} {label.text}"
