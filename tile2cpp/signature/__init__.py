"""The typed argument list that a kernel is translated for: from a text, or from real arguments.

    x: f32[?,64], y: f16[?%16,?]:(?,1)@4, n: i32, TILE=256, EPS=1e-05

One signature means one emitted file. From real arguments only classes are taken (an
extent is a multiple of 16 or it is not), so that few signatures serve many calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tile2cpp import dtypes
from tile2cpp.errors import Diagnostic, TileTypeError, TileValueError
from tile2cpp.signature import arrays
from tile2cpp.types import Array, Extent, Tile


class ArgumentTypeError(TileTypeError, TypeError):
    """An argument, grid or hint of the wrong kind."""


class ArgumentValueError(TileValueError, ValueError):
    """An argument, grid or hint outside its range."""


class ArgumentOverflowError(TileValueError, OverflowError):
    """A number that does not fit."""


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


@dataclass(frozen=True)
class Signature:
    """Parameter names and what is known of each: an `Array`, a scalar `Tile`, or a `Fixed` constant."""

    names: tuple[str, ...]
    types: tuple[Array | Tile | Fixed, ...]

    def __str__(self) -> str:
        return ", ".join(_item(name, kind) for name, kind in zip(self.names, self.types))

    @classmethod
    def parse(cls, text: str, parameter_names: tuple[str, ...] | None = None) -> "Signature":
        """Read a signature text; with `parameter_names` it must name exactly these, in any order."""
        from tile2cpp.signature.text import parse

        items = parse(text, None if parameter_names is None else tuple(parameter_names))
        return cls(tuple(items), tuple(items.values()))

    @classmethod
    def of(cls, names: tuple[str, ...], constants: frozenset[int], arguments: tuple) -> "Signature":
        """The signature of a call; `constants` are the positions of `Constant` parameters."""
        types = []
        for position, (name, argument) in enumerate(zip(names, arguments)):
            about = f"parameter {position} (`{name}`)"
            types.append(constant(about, argument) if position in constants else run_time(about, argument))
        return cls(tuple(names), tuple(types))


def _item(name: str, kind: Array | Tile | Fixed) -> str:
    if isinstance(kind, Fixed):
        return f"{name}={kind}"
    return f"{name}: {kind.dtype.short if isinstance(kind, Tile) else kind}"


def fail(kind: type, message: str, hint: str = "") -> Exception:
    """An argument error to raise, in the form all diagnostics have."""
    return kind(Diagnostic(message, hints=(hint,) if hint else (), kind=kind))


def constant(about: str, value: Any) -> Fixed:
    """A compile-time argument: a bool, int, float or tuples of them."""
    for item in _leaves(value):
        if type(item) not in (bool, int, float):
            number = arrays.library(item) == "numpy" and not arrays.is_array(item)
            hint = f"pass {'bool' if item.dtype.kind == 'b' else 'float' if item.dtype.kind == 'f' else 'int'}(...)" if number and item.dtype.kind in "biuf" else ""
            raise fail(ArgumentTypeError, f"{about} is a constant: a bool, int, float or tuples of them, but {_what(item)} was passed", hint)
        if type(item) is int and not -(2**63) <= item < 2**64:
            raise fail(ArgumentOverflowError, f"{about}: the constant {item} does not fit into 64 bits")
    return Fixed(value)


def _leaves(value: Any):
    if type(value) is tuple:
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def run_time(about: str, value: Any) -> Array | Tile:
    """The type of a run-time argument: an array or a scalar."""
    if isinstance(value, bool):
        return Tile(dtypes.bool_)
    if isinstance(value, int):
        if not -(2**31) <= value < 2**31:
            raise fail(ArgumentOverflowError, f"{about}: {value} does not fit into int32", "pass np.int64(...) for a 64-bit scalar")
        return Tile(dtypes.int32)
    if isinstance(value, float):
        return Tile(dtypes.float32)
    if arrays.is_array(value):
        return array_type(about, value)
    if arrays.library(value) in ("numpy", "ml_dtypes") and (dtype := dtypes.as_dtype(getattr(value, "dtype", None))):
        return Tile(dtype)
    raise fail(
        ArgumentTypeError, f"{about} is {_what(value)}, but kernels take arrays, bools, ints and floats",
        "annotate the parameter with ct.Constant[...] to pass a tuple of numbers" if isinstance(value, tuple) else "",
    )  # fmt: skip


def array_type(about: str, value: Any) -> Array:
    """What a signature says of an array: classes of its extents, strides and address."""
    try:
        memory = arrays.memory(value)
    except TypeError as error:
        raise fail(ArgumentTypeError, f"{about}: {error}") from None
    if memory.dtype is None:
        raise fail(ArgumentTypeError, f"{about}: there are no arrays of {memory.dtype_name} in the tile language", "use bool, an integer, float16, bfloat16, float32 or float64")
    return describe(about, memory)


def describe(about: str, memory: arrays.Memory) -> Array:
    size = memory.dtype.bytes
    if any(s < 0 for n, s in zip(memory.shape, memory.strides) if n > 1):
        raise fail(ArgumentValueError, f"{about} has a negative stride, which the tile language does not have", "pass a copy")
    if any(s % size for n, s in zip(memory.shape, memory.strides) if n > 1) or memory.address % size:
        raise fail(ArgumentValueError, f"{about}: its elements do not lie at multiples of their size ({size} bytes)", "pass a copy")
    strides = tuple(s // size for s in memory.strides)
    reach = max(memory.shape, default=0), sum((n - 1) * s for n, s in zip(memory.shape, strides) if n > 1)
    return Array(
        memory.dtype,
        tuple(Extent(divisor=16 if n and n % 16 == 0 else 1) for n in memory.shape),
        None if arrays.is_row_major(memory, size) else tuple(_stride(s) for s in strides),
        alignment(memory.address),
        wide=max(reach) >= 2**31,
    )


def _stride(stride: int) -> Extent:
    return Extent(1) if stride == 1 else Extent(divisor=16 if stride % 16 == 0 else 1)


def alignment(address: int) -> int:
    """The largest power of two up to 16 that divides an address."""
    return min(16, address & -address) or 16


def _what(value: Any) -> str:
    """A value as an error names it."""
    if value is None:
        return "None"
    if isinstance(value, (str, int, float)) and type(value).__module__ == "builtins":
        return repr(value)
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    return f"{article} {type(value).__module__}.{name}" if type(value).__module__ != "builtins" else f"{article} {name}"
