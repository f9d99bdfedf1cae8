"""What the names in an interpreted kernel hold: tiles, arrays and views over NumPy data.

A tile's operators and methods are those of the op registry, so this module states no
meaning of its own. Compile-time constants stay plain Python numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tile2cpp import dtypes, types
from tile2cpp.dtypes import DType, as_dtype
from tile2cpp.errors import Reject
from tile2cpp.ops import METHODS, OPERATORS
from tile2cpp.ops.arrays import foreign_pointer
from tile2cpp.ops.cast import convert
from tile2cpp.ops.rules import POINTER_HINT
from tile2cpp.ops.shape import reshape


class TileValue:
    """A tile of a running block: an element type, and the elements as a NumPy array nobody writes to."""

    __slots__ = ("dtype", "data", "known")
    __array_ufunc__ = None  # NumPy scalars leave their operators to us
    __hash__ = None
    __iter__ = None  # or Python would try t[0], t[1], ...

    def __init__(self, dtype: DType, data: Any, known: bool = False):
        self.dtype = dtype
        self.data = np.asarray(data, dtype.numpy)
        self.known = known  # a constant of a dtype: ct.int32(16), or what all paths agree on

    @property
    def type(self) -> types.Tile:
        return types.Tile(self.dtype, self.data.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def ndim(self) -> int:
        return self.data.ndim

    def __getattr__(self, name: str):
        return method_of("tile", self, name)

    def __getitem__(self, key):
        return reshape(self, _with_new_axes(self, key if isinstance(key, tuple) else (key,)))

    def __bool__(self) -> bool:
        if self.shape:
            hint = "use ct.where for a choice per element, or take the element of a one-element tile with .item()"
            raise Reject("", f"a condition needs one truth value, but this is {self.type}", hint=hint)
        if self.dtype.kind == "pointer":
            raise Reject("", f"a condition takes a number, but this is {self.type}", hint=POINTER_HINT)
        return bool(self.data != 0)

    def __str__(self) -> str:
        return str(self.data.tolist())

    def __format__(self, spec: str) -> str:
        return _formatted(self.data.tolist(), spec)

    def __repr__(self) -> str:
        shape = "x".join(map(str, self.shape)) or "()"
        return f"Tile[{self.dtype.short}, {shape}]({np.array2string(self.data, separator=', ')})"

    def __dir__(self):
        return ["dtype", "shape", "ndim", *(name for owner, name in METHODS if owner == "tile")]


def _formatted(value: Any, spec: str) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_formatted(item, spec) for item in value) + "]"
    return format(value, spec)


def _with_new_axes(tile: TileValue, key: tuple) -> tuple[int, ...]:
    """The shape of `t[:, None]`: full slices, `...` and at least one new axis."""
    if not all(part is None or part is ... or part == slice(None) for part in key):
        hint = "take parts of a tile with ct.extract, single elements with ct.extract(...).item()"
        raise Reject("", "a tile's elements cannot be indexed", hint=hint)
    if None not in key:
        raise Reject("", "a tile is indexed only to add axes", hint="write t[:, None]; take parts with ct.extract")
    if key.count(...) > 1 or sum(part == slice(None) for part in key) > tile.ndim:
        raise Reject("", f"too many axes for {tile.type}")
    return tile.data[key].shape


def _binary(symbol: str):
    op = OPERATORS[symbol]
    return lambda x, y: op(x, y), lambda y, x: op(x, y)


for _name, _symbol in {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}.items():  # fmt: skip
    _forward, _reflected = _binary(_symbol)
    setattr(TileValue, f"__{_name}__", _forward)
    setattr(TileValue, f"__r{_name}__", _reflected)
for _name, _symbol in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(TileValue, f"__{_name}__", _binary(_symbol)[0])
for _name, _symbol in {"neg": "unary -", "pos": "unary +", "invert": "~"}.items():
    setattr(TileValue, f"__{_name}__", lambda x, op=OPERATORS[_symbol]: op(x))


class ArrayValue:
    """An array parameter: the caller's memory, and what the signature says of it."""

    __slots__ = ("name", "memory", "type")
    __hash__ = None

    def __init__(self, name: str, memory: np.ndarray, type: types.Array):
        self.name, self.memory, self.type = name, memory, type

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return self.memory.ndim

    @property
    def foreign_pointer(self) -> TileValue:
        """The address of its first element."""
        return foreign_pointer(self)

    @property
    def shape(self) -> tuple:
        """Extents: constants where the signature fixes them, otherwise run-time scalars."""
        return tuple(self._number(n, known) for n, known in zip(self.memory.shape, self.type.extents))

    @property
    def strides(self) -> tuple:
        """Strides in elements; the last one of a contiguous array is the constant 1."""
        steps = [n // max(1, self.memory.itemsize) for n in self.memory.strides]
        dtype = self.type.stride_dtype
        if self.type.strides is not None:
            return tuple(self._number(n, known, dtype) for n, known in zip(steps, self.type.strides))
        open_ = [self._number(n, types.Extent(), dtype) for n in _row_major(self.memory.shape)]
        return (*open_[:-1], 1) if open_ else ()

    def _number(self, value: int, known: types.Extent, dtype: DType | None = None):
        return value if known.value is not None else TileValue(dtype or self.type.index_dtype, value)

    def __getattr__(self, name: str):
        return method_of("array", self, name)

    def __getitem__(self, key):
        raise Reject("", "an array is not indexed in tile code", hint=f"load a tile: ct.load({self.name}, index, shape), or ct.gather")

    __iter__ = None

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}\n{self.memory!r}"

    def __dir__(self):
        return ["dtype", "shape", "ndim", "strides", "foreign_pointer", *(name for owner, name in METHODS if owner == "array")]


class ListValue:
    """A list parameter: arrays picked by a number that may be known at run time only."""

    __slots__ = ("name", "arrays")
    __hash__ = None
    __iter__ = None

    def __init__(self, name: str, arrays: list):
        self.name, self.arrays = name, arrays

    @property
    def length(self) -> TileValue:
        return TileValue(dtypes.int32, len(self.arrays))

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise Reject("", "a list has no slices in tile code", hint="pass the part of the list that the kernel needs")
        is_scalar = isinstance(index, TileValue) and not index.shape and index.dtype.kind in ("int", "uint")
        if not is_scalar and type(index) is not int:
            raise Reject("", f"a list's index must be an integer scalar, but this is {index.type if isinstance(index, TileValue) else repr(index)}")
        return self.arrays[int(index.data) if is_scalar else index]

    def __repr__(self) -> str:
        return f"{self.name}: {self.arrays!r}"


def _row_major(shape: tuple[int, ...]) -> list[int]:
    steps = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        steps[axis] = steps[axis + 1] * shape[axis + 1]
    return steps


class NumpyView(NamedTuple):
    """A view as the ops' NumPy meanings read it."""

    array: np.ndarray
    shape: tuple[int, ...]
    padding: str
    steps: tuple[int, ...] | None = None


class ViewValue:
    """An array cut into tiles of one shape."""

    __slots__ = ("array", "type", "padding")
    __hash__ = None

    def __init__(self, array: ArrayValue, type: types.View, padding: str):
        self.array, self.type, self.padding = array, type, padding

    @property
    def numpy(self) -> NumpyView:
        return NumpyView(self.array.memory, tuple(self.type.shape), self.padding, self.type.steps)

    @property
    def dtype(self) -> DType:
        return self.array.dtype

    @property
    def tile_shape(self) -> tuple[int, ...]:
        return tuple(self.type.tile)

    @property
    def traversal_steps(self) -> tuple[int, ...]:
        return tuple(self.type.steps or self.type.shape)

    def __getattr__(self, name: str):
        return method_of("view", self, name)

    def __repr__(self) -> str:
        return f"{self.array.name}.tiled_view({self.tile_shape})"

    def __dir__(self):
        return ["dtype", "tile_shape", "traversal_steps", *(name for owner, name in METHODS if owner == "view")]


def method_of(owner: str, value: Any, name: str):
    """The op that `value.name(...)` means, bound to `value`."""
    op = METHODS.get((owner, name))
    if op is None:
        raise AttributeError(f"{'an' if owner == 'array' else 'a'} {owner} has no attribute {name!r}", name=name, obj=value)
    return BoundOp(op, value)


class BoundOp(NamedTuple):
    """A method of a tile, array or view."""

    op: Any
    receiver: Any

    def __call__(self, *args, **kwargs):
        return self.op(self.receiver, *args, **kwargs)


def lift(value: Any) -> Any:
    """A NumPy scalar, which has a dtype, as the strictly typed scalar it means; other values as they are."""
    if isinstance(value, np.generic):
        dtype = as_dtype(value.dtype)
        return value if dtype is None else TileValue(dtype, value)
    return value


def is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float)) and not isinstance(value, np.generic)


def strict(value: Any) -> Any:
    """A constant as a run-time value of its own dtype (int32, float32, bool_); tuples item by item."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(strict(item) for item in value)
    if type(value) in (bool, int, float):
        dtype = types.own_dtype(value)
        return TileValue(dtype, convert(value, dtype), True)
    return value
