"""Modules of the package `cuda.tile` that are not public, and that programs import from all the same.

Each of them answers with the public object of that name, with the one that an older name
means, or with an answer of `privates`. What only the package itself needs is not here.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tile2cpp import lang, privates

NAMES = (
    "_by_target", "_bytecode", "_bytecode.version", "_cext", "_compile", "_compiler_options", "_context", "_datatype", "_exception", "_execution",
    "_ir", "_ir.cast_ops", "_ir.ops_utils", "_ir.typing_support", "_memory_model", "_numeric_semantics", "_stub", "_version",
)  # fmt: skip

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
        value = OWN[name] if name in OWN else self._public(SYNONYMS.get(name, name))
        if value is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)
        setattr(self, name, value)
        return value

    @staticmethod
    def _public(name: str) -> Any:
        from tile2cpp import compilation

        return getattr(lang, name, None) or (getattr(compilation, name, None) if name in compilation.__all__ else None)


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


OWN = {"default_tile_context": _Context(), **privates.NAMES}


# Every stand-in by its name within `cuda.tile`.
MODULES = {name: StandIn(f"cuda.tile.{name}", "Names of tile2cpp.lang, as cuda.tile has them here.") for name in NAMES}
