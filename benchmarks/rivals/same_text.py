"""The same kernel in other hands: NVIDIA's tile compiler on the file that tile2cpp wrote, and cuTile on the Python."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Mapping

from benchmarks.work import Launch, Missing, Task

IMPORT, NATIVE = "import tile2cpp.lang as ct", "import cuda.tile as ct"


def vendor(task: Task) -> Callable[[], Any]:
    """The emitted file, compiled by NVIDIA's compiler."""
    import tile2cpp
    from tile2cpp.build import nvidia

    if nvidia.find() is None:
        raise Missing("NVIDIA's tile compiler is not installed")
    import torch

    launches = [(launch, launch.arguments(task.arrays)) for launch in task.work.ours[task.form]]

    def run() -> None:
        stream = torch.cuda.current_stream().cuda_stream
        for launch, args in launches:
            clear(launch, task)
            tile2cpp.launch(stream, launch.grid, launch.kernel, args, backend="nvidia")

    return run


def cutile(task: Task) -> Callable[[], Any]:
    """The kernel's own file with `import cuda.tile`; where several forms are known, the one that is best for it."""
    package = native()
    import torch

    forms = {}
    for form, launches in task.work.ours.items():
        twins = [(launch, _twin(launch.kernel, task), launch.arguments(task.arrays)) for launch in launches]
        forms[form] = lambda twins=twins: _start(package, torch.cuda.current_stream(), twins, task)
    return best_of(forms)


class Effort:
    """How many forms of a rival are tried, the likeliest first; a quick run tries few."""

    most = 8


def best_of(forms: dict[str, Callable[[], Any]]) -> Callable[[], Any]:
    """The quickest of several ways that can run at all; each is tried a few times."""
    from benchmarks.gpu import seconds_of

    times, reasons = {}, []
    for name, run in forms.items():
        if len(times) == Effort.most:
            break
        try:
            run()
            times[name] = sorted(seconds_of(run) for _ in range(3))[1]
        except Exception as error:  # such as more shared memory than there is
            reasons.append(f"{name}: {str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__}")
    if not times:
        raise Missing("; ".join(reasons))
    return forms[min(times, key=times.__getitem__)]


def launches(ours: Mapping[str, tuple[Launch, ...]]) -> Callable[[Task], Callable[[], Any]]:
    """Other kernels of ours on the same arrays; the quickest form of them."""

    def make(task: Task) -> Callable[[], Any]:
        return best_of({form: started(steps, task) for form, steps in ours.items()})

    return make


def started(steps: tuple[Launch, ...], task: Task) -> Callable[[], Any]:
    """What starts launches of ours, one after the other."""
    ready = [(launch, launch.kernel[launch.grid], launch.arguments(task.arrays)) for launch in steps]

    def run() -> None:
        for launch, kernel, args in ready:
            clear(launch, task)
            kernel(*args)

    return run


def clear(launch: Launch, task: Task) -> None:
    for name in launch.zeroed:
        task[name].zero_()


def _start(package: ModuleType, stream: Any, twins: list, task: Task) -> None:
    for launch, kernel, args in twins:
        clear(launch, task)
        package.launch(stream, (*launch.grid, 1, 1)[:3], kernel, args)


def native() -> ModuleType:
    import cuda.tile

    if cuda.tile.__name__.startswith("tile2cpp"):
        raise Missing("cuda.tile is tile2cpp here")
    return cuda.tile


def _twin(kernel: Any, task: Task) -> Any:
    module = twin_module(kernel.__wrapped__.__code__.co_filename)
    vars(module).update(task.work.globals_of)
    return getattr(module, kernel.__name__)


@lru_cache(maxsize=None)
def twin_module(path: str) -> ModuleType:
    text = Path(path).read_text(encoding="utf-8")
    copy = Path(tempfile.mkdtemp(prefix="benchmarks-")) / Path(path).name
    copy.write_text(text.replace(IMPORT, NATIVE), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(f"native_{copy.stem}", copy)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
