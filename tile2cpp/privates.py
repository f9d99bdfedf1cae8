"""What programs ask the private modules of `cuda.tile` for: questions about dtypes, about versions and about the GPU.

These are tests and tools written for cuTile. They skip what an old compiler lacks, compute
what a conversion will do, or name the GPU; the answers here are those of this package.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Sequence

from tile2cpp import dtypes
from tile2cpp.directives import static_def
from tile2cpp.dtypes import DType
from tile2cpp.errors import Diagnostic, NoDeviceMeaning, Reject, TileUnsupportedFeatureError
from tile2cpp.types import is_implicit
from tile2cpp.types import promote_dtypes as promote


class BytecodeVersion(enum.IntEnum):
    """Versions of the format that cuTile's compiler reads: what any of them can do, this package can."""

    V_13_1 = 130100
    V_13_2 = 130200
    V_13_3 = 130300
    V_13_4 = 130400

    def major(self) -> int:
        return self // 10000

    def minor(self) -> int:
        return self // 100 % 100

    def tag(self) -> int:
        return self % 100

    def as_string(self) -> str:
        return f"{self.major()}.{self.minor()}" + (f".{self.tag()}" if self.tag() else "")


SUPPORTED_VERSIONS = list(BytecodeVersion)


def newest_version(temp_dir: str = "", allow_dev: bool = False) -> BytecodeVersion:
    """The newest version that can be asked for."""
    return SUPPORTED_VERSIONS[-1]


@dataclass(frozen=True)
class CompilerOptions:
    """The hints of `kernel`, and what they are where nobody says."""

    num_ctas: Any = None
    occupancy: Any = None
    opt_level: Any = 3
    num_worker_warps: Any = None


# --- dtypes -------------------------------------------------------------------------


class NumericDTypeCategory(enum.IntEnum):
    Boolean = 0
    Integral = 1
    Float = 2
    RestrictedFloat = 3


CATEGORIES = {
    "bool": NumericDTypeCategory.Boolean, "int": NumericDTypeCategory.Integral, "uint": NumericDTypeCategory.Integral,
    "float": NumericDTypeCategory.Float, "restricted": NumericDTypeCategory.RestrictedFloat,
}  # fmt: skip


def to_dtype(value: Any) -> DType:
    """A dtype of ours, of NumPy or of torch."""
    found = dtypes.as_dtype(value)
    if found is None:
        raise TypeError(f"Unsupported dtype: {value!r}")
    return found


def numeric_dtype_category(dtype: DType) -> NumericDTypeCategory:
    if dtype.kind not in CATEGORIES:
        raise ValueError(f"{dtype} is not a numeric dtype")
    return CATEGORIES[dtype.kind]


def promote_dtypes(x: DType, y: DType) -> DType:
    """The dtype that both convert to; raises where there is none."""
    try:
        return promote(x, y)
    except Reject as reject:
        raise reject.kind(f"{reject.why}\n  = in cuTile: {reject.known_as}") from None


def _is_kind(*kinds: str):
    return lambda dtype: dtype.kind in kinds


# --- translating --------------------------------------------------------------------


def format_sm_arch(major: int, minor: int) -> str:
    return f"sm_{major}{minor}"


def get_compute_capability(device_id: int = 0) -> tuple[int, int]:
    """The GPU's compute capability, such as (9, 0)."""
    from tile2cpp.launch import cupy

    cupy.require_device()
    return divmod(cupy.capability(device_id), 10)


def get_sm_arch(device_id: int = 0) -> str:
    return format_sm_arch(*get_compute_capability(device_id))


def compile_tile(function: Any, signatures: Sequence[Any], sm_arch: str | None = None, *args, return_final_ir: bool = False, **options) -> Any:
    """The emitted file for each signature, as `.sources`; a mistake in the kernel is raised. There is no IR of cuTile's."""
    from tile2cpp.jit import kernel
    from tile2cpp.launch import prepare

    made = function if isinstance(function, kernel) else kernel(function)
    target = prepare.target_number(sm_arch) if sm_arch else None
    sources = [prepare.emit(made, signature.signature(made), target).text for signature in signatures]
    if return_final_ir:
        raise _not_ours("Tile IR")
    return SimpleNamespace(sources=sources)


def _bytecode_to_mlir_text(bytecode: bytes, **options) -> str:
    raise _not_ours("disassembler of Tile IR")


def _not_ours(what: str) -> TileUnsupportedFeatureError:
    message = f"tile2cpp writes CUDA Tile C++, and has no {what}"
    return TileUnsupportedFeatureError(Diagnostic(message, hints=("kernel.source(...) is the text of a kernel",), kind=TileUnsupportedFeatureError))


NAMES = {
    "BytecodeVersion": BytecodeVersion, "_SUPPORTED_VERSIONS": SUPPORTED_VERSIONS, "_get_max_supported_bytecode_version": newest_version,
    "dev_features_enabled": lambda: False, "cconv_v3_enabled": lambda: False,
    "CompilerOptions": CompilerOptions, "compile_tile": compile_tile, "_bytecode_to_mlir_text": _bytecode_to_mlir_text,
    "format_sm_arch": format_sm_arch, "get_sm_arch": get_sm_arch, "get_compute_capability": get_compute_capability,
    "to_dtype": to_dtype, "promote_dtypes": promote_dtypes, "_is_implicit_cast_ok": is_implicit, "can_autocast_dtypes": is_implicit,
    "NumericDTypeCategory": NumericDTypeCategory, "numeric_dtype_category": numeric_dtype_category,
    "default_int_type": dtypes.int32, "default_float_type": dtypes.float32,
    "_DTypePromotionImpl": SimpleNamespace(_order=list(dtypes.TABLE)),
    "is_boolean": _is_kind("bool"), "is_integral": _is_kind("int", "uint"), "is_signed": _is_kind("int", "float", "restricted"),
    "is_float": _is_kind("float", "restricted"), "is_unrestricted_float": _is_kind("float"), "is_restricted_float": _is_kind("restricted"),
    "is_arithmetic": _is_kind("bool", "int", "uint", "float"), "is_numeric": lambda dtype: dtype.kind in CATEGORIES,
    "is_pointer_dtype": lambda dtype: False,  # the language shows no pointers but foreign ones
    "is_foreign_pointer_dtype": _is_kind("pointer"), "foreign_pointer_pointee_dtype": lambda dtype: dtype.pointee, "static_def": static_def,
    "UnsupportedCallError": NoDeviceMeaning,
}  # fmt: skip
