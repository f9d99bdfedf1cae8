"""Modules of the package `cuda.tile` that are not public, and that programs import from all the same.

Each of them answers with the public object of that name, or with the one that an older
name means; a few ask what programs need to know before they launch: which versions there
are, what kind a dtype is of. What only the package itself needs is not here.
"""

from __future__ import annotations

import enum
from types import ModuleType
from typing import Any

from tile2cpp import lang
from tile2cpp.compilation import CallingConvention
from tile2cpp.directives import static_def
from tile2cpp.dtypes import DType, as_dtype
from tile2cpp.errors import Diagnostic, NoDeviceMeaning, TileUnsupportedFeatureError
from tile2cpp.types import is_implicit

NAMES = ("_bytecode", "_bytecode.version", "_compile", "_ir", "_ir.cast_ops", "_ir.ops_utils", "_ir.typing_support", "_by_target", "_cext", "_context", "_datatype", "_exception", "_execution", "_memory_model", "_numeric_semantics", "_stub", "_version")

# Names of the package's own for public objects.
SYNONYMS = {
    "TileDispatcher": "kernel",
    "UnsupportedSyntaxError": "TileSyntaxError",
    "TypeCheckingError": "TileTypeError",
    "RecursionLimitError": "TileRecursionError",
    "InvalidValueError": "TileValueError",
    "UnsupportedFeatureError": "TileUnsupportedFeatureError",
    "InternalError": "TileInternalError",
    "InternalCompilerError": "TileInternalError",
    "TileCompilerError": "TileInternalError",
    "StaticEvalError": "TileStaticEvalError",
    "StaticAssertionError": "TileStaticAssertionError",
    "CompilerExecutionError": "TileCompilerExecutionError",
    "CompilerTimeoutError": "TileCompilerTimeoutError",
}


class StandIn(ModuleType):
    """A module whose names are those of `tile2cpp.lang`."""

    def __getattr__(self, name: str) -> Any:
        value = OWN[name] if name in OWN else getattr(lang, SYNONYMS.get(name, name), None)
        if value is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        setattr(self, name, value)
        return value


class _Config:
    """The settings of `default_tile_context`: how long a compiler may take."""

    @property
    def compiler_timeout_sec(self) -> float | None:
        from tile2cpp.build import process

        return process.time_limit()

    @compiler_timeout_sec.setter
    def compiler_timeout_sec(self, seconds: float | None) -> None:
        from tile2cpp.build import process

        process.set_time_limit(seconds)


class _Context:
    config = _Config()
    autotune_cache = None


def get_compute_capability(device_id: int = 0) -> tuple[int, int]:
    """The GPU's compute capability, such as (9, 0)."""
    from tile2cpp.launch import cupy

    cupy.require_device()
    return divmod(cupy.capability(device_id), 10)


class BytecodeVersion(enum.IntEnum):
    """The versions of the language that programs ask for, so that they leave out what an older one lacks."""

    V_13_1 = 130100
    V_13_2 = 130200
    V_13_3 = 130300
    V_13_4 = 130400

    def major(self) -> int:
        return self.value // 10000

    def minor(self) -> int:
        return self.value // 100 % 100

    def as_string(self) -> str:
        return f"{self.major()}.{self.minor()}"


def _newest_version(temp_dir: str = "", allow_dev: bool = False) -> BytecodeVersion:
    """All that the versions have is here, whatever tools are installed."""
    return max(BytecodeVersion)


def get_sm_arch(device_id: int = 0) -> str:
    """The GPU's architecture, such as "sm_90"."""
    return "sm_{}{}".format(*get_compute_capability(device_id))


def _no_text(bytecode: bytes) -> str:
    raise TileUnsupportedFeatureError(Diagnostic("tile2cpp writes CUDA Tile C++, and reads no Tile IR", hints=("kernel.source(...) is the text of a kernel",), kind=TileUnsupportedFeatureError))


def to_dtype(name: Any) -> DType:
    """The dtype that one of another library means."""
    dtype = as_dtype(name)
    if dtype is None:
        raise TypeError(f"{name} is not a dtype")
    return dtype


def foreign_pointer_pointee_dtype(dtype: DType) -> DType:
    return dtype.pointee


VERSIONS = {
    "BytecodeVersion": BytecodeVersion, "_SUPPORTED_VERSIONS": list(BytecodeVersion), "_get_max_supported_bytecode_version": _newest_version,
    "get_sm_arch": get_sm_arch, "dev_features_enabled": lambda: False, "cconv_v3_enabled": lambda: False, "_bytecode_to_mlir_text": _no_text,
}  # fmt: skip
DTYPES = {
    "to_dtype": to_dtype, "_is_implicit_cast_ok": is_implicit, "foreign_pointer_pointee_dtype": foreign_pointer_pointee_dtype,
    "is_numeric": lambda dtype: dtype.kind != "pointer", "is_foreign_pointer_dtype": lambda dtype: dtype.kind == "pointer",
    "is_pointer_dtype": lambda dtype: False,  # the language shows no other pointers
    "is_integral": lambda dtype: dtype.is_integral, "is_float": lambda dtype: dtype.is_floating, "is_signed": lambda dtype: dtype.is_signed,
    "is_boolean": lambda dtype: dtype.kind == "bool", "is_arithmetic": lambda dtype: dtype.is_arithmetic,
}  # fmt: skip

OWN = VERSIONS | DTYPES | {"default_tile_context": _Context(), "get_compute_capability": get_compute_capability, "UnsupportedCallError": NoDeviceMeaning, "static_def": static_def, "CallingConvention": CallingConvention}


# Every stand-in by its name within `cuda.tile`.
MODULES = {name: StandIn(f"cuda.tile.{name}", "Names of tile2cpp.lang, as cuda.tile has them here.") for name in NAMES}
