"""What a kernel compiled ahead of time may take: a constraint for each parameter, and how arguments are passed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, Union

from tile2cpp import dtypes
from tile2cpp.dtypes import DType
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, Fixed, Kind, constant, fail
from tile2cpp.types import Array, ArrayList, Extent, Tile

ConstantValue = Union[bool, int, float]


@dataclass(frozen=True)
class CallingConvention:
    """How a kernel's arguments are passed, and how its symbol is named."""

    name: str

    @classmethod
    def cutile_python_v1(cls) -> "CallingConvention":
        return cls("cutile_python_v1")

    @classmethod
    def cutile_python_v2(cls) -> "CallingConvention":
        """With tuples and constant extents."""
        return cls("cutile_python_v2")

    @classmethod
    def from_code(cls, code: str) -> "CallingConvention":
        """The convention that a mangled name's code means."""
        if code not in ("t1", "t2"):
            raise ValueError(f"Unknown calling convention code '{code}'")
        return cls(f"cutile_python_v{code[1:]}")

    @property
    def version(self) -> int:
        return int(self.name.rpartition("_v")[2])

    @property
    def code(self) -> str:
        return f"t{self.version}"


@dataclass(frozen=True)
class ScalarConstraint:
    """A scalar of a dtype."""

    dtype: DType

    def kind(self) -> Tile:
        return Tile(_dtype(self.dtype))


@dataclass(frozen=True)
class ConstantConstraint:
    """The value of a `Constant` parameter."""

    value: ConstantValue

    def kind(self) -> Fixed:
        return constant("a constant", self.value)


@dataclass(frozen=True)
class ArrayConstraint:
    """An array, and what is promised of it. Numbers count elements; one number for all axes, or one for each."""

    dtype: DType
    ndim: int
    index_dtype: DType = dtypes.int32
    stride_lower_bound_incl: Sequence[int | None] | int | None = 0
    alias_groups: Sequence[str] = ()
    may_alias_internally: bool = False
    stride_constant: Sequence[int | None] | None = None
    shape_constant: Sequence[int | None] | None = None
    stride_divisible_by: Sequence[int] | int = 1
    shape_divisible_by: Sequence[int] | int = 1
    base_addr_divisible_by: int = 1

    def kind(self) -> Array:
        dtype, rank = _dtype(self.dtype), self.ndim
        if self.alias_groups:
            raise fail(ArgumentValueError, "arrays of one kernel must not overlap, so alias_groups must be empty")
        if any(bound is None or bound < 0 for bound in self.for_axes("stride_lower_bound_incl")):
            raise fail(ArgumentValueError, "the tile language has no negative strides", "pass stride_lower_bound_incl=0")
        wide = _dtype(self.index_dtype) == dtypes.int64
        extents, strides = self._extents("shape"), self._extents("stride")
        is_contiguous = rank == 0 or (rank == 1 and strides[0].value == 1)
        alignment = max(dtype.bytes, _power(self.base_addr_divisible_by))
        return Array(dtype, extents, None if is_contiguous else strides, alignment, wide, wide)

    def _extents(self, what: str) -> tuple[Extent, ...]:
        known, factors = self.for_axes(f"{what}_constant"), self.for_axes(f"{what}_divisible_by")
        return tuple(Extent(divisor=_power(f)) if k is None else Extent(k) for k, f in zip(known, factors))

    def for_axes(self, name: str) -> tuple:
        """What is promised of each axis, where one number may stand for all."""
        value = getattr(self, name)
        if value is None or isinstance(value, int):
            return (value,) * self.ndim
        if len(value) != self.ndim:
            raise fail(ArgumentValueError, f"{name} has {len(value)} items for an array of rank {self.ndim}")
        return tuple(value)


@dataclass(frozen=True)
class ListConstraint:
    """A list of arrays."""

    element: ArrayConstraint
    alias_groups: Sequence[str] = ()
    elements_may_alias: bool = False

    def kind(self) -> ArrayList:
        return ArrayList(self.element.kind())


@dataclass(frozen=True)
class TupleConstraint:
    """A tuple, item by item."""

    items: tuple

    def kind(self) -> tuple:
        return tuple(map(kind_of, self.items))


@dataclass(frozen=True)
class Inferred:
    """What an example argument was found to be."""

    found: Kind

    def kind(self) -> Kind:
        return self.found


ParameterConstraint = Union[ScalarConstraint, ArrayConstraint, ListConstraint, TupleConstraint, ConstantConstraint]


def kind_of(constraint: Any) -> Kind:
    """The type that tile2cpp knows such a parameter by."""
    if isinstance(constraint, tuple):
        return TupleConstraint(constraint).kind()
    if isinstance(constraint, (bool, int, float)):
        return ConstantConstraint(constraint).kind()
    if not hasattr(constraint, "kind"):
        raise fail(ArgumentTypeError, f"{constraint!r} describes no parameter", "use ScalarConstraint, ArrayConstraint, ListConstraint, TupleConstraint or a constant")
    return constraint.kind()


def described(parameter: Any) -> ParameterConstraint:
    """The constraint that a parameter of a signature stands for."""
    match parameter:
        case tuple():
            return TupleConstraint(parameter)
        case bool() | int() | float():
            return ConstantConstraint(parameter)
        case Inferred(found=Array() as array):
            return _described_array(array)
        case Inferred(found=ArrayList() as arrays):
            return ListConstraint(_described_array(arrays.element))
        case Inferred(found=tuple(items)):
            return TupleConstraint(tuple(described(Inferred(item)) for item in items))
        case Inferred(found=Tile() as tile):
            return ScalarConstraint(tile.dtype)
        case Inferred(found=Fixed() as fixed):
            return ConstantConstraint(fixed.value)
    return parameter


def _described_array(array: Array) -> ArrayConstraint:
    strides = array.strides if array.strides is not None else (Extent(1),) * array.ndim
    return ArrayConstraint(
        array.dtype, array.ndim, dtypes.int64 if array.wide else dtypes.int32, base_addr_divisible_by=array.alignment,
        shape_constant=tuple(e.value for e in array.extents), shape_divisible_by=tuple(1 if e.value is not None else e.divisor for e in array.extents),
        stride_constant=tuple(s.value for s in strides), stride_divisible_by=tuple(1 if s.value is not None else s.divisor for s in strides),
    )  # fmt: skip


def _dtype(value: Any) -> DType:
    found = dtypes.as_dtype(value)
    if found is None:
        raise fail(ArgumentTypeError, f"{value!r} is no dtype")
    return found


def _power(factor: int) -> int:
    """The largest power of two up to 16 that divides a promised factor."""
    return min(16, factor & -factor) or 1
