"""Kernels of ours as cuTile reads them: a copy of their file that imports `cuda.tile`, and what their arguments are in its terms."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Mapping

from benchmarks.work import Array, Launch, Missing, Work

IMPORT, NATIVE = "import tile2cpp.lang as ct", "import cuda.tile as ct"
ALIGNED = 16  # bytes of an address or stride, elements of an extent: what cuTile tells its compiler of


def native() -> ModuleType:
    import cuda.tile

    if cuda.tile.__name__.startswith("tile2cpp"):
        raise Missing("cuda.tile is tile2cpp here")
    return cuda.tile


def twin(kernel: Any, values: Mapping[str, Any] | None = None) -> Any:
    """cuTile's kernel of the same text, with the same hints but for the warps of a block, of which its assemblers up to 13.4 allow few; `values` are
    globals that it reads."""
    module = twin_module(kernel.__wrapped__.__code__.co_filename, tuple((values or {}).items()))
    found = getattr(module, kernel.__name__)
    hints = {name: hint for name, hint in kernel.hints.items() if name != "num_worker_warps"}
    return found.replace_hints(**hints) if hints else found


@lru_cache(maxsize=None)
def twin_module(path: str, values: tuple[tuple[str, Any], ...] = ()) -> ModuleType:
    """The copy as a module, one for each set of globals, since cuTile reads them only once."""
    copy = _copied(Path(path))
    spec = importlib.util.spec_from_file_location("_".join(["native", copy.stem, *(str(value) for _, value in values)]), copy)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    vars(module).update(values)
    return module


def _copied(path: Path) -> Path:
    """The same text lies at the same place in every process: cuTile's cache knows a kernel by its file's name, too."""
    text = path.read_text(encoding="utf-8").replace(IMPORT, NATIVE)
    copy = Path(tempfile.gettempdir()) / f"benchmarks-{hashlib.sha256(text.encode()).hexdigest()[:16]}" / path.name
    copy.parent.mkdir(exist_ok=True)
    handle, written = tempfile.mkstemp(dir=copy.parent)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(written, copy)
    return copy


def signature_of(work: Work, launch: Launch) -> Any:
    """What cuTile finds in the arguments of a launch, without making them: one `KernelSignature`."""
    from cuda.tile import compilation

    package = native()
    found = []
    for value, rule in zip(launch.args, launch.kernel.rules):
        if isinstance(value, str):
            found.append(_array(package, work.arrays[value]))
        else:
            found.append(compilation.ConstantConstraint(value) if rule.constant else compilation.ScalarConstraint(_scalar(package, value)))
    # Constant extents are known to the second convention alone, which cuTile's launches take only where there are any.
    has_constant = any(extent is not None for part in found if isinstance(part, compilation.ArrayConstraint) for extent in part.shape_constant)
    convention = compilation.CallingConvention.cutile_python_v2 if has_constant else compilation.CallingConvention.cutile_python_v1
    signature = compilation.KernelSignature(found, convention())
    return signature.with_mangled_symbol(launch.kernel.__name__)


def _array(package: ModuleType, array: Array) -> Any:
    from benchmarks.builds import memory_of
    from cuda.tile import compilation

    memory = memory_of(array)
    strides = [stride // memory.dtype.bytes for stride in memory.strides]
    aligned = ALIGNED // memory.dtype.bytes
    return compilation.ArrayConstraint(
        getattr(package, array.dtype), len(array.shape), index_dtype=package.int32, stride_lower_bound_incl=0, alias_groups=(), may_alias_internally=False,
        stride_constant=[1 if s == 1 else None for s in strides], stride_divisible_by=[1 if s == 1 or s % aligned else aligned for s in strides],
        shape_constant=[1 if n == 1 else None for n in array.shape], shape_divisible_by=[1 if n % ALIGNED else ALIGNED for n in array.shape],
        base_addr_divisible_by=ALIGNED,
    )  # fmt: skip


def _scalar(package: ModuleType, value: Any) -> Any:
    return {bool: package.bool_, int: package.int32, float: package.float32}[type(value)]


def build(work: Work, launch: Launch, target: int) -> None:
    """Compile into cuTile's own cache, where a launch on such a GPU finds it; this needs no GPU."""
    from benchmarks.rivals.same_text import Effort
    from cuda.tile import compilation

    with native().compiler_timeout(Effort.compiling):
        kernel = twin(launch.kernel, work.globals_of)
        compilation.export_kernel(kernel, [signature_of(work, launch)], io.BytesIO(), gpu_code=f"sm_{target}", output_format="cubin")
