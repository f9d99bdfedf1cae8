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
from typing import IO, Any, Iterator, Sequence

from tile2cpp import mangling
from tile2cpp.constraints import (
    ArrayConstraint, CallingConvention, ConstantConstraint, ConstantValue, Inferred, ListConstraint, ParameterConstraint, ScalarConstraint, TupleConstraint, kind_of,
)  # fmt: skip
from tile2cpp.emitted import Emitted, Parameter
from tile2cpp.signature import ArgumentTypeError, ArgumentValueError, Fixed, Signature, fail, leaves
from tile2cpp.types import Array

__all__ = [
    "ScalarConstraint", "ArrayConstraint", "ListConstraint", "TupleConstraint", "ConstantConstraint", "ParameterConstraint", "ConstantValue",
    "KernelSignature", "CallingConvention", "export_kernel", "mangle_kernel_name", "demangle_kernel_name",
]  # fmt: skip


@dataclass(frozen=True)
class KernelSignature:
    """One constraint for each parameter of the Python function; plain numbers are constants, plain tuples are tuples."""

    parameters: Sequence[Any]
    calling_convention: CallingConvention
    symbol: str | None = None

    def with_symbol(self, symbol: str | None) -> "KernelSignature":
        return replace(self, symbol=symbol)

    def with_mangled_symbol(self, function_name: str) -> "KernelSignature":
        """The same with a symbol made of the name and of what the signature says; what symbols have no words for becomes a number."""
        try:
            return self.with_symbol(mangle_kernel_name(function_name, self))
        except (TypeError, ValueError):
            digest = hashlib.sha256(repr([*map(kind_of, self.parameters), self.calling_convention.name]).encode()).hexdigest()
            return self.with_symbol(f"{function_name}_{digest[:12]}")

    @staticmethod
    def from_kernel_args(kernel: Any, kernel_args: Sequence[Any], calling_convention: CallingConvention, *, symbol: str | None = None) -> "KernelSignature":
        """The signature that a launch with these arguments has; what happens to hold for them becomes a promise."""
        found = kernel.signature_of(tuple(kernel_args))
        made = KernelSignature(tuple(map(Inferred, found.types)), calling_convention, symbol)
        return made if symbol else made.with_mangled_symbol(kernel.__name__)

    def signature(self, kernel: Any) -> Signature:
        """As tile2cpp has it."""
        if len(self.parameters) != len(kernel.names):
            raise fail(ArgumentTypeError, f"`{kernel.__name__}` has {len(kernel.names)} parameters, but the signature has {len(self.parameters)}")
        kinds = tuple(map(kind_of, self.parameters))
        for name, kind, rule in zip(kernel.names, kinds, kernel.rules):
            if rule.constant != all(False for _ in leaves(kind)) and (rule.constant or isinstance(kind, Fixed)):
                raise fail(ArgumentTypeError, f"parameter `{name}` of `{kernel.__name__}` is {'a' if rule.constant else 'no'} constant")
        return Signature(kernel.names, kinds)


def mangle_kernel_name(function_name: str, kernel_signature: KernelSignature) -> str:
    """The symbol of a kernel for a signature, as cuTile writes it."""
    return mangling.mangled(function_name, kernel_signature.parameters, kernel_signature.calling_convention)


def demangle_kernel_name(symbol: str) -> tuple[str, KernelSignature]:
    """The function's name and the signature that a symbol tells."""
    name, parameters, convention = mangling.demangled(symbol)
    return name, KernelSignature(parameters, convention, symbol)


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
