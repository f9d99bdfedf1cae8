"""tile2cpp: Python tile kernels as readable CUDA Tile C++, run on GPUs and on any CPU.

`import tile2cpp.lang as ct` is what kernels are written with. The names below are
loaded on first use, so that importing this package costs nothing.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# The module that each public name comes from.
PUBLIC = {
    "jit": "tile2cpp.jit",
    "launch": "tile2cpp.jit",
    "export": "tile2cpp.jit",
    "translate": "tile2cpp.translate",
    "tune": "tile2cpp.tune",
    "install_as_cuda_tile": "tile2cpp.install",
    "Tile2cppError": "tile2cpp.errors",
}

__all__ = [name for name in PUBLIC if name != "tune" or find_spec("tile2cpp.tune")]


def __getattr__(name: str):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__})


class _Package(ModuleType):
    """Keeps `tile2cpp.jit` the decorator although a submodule has the same name."""

    def __setattr__(self, name, value):
        if not (name in PUBLIC and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
