"""Compiling ahead of time by described arguments, as `cuda.tile.compilation` does.

    signature = KernelSignature(
        [ArrayConstraint(ct.float32, 1, index_dtype=ct.int32, stride_lower_bound_incl=0, alias_groups=[], may_alias_internally=False), 256],
        CallingConvention.cutile_python_v2(),
    )
    export_kernel(kernel, [signature], "kernel.cubin", gpu_code="sm_90", output_format="cubin")

The exported function takes an array as its pointer, all extents and all strides, a tuple
as its items, a scalar as itself, and no constants. A list is passed as this package's own
tables (see `tile2cpp.export`, which writes them down). A block has as many threads as the
function's maximum (CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), not one; kernels with large
products also want dynamic shared memory, whose size `kernel.compile(...)` tells.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import IO, Any, Iterator, Sequence, Union

from tile2cpp import dtypes
from tile2cpp.dtypes import DType
from tile2cpp.emitted import Emitted, Parameter
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, Fixed, Kind, Signature, constant, fail, leaves
from tile2cpp.types import Array, ArrayList, Extent, Tile

__all__ = [
    "ScalarConstraint", "ArrayConstraint", "ListConstraint", "TupleConstraint", "ConstantConstraint", "ParameterConstraint", "ConstantValue",
    "KernelSignature", "CallingConvention", "export_kernel",
]  # fmt: skip

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
        if any(bound is None or bound < 0 for bound in self._for_axes(self.stride_lower_bound_incl, "stride_lower_bound_incl")):
            raise fail(ArgumentValueError, "the tile language has no negative strides", "pass stride_lower_bound_incl=0")
        wide = _dtype(self.index_dtype) == dtypes.int64
        extents = self._extents(self.shape_constant, self.shape_divisible_by, "shape")
        strides = self._extents(self.stride_constant, self.stride_divisible_by, "stride")
        is_contiguous = rank == 0 or (rank == 1 and strides[0].value == 1)
        alignment = max(dtype.bytes, _power(self.base_addr_divisible_by))
        return Array(dtype, extents, None if is_contiguous else strides, alignment, wide, wide)

    def _extents(self, constants, divisors, what: str) -> tuple[Extent, ...]:
        known = self._for_axes(constants, f"{what}_constant")
        factors = self._for_axes(divisors, f"{what}_divisible_by")
        return tuple(Extent(divisor=_power(f)) if k is None else Extent(k) for k, f in zip(known, factors))

    def _for_axes(self, value: Any, name: str) -> tuple:
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
        return tuple(map(_kind, self.items))


@dataclass(frozen=True)
class _Inferred:
    """What an example argument was found to be."""

    found: Kind

    def kind(self) -> Kind:
        return self.found


ParameterConstraint = Union[ScalarConstraint, ArrayConstraint, ListConstraint, TupleConstraint, ConstantConstraint]


@dataclass(frozen=True)
class KernelSignature:
    """One constraint for each parameter of the Python function; plain numbers are constants, plain tuples are tuples."""

    parameters: Sequence[Any]
    calling_convention: CallingConvention
    symbol: str | None = None

    def with_symbol(self, symbol: str | None) -> "KernelSignature":
        return replace(self, symbol=symbol)

    def with_mangled_symbol(self, function_name: str) -> "KernelSignature":
        """The same with a symbol made of the name and of what the signature says."""
        digest = hashlib.sha256(repr([*map(_kind, self.parameters), self.calling_convention.name]).encode()).hexdigest()
        return self.with_symbol(f"{function_name}_{digest[:12]}")

    @staticmethod
    def from_kernel_args(kernel: Any, kernel_args: Sequence[Any], calling_convention: CallingConvention, *, symbol: str | None = None) -> "KernelSignature":
        """The signature that a launch with these arguments has; what happens to hold for them becomes a promise."""
        found = kernel.signature_of(tuple(kernel_args))
        made = KernelSignature(tuple(map(_Inferred, found.types)), calling_convention, symbol)
        return made if symbol else made.with_mangled_symbol(kernel.__name__)

    def signature(self, kernel: Any) -> Signature:
        """As tile2cpp has it."""
        if len(self.parameters) != len(kernel.names):
            raise fail(ArgumentTypeError, f"`{kernel.__name__}` has {len(kernel.names)} parameters, but the signature has {len(self.parameters)}")
        kinds = tuple(map(_kind, self.parameters))
        for name, kind, rule in zip(kernel.names, kinds, kernel.rules):
            if rule.constant != all(False for _ in leaves(kind)) and (rule.constant or isinstance(kind, Fixed)):
                raise fail(ArgumentTypeError, f"parameter `{name}` of `{kernel.__name__}` is {'a' if rule.constant else 'no'} constant")
        return Signature(kernel.names, kinds)


def _kind(constraint: Any) -> Kind:
    if isinstance(constraint, tuple):
        return TupleConstraint(constraint).kind()
    if isinstance(constraint, (bool, int, float)):
        return ConstantConstraint(constraint).kind()
    if not hasattr(constraint, "kind"):
        raise fail(ArgumentTypeError, f"{constraint!r} describes no parameter", "use ScalarConstraint, ArrayConstraint, ListConstraint, TupleConstraint or a constant")
    return constraint.kind()


def _dtype(value: Any) -> DType:
    found = dtypes.as_dtype(value)
    if found is None:
        raise fail(ArgumentTypeError, f"{value!r} is no dtype")
    return found


def _power(factor: int) -> int:
    """The largest power of two up to 16 that divides a promised factor."""
    return min(16, factor & -factor) or 1


def export_kernel(
    kernel: Any, signatures: Sequence[KernelSignature], output_file: IO | str | bytes | os.PathLike, *,
    gpu_code: str | None = None, output_format: str, bytecode_version: str | None = None,
) -> None:  # fmt: skip
    """Compile a kernel for a signature and write it to a file.

    `output_format` is "cubin", for the GPU `gpu_code` such as "sm_90"; "ptx"; "source", the
    reviewed file; or "tileir_bytecode", which NVIDIA's compiler makes.
    """
    if not signatures:
        raise fail(ArgumentValueError, "a kernel is exported for at least one signature")
    if len(signatures) > 1:
        raise fail(ArgumentValueError, f"a file holds the kernel for one signature, but {len(signatures)} were given", "call export_kernel once for each")
    data = _exported(kernel, signatures[0], gpu_code, output_format)
    if hasattr(output_file, "write"):
        output_file.write(data)
    else:
        with open(output_file, "wb") as file:
            file.write(data)


def _exported(kernel: Any, described: KernelSignature, gpu_code: str | None, form: str) -> bytes:
    from tile2cpp.build import nvidia, nvrtc
    from tile2cpp.launch import prepare

    if form not in ("cubin", "ptx", "source", "tileir_bytecode"):
        raise fail(ArgumentValueError, f"there is no output format {form!r}", "the formats are cubin, ptx, source and tileir_bytecode")
    signature = described.signature(kernel)
    target = prepare.target_number(gpu_code or ("sm_90" if form in ("source", "tileir_bytecode") else None))
    emitted = prepare.emit(kernel, signature, target)
    if form == "source":
        return emitted.text.encode()
    if form == "tileir_bytecode":
        return nvidia.bytecode(emitted, target).binary.read_bytes()
    symbol = described.symbol or described.with_mangled_symbol(kernel.__name__).symbol
    return nvrtc.compile(emitted, target, form=form, symbol=symbol, declared=tuple(_declared(emitted, signature))).binary.read_bytes()


def _declared(emitted: Emitted, signature: Signature) -> Iterator[str]:
    """The entry's parameters by the calling convention: those that the kernel has no use for stand there without a name."""
    from tile2cpp.build.entry import declaration

    known: dict[tuple, list[Parameter]] = {}
    for parameter in emitted.parameters:
        known.setdefault((parameter.argument, parameter.path), []).append(parameter)
    for argument, kind in enumerate(signature.types):
        for path, leaf in leaves(kind):
            parameters = known.get((argument, path), [])
            if not isinstance(leaf, Array):
                yield from map(declaration, parameters)
                continue
            named = {(p.role, p.axis): declaration(p) for p in parameters}
            yield named["pointer", 0]
            for role, dtype in (("extent", leaf.index_dtype), ("stride", leaf.index_dtype)):
                yield from (named.get((role, axis), dtype.cpp) for axis in range(leaf.ndim))
