"""Reads signature texts such as `x: f32[?,64], n: i32, TILE=256`.

    item    = name ":" type | name "=" constant
    type    = dtype | array | "[" array "]" | "(" part {"," part} ")"       part = type | "=" constant
    array   = dtype "[" extents "]" [":" "(" extents ")"] ["@" bytes] ["w" | "W"]
    extents = extent {"," extent}       extent = "?" | "?%" number | number

`[array]` is a list of arrays, `(...)` a tuple; `w` says that offsets need 64 bits, `W` that
extents do, too.

Every refusal shows the text with a caret at the place where reading stopped.
"""

from __future__ import annotations

import ast
import re

from tile2cpp.dtypes import BY_SHORT
from tile2cpp.errors import Diagnostic, Label, TileTypeError
from tile2cpp.source import SourceFile, Span
from tile2cpp.types import Array, ArrayList, Extent, Tile

NAME = re.compile(r"[^\W\d]\w*")
NUMBER = re.compile(r"\d+")
SPACE = re.compile(r"\s*")
SPECIAL = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
EXAMPLE = 'a signature reads like "x: f32[?,?], n: i32, TILE=256"'


def parse(text: str, parameter_names: tuple[str, ...] | None) -> dict:
    """Parameter names and their types, in the order of `parameter_names` where given."""
    reader = _Reader(text)
    items: dict = {}
    while not reader.at_end():
        start = reader.position
        name = reader.expect(NAME, "a parameter's name")
        if name in items:
            raise reader.error(f"the signature names `{name}` twice", at=start, width=len(name))
        if parameter_names is not None and name not in parameter_names:
            raise reader.error(f"the kernel has no parameter `{name}`", at=start, width=len(name), hint=f"its parameters are {_list(parameter_names)}")
        items[name] = reader.constant() if reader.accept("=") else reader.type()
        if not reader.at_end():
            reader.require(",", "a comma and the next parameter")
    if parameter_names is None:
        return items
    missing = [name for name in parameter_names if name not in items]
    if missing:
        raise reader.error(f"the signature says nothing about {_list(missing)}", at=len(text))
    return {name: items[name] for name in parameter_names}


def _list(names) -> str:
    return ", ".join(f"`{name}`" for name in names)


class _Reader:
    """A position in the text, and the pieces that can be read there."""

    def __init__(self, text: str):
        self.text, self.position = text, 0
        self.skip_space()

    def skip_space(self) -> None:
        self.position = SPACE.match(self.text, self.position).end()

    def at_end(self) -> bool:
        return self.position == len(self.text)

    def accept(self, symbol: str) -> bool:
        if not self.text.startswith(symbol, self.position):
            return False
        self.position += len(symbol)
        self.skip_space()
        return True

    def require(self, symbol: str, what: str) -> None:
        if not self.accept(symbol):
            raise self.error(f"expected {what}")

    def expect(self, pattern: re.Pattern, what: str) -> str:
        found = pattern.match(self.text, self.position)
        if not found:
            raise self.error(f"expected {what}")
        self.position = found.end()
        self.skip_space()
        return found[0]

    def type(self):
        self.require(":", "`:` and a type, or `=` and a constant")
        return self.kind()

    def kind(self):
        if self.accept("("):
            return self.members()
        if not self.accept("["):
            return self.plain()
        start = self.position
        element = self.plain()
        if not isinstance(element, Array):
            raise self.error("a list holds arrays", at=start)
        self.require("]", "`]`")
        return ArrayList(element)

    def members(self) -> tuple:
        items: list = []
        while not self.accept(")"):
            if items:
                self.require(",", "`,` or `)`")
                if self.accept(")"):
                    break
            items.append(self.constant() if self.accept("=") else self.kind())
        return tuple(items)

    def plain(self) -> Array | Tile:
        start = self.position
        name = self.expect(NAME, "a dtype")
        dtype = BY_SHORT.get(name)
        if dtype is None:
            raise self.error(f"unknown dtype `{name}`", at=start, width=len(name), hint=f"the dtypes are {', '.join(d.short for d in dict.fromkeys(BY_SHORT.values()))}")
        if not self.accept("["):
            return Tile(dtype)
        extents = self.extents("]")
        strides = None
        if self.accept(":"):
            at = self.position
            self.require("(", "the strides in parentheses")
            strides = self.extents(")")
            if len(strides) != len(extents):
                raise self.error(f"{len(strides)} strides for {len(extents)} extents", at=at)
        alignment = self.alignment(dtype) if self.accept("@") else 16
        wide_extents = self.accept("W")
        return Array(dtype, extents, strides, alignment, wide_extents or self.accept("w"), wide_extents)

    def extents(self, closing: str) -> tuple[Extent, ...]:
        out: list[Extent] = []
        while not self.accept(closing):
            if out:
                self.require(",", f"`,` or `{closing}`")
            out.append(self.extent())
        return tuple(out)

    def extent(self) -> Extent:
        if not self.accept("?"):
            return Extent(int(self.expect(NUMBER, "an extent: `?`, `?%16` or a number")))
        if not self.accept("%"):
            return Extent()
        start = self.position
        divisor = int(self.expect(NUMBER, "a number that the extent is a multiple of"))
        if divisor < 1 or divisor & (divisor - 1):
            raise self.error("a divisor is a power of two", at=start)
        return Extent(divisor=divisor)

    def alignment(self, dtype) -> int:
        start = self.position
        number = int(self.expect(NUMBER, "an alignment in bytes"))
        if number & (number - 1) or not dtype.bytes <= number <= 16:
            raise self.error(f"an alignment of {dtype.short} is a power of two from {dtype.bytes} to 16", at=start)
        return number

    def constant(self):
        from tile2cpp.signature import Fixed, constant
        from tile2cpp.errors import Tile2cppError

        start, depth, end = self.position, 0, self.position
        while end < len(self.text) and (depth or self.text[end] not in ",)"):
            depth += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
        word = self.text[start:end].strip()
        try:
            value = SPECIAL[word] if word in SPECIAL else ast.literal_eval(word)
            constant("", value)
        except (ValueError, SyntaxError, Tile2cppError):
            raise self.error("expected a constant: a number, True, False or a tuple of these", width=max(1, len(word))) from None
        self.position = end
        return Fixed(value)

    def error(self, message: str, *, at: int | None = None, width: int = 1, hint: str = EXAMPLE) -> TileTypeError:
        """The refusal of what stands at `at` (where reading stopped, unless given)."""
        at = self.position if at is None else at
        file = SourceFile("<signature>", self.text)
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        label = Label(Span(file, line, column, line, column + width))
        return TileTypeError(Diagnostic(message, code="signature", label=label, hints=(hint,)))
