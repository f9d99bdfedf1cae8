"""What a name or expression stands for while a kernel is lowered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tile2cpp import ir
from tile2cpp.errors import Diagnostic
from tile2cpp.parse import FunctionSyntax
from tile2cpp.source import Span
from tile2cpp.types import Tile


class Fault(Exception):
    """A mistake of the author; the statement is given up, the next one is tried."""

    def __init__(self, diagnostic: Diagnostic | None):
        super().__init__(diagnostic.message if diagnostic else "")
        self.diagnostic = diagnostic  # None: a consequence of a mistake already reported


@dataclass(frozen=True)
class Value:
    """Base of all values."""


@dataclass(frozen=True)
class Constant(Value):
    """A compile-time Python object; `name` is what the emitted file may call it."""

    value: Any
    name: str = ""

    @property
    def is_number(self) -> bool:
        return isinstance(self.value, (bool, int, float))

    def same(self, other: "Constant") -> bool:
        if type(self.value) is not type(other.value):
            return False
        return self.value is other.value or bool(self.value == other.value) or self.value != self.value


@dataclass(frozen=True)
class Runtime(Value):
    """A tile or scalar, computed at run time by `expr`."""

    expr: Any

    @property
    def type(self) -> Tile:
        return self.expr.type


@dataclass(frozen=True)
class ArrayValue(Value):
    expr: ir.ArrayName


@dataclass(frozen=True)
class ViewValue(Value):
    expr: ir.ViewName


@dataclass(frozen=True)
class TupleValue(Value):
    items: tuple[Value, ...]


@dataclass(frozen=True)
class RangeValue(Value):
    start: Value
    stop: Value
    step: Value


@dataclass(frozen=True, eq=False)
class Closure(Value):
    """A nested function or lambda, with the frame whose names it reads."""

    syntax: FunctionSyntax
    frame: Any
    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Method(Value):
    """A method of a tile, array or view, bound to its receiver."""

    op: Any
    receiver: Value


@dataclass(frozen=True)
class Poison(Value):
    """A name that cannot be used here; `why` says so at the use, None when it was reported already."""

    why: Any = None  # a function of the use's span that makes the Diagnostic


@dataclass(frozen=True)
class Binding:
    """A name's value, where it was assigned, and the C++ variable that holds it now."""

    value: Value
    span: Span | None = None
    variable: str = ""


def describe(value: Value) -> str:
    """A value in the author's words."""
    match value:
        case Constant():
            return f"the constant {value.value!r}" if value.is_number else repr(value.value)
        case Runtime():
            return describe_type(value.type)
        case ArrayValue():
            return f"the array `{value.expr.name}`"
        case ViewValue():
            return f"a tiled view of `{value.expr.array.name}`"
        case TupleValue():
            return f"a tuple of {len(value.items)}"
        case Closure():
            return f"the function `{value.syntax.name}`"
        case Method():
            return f"the method `{value.op.method}`"
        case RangeValue():
            return "a range"
    return "an undefined value"


def describe_type(tile: Tile) -> str:
    if not tile.shape:
        return f"{article(tile.dtype.name)} {tile.dtype} scalar"
    return f"{article(tile.dtype.name)} {tile.dtype} tile of shape {tuple(int(e) for e in tile.shape)}"


def article(word: str) -> str:
    return "an" if word[0] in "aeiu" and not word.startswith("uint") else "a"


class NamedInt(int):
    """A constant extent that the author has a name for."""

    name: str

    def __new__(cls, value: int, name: str) -> "NamedInt":
        made = super().__new__(cls, value)
        made.name = name
        return made


def plain(tile: Any) -> Any:
    """A type without the author's names of extents, to cross a function's border."""
    if isinstance(tile, Tile):
        return Tile(tile.dtype, tuple(int(e) for e in tile.shape))
    return tile
