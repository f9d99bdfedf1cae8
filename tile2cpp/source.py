"""Source files and places in them.

Lines and columns count from 1; the end column is exclusive, so an empty span has
`end_column == column`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class SourceFile:
    """A Python file as text. Two files are the same when path and text are."""

    path: str
    text: str

    @classmethod
    def read(cls, path: str | Path) -> "SourceFile":
        """Read a file as Python does: UTF-8 unless its coding line says otherwise."""
        import tokenize

        with tokenize.open(path) as file:
            return cls(str(path), file.read())

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def name(self) -> str:
        """The path as a reader wants it: relative to the working folder where it lies below it."""
        path = Path(self.path)
        try:
            return path.resolve().relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(path)

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""


@dataclass(frozen=True)
class Span:
    """A range of characters in a source file."""

    file: SourceFile
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def text(self) -> str:
        if self.line == self.end_line:
            return self.file.line(self.line)[self.column - 1 : self.end_column - 1]
        rest = self.file.lines[self.line : self.end_line - 1]
        return "\n".join([self.file.line(self.line)[self.column - 1 :], *rest, self.file.line(self.end_line)[: self.end_column - 1]])
