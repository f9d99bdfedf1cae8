"""What the IR is made of: expressions, statements, functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Union

from tile2cpp import dtypes
from tile2cpp.ops import Op
from tile2cpp.source import Span
from tile2cpp.types import Array, ArrayList, Tile, View


@dataclass(frozen=True)
class Name:
    """A variable or scalar parameter."""

    name: str
    type: Tile
    nonnegative: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Literal:
    """A constant with a dtype; `name` is the author's name for it, where there is one."""

    value: bool | int | float
    type: Tile
    name: str = ""
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ArrayName:
    """An array parameter, a slice of one, or an array of a list."""

    name: str
    type: Array
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class ListName:
    """A list parameter."""

    name: str
    type: ArrayList
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Length:
    """How many arrays a list holds."""

    list: ListName
    span: Span | None = field(default=None, compare=False)
    type: Tile = Tile(dtypes.int32)


@dataclass(frozen=True)
class ViewName:
    """An array cut into tiles; `padding` is the name of its padding mode."""

    array: ArrayName
    shape: tuple[int, ...]
    padding: str
    type: View
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Extent:
    """Run-time extent (or stride) `axis` of an array."""

    array: ArrayName
    axis: int
    type: Tile
    stride: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Pointer:
    """Where an array begins; `leaves` says that it goes out of the function that got the array."""

    array: ArrayName
    type: Tile
    leaves: bool = False
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Call:
    """An op applied to expressions and constants, by parameter name."""

    op: Op
    arguments: tuple[tuple[str, Any], ...]
    type: Tile | None
    span: Span | None = field(default=None, compare=False)

    def __getitem__(self, parameter: str) -> Any:
        return dict(self.arguments)[parameter]


@dataclass(frozen=True)
class Invoke:
    """A call of a helper function; `type` is a Tile, a tuple of Tiles, or None."""

    helper: str
    arguments: tuple[Any, ...]
    type: Any
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Field:
    """One member of a helper's result."""

    value: Name
    name: str
    type: Tile
    span: Span | None = field(default=None, compare=False)


Expr = Union[Name, Literal, ArrayName, ListName, Length, ViewName, Extent, Pointer, Call, Invoke, Field]


@dataclass(frozen=True)
class Note:
    """Where a statement comes from, and the author's comments on it."""

    span: Span | None = None
    above: tuple[str, ...] = ()
    beside: str = ""


@dataclass(frozen=True)
class Let:
    """A new variable. `constant`: it never changes and its value is known."""

    name: str
    value: Expr
    note: Note = Note()
    constant: bool = False


@dataclass(frozen=True)
class Declare:
    """A new variable that every branch below assigns."""

    name: str
    type: Tile
    note: Note = Note()


@dataclass(frozen=True)
class Unpack:
    """New variables for the members of a helper's result."""

    names: tuple[str, ...]
    value: Invoke
    note: Note = Note()


@dataclass(frozen=True)
class Set:
    """A new value, of the same type, for an existing variable."""

    name: str
    value: Expr
    note: Note = Note()


@dataclass(frozen=True)
class Do:
    """A call for its effect."""

    call: Call | Invoke
    note: Note = Note()


@dataclass(frozen=True)
class For:
    """A loop over `range(start, stop, step)`."""

    name: str
    start: Expr
    stop: Expr
    step: Expr | None
    body: tuple["Stmt", ...]
    note: Note = Note()


@dataclass(frozen=True)
class While:
    test: Expr
    body: tuple["Stmt", ...]
    note: Note = Note()


@dataclass(frozen=True)
class If:
    test: Expr
    then: tuple["Stmt", ...]
    otherwise: tuple["Stmt", ...]
    note: Note = Note()


@dataclass(frozen=True)
class Break:
    note: Note = Note()
    number: int = -1  # of this way out, while its loop is lowered


@dataclass(frozen=True)
class Continue:
    note: Note = Note()


@dataclass(frozen=True)
class Return:
    """Leave the function; `values` is empty in a kernel."""

    values: tuple[Expr, ...] = ()
    note: Note = Note()


@dataclass(frozen=True)
class Slice:
    """A part of an array along one axis, as an array with a name of its own."""

    name: str
    array: ArrayName
    axis: int
    start: Expr
    stop: Expr
    type: Array
    note: Note = Note()


@dataclass(frozen=True)
class Pick:
    """One array of a list, as an array with a name of its own."""

    name: str
    list: ListName
    index: Expr
    type: Array
    note: Note = Note()


@dataclass(frozen=True)
class Foreign:
    """An array that begins at an address, as an array with a name of its own.

    `origins` are the arrays that it may be, or be a part of, where these are known.
    """

    name: str
    pointer: Expr
    shape: tuple[Expr, ...]
    strides: tuple[Expr, ...]
    type: Array
    note: Note = Note()
    origins: tuple[str, ...] = ()


@dataclass(frozen=True)
class Feed:
    """Hand the factors of `product` to those who wait for them; stands only in what is taken out of a kernel for that.

    `left` is None where the left factor is computed. `maps` is what names the factors' descriptors, or None.
    """

    product: Call
    left: Expr | None
    right: Expr
    maps: tuple[str | None, str | None]
    note: Note = Note()


@dataclass(frozen=True)
class Comment:
    """Comment lines that belong to no statement (the end of a block)."""

    lines: tuple[str, ...]


Stmt = Union[Let, Declare, Unpack, Slice, Pick, Foreign, Set, Do, For, While, If, Break, Continue, Return, Feed, Comment]


@dataclass(frozen=True)
class Param:
    """A run-time parameter: an array, a list of arrays, or a scalar."""

    name: str
    type: Array | ArrayList | Tile


@dataclass(frozen=True)
class Constant:
    """A compile-time parameter or global that the body names."""

    name: str
    value: Any


@dataclass(frozen=True)
class Function:
    """A kernel or a helper. `result` is a Tile, a tuple of (name, Tile), or None. `unread`: parameters of a helper for tiles that
    need not have been read, or summed; `running`: nor its result."""

    name: str
    params: tuple[Param, ...]
    body: tuple[Stmt, ...]
    doc: str = ""
    comments: tuple[str, ...] = ()
    result: Any = None
    constants: tuple[Constant, ...] = ()
    unread: frozenset[str] = frozenset()
    running: bool = False


@dataclass(frozen=True)
class Kernel:
    """A kernel with the helpers it reaches (callees first) and the author's hints. `unwritten`: operations that it calls, and nothing is written for."""

    main: Function
    helpers: tuple[Function, ...]
    hints: tuple[tuple[str, Any], ...]
    signature: str
    file: str
    name: str
    unwritten: frozenset[str] = frozenset()

    @property
    def functions(self) -> tuple[Function, ...]:
        return (*self.helpers, self.main)
