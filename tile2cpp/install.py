"""Makes `import cuda.tile` give `tile2cpp.lang`, for programs that were written for cuTile."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

NAME = "cuda.tile"
PARTS = ("compilation", "tune")  # its modules that programs import by name


def install_as_cuda_tile() -> None:
    """From now on `cuda.tile` is `tile2cpp.lang`, also where the real package is installed."""
    import tile2cpp.lang as lang

    sys.modules[NAME] = lang
    for part in PARTS:
        sys.modules[f"{NAME}.{part}"] = import_module(f"tile2cpp.{part}")
    _parent().tile = lang


@contextmanager
def standing_for_cuda_tile():
    """While the block runs, `cuda.tile` is `tile2cpp.lang`; afterwards everything is as before."""
    missing = object()
    parent, tile = sys.modules.get("cuda"), sys.modules.get(NAME)
    parts = {f"{NAME}.{part}": sys.modules.get(f"{NAME}.{part}") for part in PARTS}
    attribute = getattr(parent, "tile", missing)
    install_as_cuda_tile()
    try:
        yield
    finally:
        _restore("cuda", parent if parent is not None else sys.modules["cuda"] if _is_real(sys.modules["cuda"]) else None)
        _restore(NAME, tile)
        for name, part in parts.items():
            _restore(name, part)
        package = sys.modules.get("cuda")
        if package is not None and attribute is not missing:
            package.tile = attribute
        elif package is not None:
            package.__dict__.pop("tile", None)


def _parent() -> ModuleType:
    """The package `cuda`: the installed one, which has other parts too, or an empty one."""
    try:
        return import_module("cuda")
    except ImportError:
        package = ModuleType("cuda", "Holds cuda.tile, which is tile2cpp.lang.")
        package.__path__ = []
        sys.modules["cuda"] = package
        return package


def _is_real(package: ModuleType) -> bool:
    return package.__spec__ is not None


def _restore(name: str, module: ModuleType | None) -> None:
    if module is None:
        sys.modules.pop(name, None)
    else:
        sys.modules[name] = module
