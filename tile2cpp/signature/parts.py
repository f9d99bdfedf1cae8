"""What a signature is made of, and the errors of arguments that do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Union

from tile2cpp.errors import Diagnostic, TileTypeError, TileValueError
from tile2cpp.types import Array, ArrayList, Tile


class ArgumentTypeError(TileTypeError, TypeError):
    """An argument, grid or hint of the wrong kind."""


class ArgumentValueError(TileValueError, ValueError):
    """An argument, grid or hint outside its range."""


class ArgumentOverflowError(TileValueError, OverflowError):
    """A number that does not fit."""


def fail(kind: type, message: str, hint: str = "", known_as: str = "") -> Exception:
    """An argument error to raise, in the form all diagnostics have; `known_as` are cuTile's words for it."""
    return kind(Diagnostic(message, hints=(hint,) if hint else (), kind=kind, known_as=known_as))


@dataclass(frozen=True, eq=False)
class Fixed:
    """A `Constant` parameter's value. `1`, `True` and `1.0` are different constants."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))

    def __str__(self) -> str:
        return repr(self.value)


# What is known of one argument; a tuple argument is the tuple of its items' kinds.
Kind = Union[Array, Tile, ArrayList, Fixed, tuple]


def text_of(kind: Kind) -> str:
    """A kind as signature texts spell it."""
    if isinstance(kind, tuple):
        return f"({', '.join(map(text_of, kind))}{',' * (len(kind) == 1)})"
    if isinstance(kind, Fixed):
        return f"={kind}"
    return kind.dtype.short if isinstance(kind, Tile) else str(kind)


def leaves(kind: Kind, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Array | Tile | ArrayList]]:
    """What of an argument is passed at run time: the way to it through tuples, and its kind."""
    if isinstance(kind, tuple):
        for position, item in enumerate(kind):
            yield from leaves(item, (*path, position))
    elif not isinstance(kind, Fixed):
        yield path, kind


def at(value: Any, path: tuple[int, ...]) -> Any:
    """The item of a nested tuple that a path leads to."""
    for position in path:
        value = value[position]
    return value


def named(name: str, path: tuple[int, ...]) -> str:
    """The author's way to write that item: `p[0][1]`."""
    return name + "".join(f"[{position}]" for position in path)
