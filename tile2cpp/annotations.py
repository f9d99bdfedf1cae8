"""Marks that an author puts on kernel parameters, inside `typing.Annotated` or by the short names of `ct`.

    x: ct.IndexedWithInt64
    w: Annotated[ct.Array, ct.ArrayAnnotation(static_shape_dims=(0,), static_stride_dims=(-1,))]
    xs: Annotated[list, ct.ListAnnotation(element=ct.ArrayAnnotation(index_dtype=ct.int64))]
    n: ct.ScalarInt64
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeVar

from tile2cpp import dtypes
from tile2cpp.dtypes import DType

T = TypeVar("T")


@dataclass(frozen=True)
class ConstantAnnotation:
    """The parameter's value is known at compile time."""


@dataclass(frozen=True)
class ArrayAnnotation:
    """How an array is seen: in which dtype its extents and strides are, and which of them are compile-time constants.

    Negative dimensions count from the last one.
    """

    index_dtype: DType = dtypes.int32
    static_shape_dims: tuple[int, ...] = ()
    static_stride_dims: tuple[int, ...] = ()

    def __post_init__(self):
        found = dtypes.as_dtype(self.index_dtype)
        if found not in (dtypes.int32, dtypes.int64):
            raise ValueError(f"index_dtype must be int32 or int64, not {self.index_dtype!s}")
        object.__setattr__(self, "index_dtype", found)
        for name in ("static_shape_dims", "static_stride_dims"):
            dims = getattr(self, name)
            if type(dims) is not tuple or not all(type(d) is int for d in dims):
                raise TypeError(f"{name} must be a tuple of ints, not {dims!r}")


@dataclass(frozen=True)
class ListAnnotation:
    """The same for every array of a list."""

    element: ArrayAnnotation

    def __post_init__(self):
        if not isinstance(self.element, ArrayAnnotation):
            raise TypeError(f"the element of a ListAnnotation is an ArrayAnnotation, not {self.element!r}")


@dataclass(frozen=True)
class ScalarAnnotation:
    """Python ints take this dtype in place of int32."""

    dtype: DType = dtypes.int32


class Array:
    """Type hint of a kernel's array parameter."""


IndexedWithInt64 = Annotated[Array, ArrayAnnotation(index_dtype=dtypes.int64)]
ScalarInt64 = Annotated[T, ScalarAnnotation(dtypes.int64)]
