"""Makes `import cuda.tile` give `tile2cpp.lang`, for programs that were written for cuTile."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

NAME, EXPERIMENTAL = "cuda.tile", "cuda.tile_experimental"
PARTS = ("compilation", "tune")  # its public modules


def install_as_cuda_tile() -> None:
    """From now on `cuda.tile` is `tile2cpp.lang`, also where the real package is installed."""
    sys.modules.update(_modules())
    parent = _parent()
    parent.tile, parent.tile_experimental = sys.modules[NAME], sys.modules[EXPERIMENTAL]


@contextmanager
def standing_for_cuda_tile():
    """While the block runs, `cuda.tile` is `tile2cpp.lang`; afterwards everything is as before."""
    missing = object()
    before = {name: sys.modules.get(name) for name in _modules()}
    parent = sys.modules.get("cuda")
    attributes = {name: getattr(parent, name, missing) for name in ("tile", "tile_experimental")}
    install_as_cuda_tile()
    try:
        yield
    finally:
        _restore("cuda", parent if parent is not None else sys.modules["cuda"] if _is_real(sys.modules["cuda"]) else None)
        for name, module in before.items():
            _restore(name, module)
        package = sys.modules.get("cuda")
        for name, value in attributes.items() if package is not None else ():
            if value is missing:
                package.__dict__.pop(name, None)
            else:
                setattr(package, name, value)


def _modules() -> dict[str, ModuleType]:
    """All that stands for `cuda.tile` and its modules, by their names there."""
    import tile2cpp.lang as lang

    found = {NAME: lang, EXPERIMENTAL: import_module("tile2cpp.experimental")}
    found |= {f"{NAME}.{part}": import_module(f"tile2cpp.{part}") for part in PARTS}
    for name, module in import_module("tile2cpp.standins").MODULES.items():
        found[f"{NAME}.{name}"] = module
        parent, _, last = name.rpartition(".")
        setattr(found[f"{NAME}.{parent}"] if parent else lang, last, module)
    return found


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
