"""Fills in the templates of templates/, which are written in the language of Jinja.

Importing Jinja and compiling a template with it takes longer than translating a kernel,
and every first launch would pay for it. The templates need little of the language:
`{{ expression }}` with filters, `{% for %}`, `{% if %}`, `{% set %}`, and minus signs that
take whitespace away. That much is made into a Python program here, line by line; the
tests hold every template's text to Jinja's.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import CodeType
from typing import Any, Callable, Iterable, Iterator

from tile2cpp import resources

TAG = re.compile(r"({%.*?%}|{{.*?}})", re.DOTALL)


class Filter:
    """`value | filter` and `value | filter(arguments)`."""

    def __init__(self, meaning: Callable):
        self._meaning = meaning

    def __ror__(self, value: Any) -> Any:
        return self._meaning(value)

    def __call__(self, *arguments: Any) -> "Filter":
        return Filter(lambda value: self._meaning(value, *arguments))


FILTERS = {
    "int": Filter(int), "length": Filter(len), "format": Filter(lambda text, *values: text % values),
    "join": Filter(lambda items, between="": between.join(map(str, items))),
}  # fmt: skip


class Turn:
    """`loop` inside a `for`."""

    __slots__ = ("index0", "last")

    def __init__(self, index0: int, last: bool):
        self.index0, self.last = index0, last


def turns(items: Iterable) -> Iterator[tuple[Turn, Any]]:
    found = list(items)
    return ((Turn(number, number == len(found) - 1), item) for number, item in enumerate(found))


def render(template: str, facts: dict[str, Any], *, strip: bool = False) -> str:
    """A template with these names filled in; one that it does not have is a NameError.

    A line break behind a `{% %}` is taken away, and with `strip` the spaces before one at
    the beginning of a line.
    """
    pieces: list[str] = []
    exec(_program(template, strip), {**FILTERS, "turns": turns, **facts, "write": pieces.append})
    return "".join(pieces)


@lru_cache(maxsize=None)
def _program(template: str, strip: bool) -> CodeType:
    path = resources.templates() / template
    return compile("\n".join(_lines(path.read_text(encoding="utf-8"), strip)), str(path), "exec")


def _lines(text: str, strip: bool) -> Iterator[str]:
    """A template as a Python program that writes it. The body of a loop is a function, so that its names are its own."""
    parts = TAG.split(text)
    loops: list[str] = []  # what each open `for` will call
    depth = 0
    for number, part in enumerate(parts):
        margin = "  " * depth
        if number % 2 == 0:
            before, after = parts[number - 1] if number else "", parts[number + 1] if number + 1 < len(parts) else ""
            plain = _trimmed(part, before, after, strip)
            if plain:
                yield f"{margin}write({plain!r})"
            continue
        inside = part[2:-2].strip("-").strip()
        if part.startswith("{{"):
            yield f"{margin}write(str({_expression(inside)}))"
            continue
        word, _, rest = inside.partition(" ")
        if word == "for":
            names, _, items = rest.partition(" in ")
            yield f"{margin}def body{number}(loop, item):"
            yield f"{margin}  ({names}) = item"
            loops.append(f"for turn in turns({_expression(items)}): body{number}(*turn)")
            depth += 1
        elif word == "endfor":
            yield f"{margin[2:]}{loops.pop()}"
            depth -= 1
        elif word == "if":
            yield f"{margin}if {_expression(rest)}:"
            yield f"{margin}  pass"
            depth += 1
        elif word in ("elif", "else"):
            yield f"{margin[2:]}{word} {_expression(rest)}".rstrip() + ":"
            yield f"{margin}pass"
        elif word == "endif":
            depth -= 1
        elif word == "set":
            yield f"{margin}{rest}"
        else:
            raise SyntaxError(f"{part} is not known here")


def _expression(text: str) -> str:
    """Jinja's expressions are Python's, but for a condition without `else`, which gives nothing."""
    return f'{text} else ""' if " if " in text and " else " not in text else text


def _trimmed(text: str, before: str, after: str, strip: bool) -> str:
    """Text between two tags, without what these take away."""
    at_line_start = not before
    if before.endswith(("-%}", "-}}")):
        kept = text.lstrip()
        at_line_start, text = text.removesuffix(kept).endswith("\n"), kept
    elif before.endswith("%}") and text.startswith("\n"):
        at_line_start, text = True, text[1:]
    if after.startswith(("{%-", "{{-")):
        return text.rstrip()
    if strip and after.startswith("{%"):
        line = text[text.rfind("\n") + 1 :]
        if not line.strip(" \t") and (at_line_start or "\n" in text):
            return text.removesuffix(line)
    return text
