"""What a name or expression stands for while a kernel is lowered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tile2cpp import ir
from tile2cpp.errors import Diagnostic
from tile2cpp.parse import FunctionSyntax
from tile2cpp.source import Span
from tile2cpp.types import AnyExtent, Tile


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

    @property
    def is_pointer(self) -> bool:
        """Whether it is the address of an array rather than numbers."""
        return self.type.dtype.kind == "pointer"


@dataclass(frozen=True)
class ArrayValue(Value):
    expr: ir.ArrayName


@dataclass(frozen=True)
class ListValue(Value):
    """A list parameter."""

    expr: ir.ListName


@dataclass(frozen=True)
class ViewValue(Value):
    expr: ir.ViewName


class Composite(Value):
    """A value made of other values, which travel one by one: through calls, joins and loops."""

    def parts(self) -> tuple[Value, ...]:
        raise TypeError(self)

    def rebuilt(self, parts: tuple[Value, ...]) -> "Composite":
        """The same kind of value with other parts."""
        raise TypeError(self)

    def kind(self) -> Any:
        """What two values must share, beside their parts' types, to be of one type."""
        raise TypeError(self)

    def part_names(self) -> tuple[str, ...]:
        return tuple(map(str, range(len(self.parts()))))


@dataclass(frozen=True)
class ListChoice(Composite):
    """One of some list parameters; `which` is its number."""

    which: Value
    lists: tuple[ListValue, ...]

    def parts(self):
        return (self.which, *self.lists)

    def rebuilt(self, parts):
        return ListChoice(parts[0], tuple(parts[1:]))

    def kind(self):
        return ("list", *(item.expr.name for item in self.lists))

    def part_names(self):
        return ("which", *(f"list{i}" for i in range(len(self.lists))))


@dataclass(frozen=True)
class TupleValue(Composite):
    items: tuple[Value, ...]

    def parts(self):
        return self.items

    def rebuilt(self, parts):
        return TupleValue(tuple(parts))

    def kind(self):
        return ("tuple", len(self.items))


@dataclass(frozen=True)
class DictValue(Composite):
    """The `**kwargs` of a helper."""

    items: tuple[tuple[str, Value], ...]

    def parts(self):
        return tuple(value for _, value in self.items)

    def rebuilt(self, parts):
        return DictValue(tuple(zip((key for key, _ in self.items), parts)))

    def kind(self):
        return ("dict", tuple(key for key, _ in self.items))

    def part_names(self):
        return tuple(key for key, _ in self.items)


@dataclass(frozen=True)
class Instance(Composite):
    """An instance of a frozen dataclass."""

    cls: type
    items: tuple[tuple[str, Value], ...]

    def parts(self):
        return tuple(value for _, value in self.items)

    def rebuilt(self, parts):
        return Instance(self.cls, tuple(zip((name for name, _ in self.items), parts)))

    def kind(self):
        return ("instance", self.cls)

    def part_names(self):
        return tuple(name for name, _ in self.items)


@dataclass(frozen=True)
class RangeValue(Composite):
    start: Value
    stop: Value
    step: Value

    def parts(self):
        return (self.start, self.stop, self.step)

    def rebuilt(self, parts):
        return RangeValue(*parts)

    def kind(self):
        return "range"

    def part_names(self):
        return ("start", "stop", "step")


@dataclass(frozen=True)
class TextValue(Composite):
    """A formatted string with run-time parts: for each, the text before it and its format spec."""

    texts: tuple[tuple[str, str], ...]
    values: tuple[Value, ...]
    end: str = ""

    def parts(self):
        return self.values

    def rebuilt(self, parts):
        return TextValue(self.texts, tuple(parts), self.end)

    def kind(self):
        return ("text", self.texts, self.end)


@dataclass(frozen=True, eq=False)
class Closure(Value):
    """A nested function or lambda, with the frame whose names it reads."""

    syntax: FunctionSyntax
    frame: Any
    defaults: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Method(Composite):
    """A method of a tile, array or view (an op), or of a dataclass (a function), bound to its receiver."""

    op: Any
    receiver: Value

    def parts(self):
        return (self.receiver,)

    def rebuilt(self, parts):
        return Method(self.op, *parts)

    def kind(self):
        return ("method", self.op)

    def part_names(self):
        return ("self",)


@dataclass(frozen=True)
class Manager(Composite):
    """What a helper made by `contextlib.contextmanager` gives: its arguments, until a `with` enters it."""

    function: Any
    arguments: tuple[tuple[str, Value], ...]

    def parts(self):
        return tuple(value for _, value in self.arguments)

    def rebuilt(self, parts):
        return Manager(self.function, tuple(zip((name for name, _ in self.arguments), parts)))

    def kind(self):
        return ("manager", id(self.function), *self.part_names())

    def part_names(self):
        return tuple(name for name, _ in self.arguments)


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
        case ListValue():
            return f"the list `{value.expr.name}`"
        case ListChoice():
            return "one of the lists " + ", ".join(f"`{item.expr.name}`" for item in value.lists)
        case ViewValue():
            return f"a tiled view of `{value.expr.array.name}`"
        case TupleValue() if value.items and all(isinstance(v, Constant) and v.is_number for v in value.items):
            return f"the tuple {tuple(v.value for v in value.items)}"
        case TupleValue():
            return f"a tuple of {len(value.items)}"
        case Closure():
            return f"the function `{value.syntax.name}`"
        case Method():
            return f"the method `{getattr(value.op, 'method', '') or value.op.__name__}`"
        case RangeValue():
            return "a range"
        case DictValue():
            return "a dict"
        case Instance():
            return f"{article(value.cls.__name__.lower())} {value.cls.__name__}"
        case TextValue():
            return "a formatted string"
        case Manager():
            return f"the context manager `{value.function.__name__}`"
    return "an undefined value"


def describe_type(tile: Tile) -> str:
    return str(tile)


def article(word: str) -> str:
    return "an" if word[0] in "aeiu" and not word.startswith("uint") else "a"


class NamedInt(int):
    """A constant extent that the author has a name for."""

    name: str

    def __new__(cls, value: int, name: str) -> "NamedInt":
        made = super().__new__(cls, value)
        made.name = name
        return made

    def __getnewargs__(self) -> tuple[int, str]:
        return int(self), self.name  # for copies


def plain(tile: Any) -> Any:
    """A type without the author's names of extents, to cross a function's border."""
    if isinstance(tile, Tile):
        return Tile(tile.dtype, tuple(e if isinstance(e, AnyExtent) else int(e) for e in tile.shape))
    return tile
