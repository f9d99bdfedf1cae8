"""The element types: one table with everything the rest of tile2cpp knows about them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any


@dataclass(frozen=True)
class DType:
    """An element type of tiles and arrays, such as `ct.float32`.

    `short` is its name in signatures, `kind` one of bool, int, uint, float,
    restricted (storage and matrix products only) and pointer, `bits` its size in memory,
    `cpp` its spelling in the emitted file and `header` what that spelling needs.
    """

    name: str
    short: str
    kind: str
    bits: int
    cpp: str
    header: str = ""
    storage: str = ""  # NumPy's (or ml_dtypes') name where it differs

    def __repr__(self) -> str:
        return self.name

    __str__ = __repr__

    def __call__(self, value=0):
        """Tile code: `ct.float16(x)` makes a scalar of this dtype. On the host there are no such scalars."""
        raise RuntimeError(f"ct.{self.name}(...) is only available inside a kernel")

    def __reduce__(self):
        """Copies, and what another process sends, are the object of the table."""
        return _of_name, (self.name,)

    @property
    def __name__(self) -> str:
        return self.name

    @property
    def bitwidth(self) -> int:
        return self.bits

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    @cached_property
    def numpy(self):
        """The NumPy dtype that holds these elements; extended types come from ml_dtypes."""
        import numpy

        name = self.storage or self.name
        if hasattr(numpy, name):
            return numpy.dtype(name)
        import ml_dtypes

        return numpy.dtype(getattr(ml_dtypes, name))

    @property
    def is_integral(self) -> bool:
        return self.kind in ("int", "uint")

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_floating(self) -> bool:
        """Whether its elements are floating numbers, restricted ones included."""
        return self.kind in ("float", "restricted")

    @property
    def is_signed(self) -> bool:
        return self.kind in ("int", "float")

    @property
    def is_arithmetic(self) -> bool:
        return self.kind not in ("restricted", "pointer")

    def range(self) -> tuple[int, int]:
        """Smallest and largest value of an integral type."""
        if self.kind == "bool":
            return 0, 1
        if self.kind == "uint":
            return 0, 2**self.bits - 1
        return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1


@dataclass(frozen=True, repr=False)
class ForeignPointer(DType):
    """The address of elements of type `pointee`: it is handed on, and made an array of again; it is no number."""

    pointee: DType | None = None

    @property
    def numpy(self):
        """What the interpreter keeps for an address: an object, which knows the array behind it."""
        import numpy

        return numpy.dtype(object)

    def __reduce__(self):
        return foreign_pointer_dtype, (self.pointee,)


@lru_cache(maxsize=None)
def foreign_pointer_dtype(dtype: Any) -> ForeignPointer:
    """The dtype of `array.foreign_pointer` for arrays of `dtype`: always the same object for the same elements."""
    pointee = as_dtype(dtype)
    if pointee is None:
        raise TypeError(f"foreign_pointer_dtype takes a dtype such as ct.float32, not {dtype!r}")
    if pointee.kind == "pointer":
        raise TypeError(f"nested foreign pointer dtypes are not supported: foreign_pointer_dtype takes the dtype of an array's elements, not {pointee}")
    if pointee is not dtype:  # NumPy's name for it
        return foreign_pointer_dtype(pointee)
    return ForeignPointer(f"foreign_pointer[{pointee}]", f"pointer_{pointee.short}", "pointer", 64, f"{pointee.cpp}*", pointee.header, pointee=pointee)


TABLE = tuple(
    DType(*row)
    for row in (
        ("bool_", "bool", "bool", 8, "bool"),
        ("int8", "i8", "int", 8, "signed char"),
        ("int16", "i16", "int", 16, "short"),
        ("int32", "i32", "int", 32, "int"),
        ("int64", "i64", "int", 64, "long long"),
        ("uint8", "u8", "uint", 8, "unsigned char"),
        ("uint16", "u16", "uint", 16, "unsigned short"),
        ("uint32", "u32", "uint", 32, "unsigned"),
        ("uint64", "u64", "uint", 64, "unsigned long long"),
        ("float16", "f16", "float", 16, "__half", "cuda_fp16.h"),
        ("bfloat16", "bf16", "float", 16, "__nv_bfloat16", "cuda_bf16.h"),
        ("float32", "f32", "float", 32, "float"),
        ("float64", "f64", "float", 64, "double"),
        ("tfloat32", "tf32", "restricted", 32, "__nv_tf32", "cuda_tf32.h", "float32"),
        ("float8_e4m3fn", "e4m3", "restricted", 8, "__nv_fp8_e4m3", "cuda_fp8.h"),
        ("float8_e5m2", "e5m2", "restricted", 8, "__nv_fp8_e5m2", "cuda_fp8.h"),
        ("float8_e8m0fnu", "e8m0", "restricted", 8, "__nv_fp8_e8m0", "cuda_fp8.h"),
        ("float8_e5m3fnu", "ue5m3", "restricted", 8, "__nv_fp8_ue5m3", "cuda_fp8.h", "float32"),
        ("float4_e2m1fn", "e2m1", "restricted", 4, "__nv_fp4_e2m1", "cuda_fp4.h"),
    )
)

BY_NAME = {d.name: d for d in TABLE} | {"bool": TABLE[0]}
BY_SHORT = {d.short: d for d in TABLE} | {d.name: d for d in TABLE}

(
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float16, bfloat16, float32, float64, tfloat32, float8_e4m3fn, float8_e5m2,
    float8_e8m0fnu, float8_e5m3fnu, float4_e2m1fn,
) = TABLE  # fmt: skip


def _of_name(name: str) -> DType:
    return BY_NAME[name]


def as_dtype(value: Any) -> DType | None:
    """`value` as a `DType`: one of ours, NumPy's, torch's, or None when it is no dtype at all."""
    if isinstance(value, DType):
        return value
    if value is bool:
        return bool_
    module = type(value).__module__.partition(".")[0]
    if isinstance(value, type):
        module = value.__module__.partition(".")[0]
        name = value.__name__
    elif module == "torch":
        name = str(value).rpartition(".")[2]
    else:
        name = getattr(value, "name", "")
    if module not in ("numpy", "torch", "ml_dtypes", "jax", "jaxlib", "cupy"):
        return None
    return BY_NAME.get(name)
