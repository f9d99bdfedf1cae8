"""What values in a kernel are: tiles, arrays, views and compile-time constants.

A scalar is a tile of shape `()`. Constants are weak: a literal takes the dtype of
the typed operand it meets, and gets a dtype of its own only when it must stand alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tile2cpp import dtypes
from tile2cpp.dtypes import DType
from tile2cpp.errors import Reject, TileValueError


@dataclass(frozen=True)
class Tile:
    """A block-local value: a dtype and static extents; shape `()` is a scalar."""

    dtype: DType
    shape: tuple[int, ...] = ()

    def __str__(self) -> str:
        """In a reader's words, as messages need it."""
        name = self.dtype.name
        if self.dtype.kind == "pointer":
            return f"a {name}"
        article = "an" if name[0] in "aei" else "a"
        if not self.shape or is_any_shape(self.shape):
            return f"{article} {name} scalar"
        return f"{article} {name} tile of shape {tuple(int(e) for e in self.shape)}"

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        result = 1
        for extent in self.shape:
            result *= extent
        return result

    def like(self, dtype: DType) -> "Tile":
        return Tile(dtype, self.shape)


class AnyExtent(int):
    """The one extent of `ANY_SHAPE`."""


# The shape of a combining function's operands: it is applied to parts of any shape.
ANY_SHAPE = (AnyExtent(2**24),)


def is_any_shape(shape: tuple[int, ...]) -> bool:
    return len(shape) == 1 and isinstance(shape[0], AnyExtent)


@dataclass(frozen=True)
class Weak:
    """A compile-time number that has no dtype yet: `2`, `0.5`, `True`, a `Constant` parameter."""

    value: bool | int | float

    def __str__(self) -> str:
        return f"the constant {self.value!r}"

    shape = ()


@dataclass(frozen=True)
class Extent:
    """What is known of one extent or stride: a number, or a multiple of `divisor`."""

    value: int | None = None
    divisor: int = 1

    def __str__(self) -> str:
        if self.value is not None:
            return str(self.value)
        return "?" if self.divisor == 1 else f"?%{self.divisor}"

    def is_multiple_of(self, number: int) -> bool:
        return (self.divisor if self.value is None else self.value) % number == 0


@dataclass(frozen=True)
class Array:
    """Memory that the caller owns, as a kernel sees it.

    `strides` (in elements) is None for a contiguous row-major array. `alignment` is
    what the address is known to be divisible by, in bytes. `wide` says that offsets and
    strides need 64 bits, `wide_extents` that extents do, too.
    """

    dtype: DType
    extents: tuple[Extent, ...]
    strides: tuple[Extent, ...] | None = None
    alignment: int = 16
    wide: bool = False
    wide_extents: bool = False

    @property
    def ndim(self) -> int:
        return len(self.extents)

    @property
    def index_dtype(self) -> DType:
        """The dtype of extents, and of numbers of tiles."""
        return dtypes.int64 if self.wide_extents else dtypes.int32

    @property
    def stride_dtype(self) -> DType:
        return dtypes.int64 if self.wide else dtypes.int32

    def __str__(self) -> str:
        text = f"{self.dtype.short}[{','.join(map(str, self.extents))}]"
        if self.strides is not None:
            text += f":({','.join(map(str, self.strides))})"
        if self.alignment != 16:
            text += f"@{self.alignment}"
        return text + ("W" if self.wide_extents else "w" if self.wide else "")


@dataclass(frozen=True)
class ArrayList:
    """A list parameter: arrays that are described alike; how many there are, only a launch knows."""

    element: Array

    def __str__(self) -> str:
        return f"[{self.element}]"


@dataclass(frozen=True)
class View:
    """An array cut into tiles of one shape, which start every `steps` elements (None: side by side).

    Tiles of shape `()` hold one element: their extents are 1 in memory, and `scalar` says
    that what is loaded has no axes.
    """

    array: Array
    shape: tuple[int, ...]
    steps: tuple[int, ...] | None = None
    scalar: bool = False

    @property
    def tile(self) -> tuple[int, ...]:
        """The shape of the tiles as the kernel sees them."""
        return () if self.scalar else self.shape

    def __str__(self) -> str:
        return f"TiledView[{self.array}, {'x'.join(map(str, self.shape))}]"


CATEGORIES = {"bool": 0, "int": 1, "uint": 1, "float": 2, "restricted": 2}


def category(value: Any) -> int:
    """0, 1, 2 for bool, int and float: a weak constant never lowers a typed operand."""
    if isinstance(value, Tile):
        return CATEGORIES[value.dtype.kind]
    number = value.value if isinstance(value, Weak) else value
    return 0 if isinstance(number, bool) else 1 if isinstance(number, int) else 2


def own_dtype(value: bool | int | float) -> DType:
    """The dtype a constant gets when no typed operand decides it (int32 unless it does not fit)."""
    if isinstance(value, bool):
        return dtypes.bool_
    if isinstance(value, float):
        return dtypes.float32
    for dtype in (dtypes.int32, dtypes.int64, dtypes.uint64):
        low, high = dtype.range()
        if low <= value <= high:
            return dtype
    raise Reject("x", f"the constant {value} does not fit into 64 bits", hint="write it as a float, such as 2.0**70, or compute with smaller numbers", kind=TileValueError, known_as=f"{value} is out of range of any supported integer type")


def fit(value: bool | int | float, dtype: DType, parameter: str) -> None:
    """Reject an integer constant that `dtype`, or any integer type, cannot hold."""
    own_dtype(value)
    if isinstance(value, int) and dtype.kind in ("int", "uint"):
        low, high = dtype.range()
        if not low <= value <= high:
            raise Reject(parameter, f"the constant {value} does not fit into {dtype} ({low}..{high})", hint=f"convert the tile to a wider dtype with .astype(...), or write ct.{dtype.name}({value}) for a value that wraps around", kind=TileValueError, known_as=f"{value} is out of range of {dtype}")


def promote_dtypes(x: DType, y: DType, parameter: str = "y") -> DType:
    """The common dtype of two typed operands (section 3.2 of the language)."""
    if x == y:
        return x
    if "pointer" in (x.kind, y.kind):
        raise _address_among(parameter, x, y)
    if "restricted" in (x.kind, y.kind):
        raise Reject(parameter, f"{x} and {y} have no common dtype", hint="convert one of them with .astype(...)", known_as=known_of_restricted(x, y))
    if x.kind == "bool" or y.kind == "bool":
        return y if x.kind == "bool" else x
    known_as = f"Implicit promotion of {x} and {y} is not supported. Please perform an explict cast instead."  # so it is spelled there
    if x.is_float or y.is_float:
        if not (x.is_float and y.is_float):
            return x if x.is_float else y
        if x.bits == y.bits:
            raise Reject(parameter, f"{x} and {y} have no common dtype", hint="convert one of them with .astype(...)", known_as=known_as)
        return x if x.bits > y.bits else y
    if x.kind != y.kind:
        raise Reject(
            parameter,
            f"signed {x if x.kind == 'int' else y} and unsigned {y if x.kind == 'int' else x} do not mix",
            hint="convert one of them with .astype(...)",
            known_as=known_as,
        )
    return x if x.bits > y.bits else y


def known_of_restricted(x: DType, y: DType) -> str:
    """What cuTile says of two dtypes of which one only stores numbers."""
    return f"Implicit promotion of {x} and {y} is not supported as it involves restricted float dtypes. Please perform an explicit cast instead."


def _address_among(parameter: str, x: Any, y: Any) -> Reject:
    """What is said of two operands of which one is an address."""
    return Reject(parameter, f"{x} and {y} have no common dtype: an address is no number", known_as="Implicit promotion of pointer dtypes is not supported")


def promote(x: Tile | Weak, y: Tile | Weak, parameters: tuple[str, str] = ("x", "y")) -> DType:
    """The common dtype of two operands, either of which may be a weak constant."""
    if isinstance(x, Weak) and isinstance(y, Weak):
        return own_dtype(x.value if category(x) >= category(y) else y.value)
    if isinstance(x, Weak):
        return promote(y, x, parameters[::-1])
    if isinstance(y, Weak):
        if x.dtype.kind == "pointer":
            raise _address_among(parameters[1], x.dtype, y)
        if category(y) > category(x):
            return own_dtype(y.value)
        fit(y.value, x.dtype, parameters[1])
        return x.dtype
    return promote_dtypes(x.dtype, y.dtype, parameters[1])


def broadcast_shapes(x: tuple[int, ...], y: tuple[int, ...], parameter: str = "y") -> tuple[int, ...]:
    """NumPy's broadcasting: align on the right, extents agree when equal or one of them is 1."""
    rank = max(len(x), len(y))
    padded = [(1,) * (rank - len(s)) + tuple(s) for s in (x, y)]
    for a, b in zip(*padded):
        if a != b and 1 not in (a, b):
            hint = "x[:, None] and y[None, :] make a block of both" if len(x) == len(y) == 1 else "extents meet from the last axis on; x[:, None] adds an axis behind" if len(x) != len(y) else "they must be equal along each axis, or 1"
            raise Reject(parameter, f"shapes {tuple(x)} and {tuple(y)} do not broadcast: {a} against {b}", hint=hint, code="broadcast", known_as=f"Shapes are not broadcastable: {tuple(x)}, {tuple(y)}")
    return tuple(b if a == 1 else a for a, b in zip(*padded))


def is_implicit(source: DType, target: DType) -> bool:
    """Whether writing converts `source` to `target` on its own: exactly when promotion gives `target`."""
    try:
        return promote_dtypes(source, target) == target
    except Reject:
        return False
