"""What a kernel author imports as `ct`: a drop-in for `import cuda.tile as ct`.

Ops come from the registry, dtypes from their table. `kernel`, `launch` and their like are
loaded on first use, since only running a kernel needs what stands behind them.
"""

from __future__ import annotations

import enum
import re
import sys
import types
from dataclasses import dataclass
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Callable

from tile2cpp import dtypes
from tile2cpp.annotations import Array, ArrayAnnotation, ConstantAnnotation, IndexedWithInt64, ListAnnotation, ScalarAnnotation, ScalarInt64
from tile2cpp.directives import DIRECTIVES
from tile2cpp.dtypes import DType, foreign_pointer_dtype
from tile2cpp.errors import (
    StaticException,
    Tile2cppError,
    TileCompilerExecutionError,
    TileCompilerTimeoutError,
    TileError,
    TileInternalError,
    TileRecursionError,
    TileStaticAssertionError,
    TileStaticEvalError,
    TileSyntaxError,
    TileTypeError,
    TileUnsupportedFeatureError,
    TileValueError,
)
from tile2cpp.ops import ACTIVE_INTERPRETER, REGISTRY
from tile2cpp.ops.arrays import from_foreign
from tile2cpp.signature.rules import is_constant

if TYPE_CHECKING:
    from typing import Annotated, TypeVar

    from tile2cpp import compilation, tune
    from tile2cpp.build.process import compiler_timeout
    from tile2cpp.jit import kernel, launch

    T = TypeVar("T")
    Constant = Annotated[T, "known at compile time"]


class PaddingMode(enum.Enum):
    """What the elements of a tile are that lie outside the array."""

    UNDETERMINED = "undetermined"
    ZERO = "zero"
    NEG_ZERO = "neg_zero"
    NAN = "nan"
    POS_INF = "pos_inf"
    NEG_INF = "neg_inf"


class RoundingMode(enum.Enum):
    """How a result is rounded: nearest even, to zero, down, up, nearest away; FULL and APPROX are faster forms."""

    RN = "nearest_even"
    RZ = "zero"
    RM = "negative_inf"
    RP = "positive_inf"
    RA = "nearest_away"
    FULL = "full"
    APPROX = "approx"
    RZI = "nearest_int_to_zero"


class MemoryOrder(enum.Enum):
    """How memory accesses of several blocks are ordered around this one."""

    WEAK = "weak"
    RELAXED = "relaxed"
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQ_REL = "acq_rel"


class MemoryScope(enum.Enum):
    """Who sees a memory access in its order: nobody else, the block, the GPU, or the whole system."""

    NONE = "none"
    BLOCK = "block"
    DEVICE = "device"
    SYS = "sys"


if not TYPE_CHECKING:

    class Constant:
        """Annotation of a kernel parameter whose value is known at compile time.

        `TILE: ct.Constant[int]`, or `ct.Constant` alone; every value has its own
        translation of the kernel.
        """

        __class_getitem__ = classmethod(types.GenericAlias)


class Tile:
    """Type hint of a tile."""


class Scalar(Tile):
    """Type hint of a tile of shape `()`."""


class TiledView:
    """Type hint of an array cut into tiles."""


@dataclass(frozen=True)
class Slice:
    """`length` elements from `start` on, along an axis of `load_advanced_indexing`."""

    start: Any
    length: int


class ByTarget:
    """A hint's value by GPU: `ct.ByTarget(default=2, sm_100=4)`.

    The key of the GPU that runs the kernel wins, then `default`; without either
    the hint is absent.
    """

    ABSENT = None

    def __init__(self, *, default: Any = ABSENT, **targets: Any):
        for name in targets:
            if not re.fullmatch(r"sm_[0-9]+", name):
                raise ValueError(f"Invalid GPU architecture name: {name}, expected sm_<major><minor>, such as sm_100; or `default`")
        self.default, self.targets = default, dict(targets)

    def value_for(self, target: int | None) -> Any:
        """The value for compute capability `target` (90 for sm_90), None when the hint is absent."""
        return self.targets.get(f"sm_{target}", self.default)

    def __repr__(self) -> str:
        default = {} if self.default is self.ABSENT else {"default": self.default}
        return f"ByTarget({', '.join(f'{k}={v!r}' for k, v in {**default, **self.targets}.items())})"

    def __eq__(self, other) -> bool:
        return isinstance(other, ByTarget) and (self.default, self.targets) == (other.default, other.targets)

    def __hash__(self) -> int:
        return hash((self.default, tuple(sorted(self.targets.items()))))


class TileFunction:
    """A helper marked with `@ct.function`; the plain function is its `__wrapped__`."""

    def __init__(self, wrapped: Callable, host: bool, tile: bool):
        update_wrapper(self, wrapped)
        self.host, self.tile = host, tile

    def __call__(self, *args, **kwargs):
        if not self.host and ACTIVE_INTERPRETER.get() is None:
            raise RuntimeError(f"Device functions can only be called from device code. `{self.__name__}` is tile code; mark it with @ct.function(host=True) to call it on the host")
        return self.__wrapped__(*args, **kwargs)

    def __reduce__(self):
        return self.__qualname__


def function(wrapped: Callable | None = None, /, *, host: bool = False, tile: bool = True):
    """Mark a helper function as tile code, as host code, or both. Plain functions need no mark."""
    if wrapped is None:
        return lambda f: TileFunction(f, host, tile)
    return TileFunction(wrapped, host, tile)


# What stands behind these is loaded on first use: a module, or a name in one.
LATE = {
    "kernel": ("tile2cpp.jit", "kernel"), "launch": ("tile2cpp.jit", "launch"), "compiler_timeout": ("tile2cpp.build.process", "compiler_timeout"),
    "compilation": ("tile2cpp.compilation", ""), "tune": ("tile2cpp.tune", ""),
}  # fmt: skip


def __getattr__(name: str):
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])

    from importlib import import_module

    module, attribute = LATE[name]
    value = import_module(module)
    globals()[name] = value = getattr(value, attribute) if attribute else value
    return value


OPS = {op.name: op for op in REGISTRY.values() if op.public}
DTYPES = {dtype.name: dtype for dtype in dtypes.TABLE}
globals().update(DTYPES)
globals().update(OPS)
globals().update(DIRECTIVES)
Array.from_foreign = from_foreign

__all__ = [
    "kernel", "function", "launch", "compiler_timeout", "compilation", "tune", "Constant", "ConstantAnnotation", "ArrayAnnotation", "ListAnnotation", "ScalarAnnotation",
    "IndexedWithInt64", "ScalarInt64", "ByTarget", "Array", "Tile", "Scalar", "TiledView", "Slice", "DType", "foreign_pointer_dtype",
    "PaddingMode", "RoundingMode", "MemoryOrder", "MemoryScope",
    "Tile2cppError", "TileError", "TileSyntaxError", "TileTypeError", "TileValueError", "TileRecursionError",
    "TileStaticEvalError", "StaticException", "TileStaticAssertionError", "TileUnsupportedFeatureError",
    "TileInternalError", "TileCompilerExecutionError", "TileCompilerTimeoutError",
    *DTYPES, *OPS,
]  # fmt: skip
