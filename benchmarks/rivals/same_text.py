"""The same kernel in other hands: NVIDIA's tile compiler on the file that tile2cpp wrote, and cuTile on the Python."""

from __future__ import annotations

import time
from types import ModuleType
from typing import Any, Callable, Mapping

from benchmarks.rivals import twins
from benchmarks.work import Launch, Missing, Task

REASON = 150  # letters of an error


def vendor(task: Task) -> Callable[[], Any]:
    """The emitted file, compiled by NVIDIA's compiler; where several forms are known, the one that is best for it."""
    from tile2cpp.build import nvidia

    if nvidia.find() is None:
        raise Missing("NVIDIA's tile compiler is not installed")
    import torch

    forms = {form: _vendors(torch, launches, task) for form, launches in task.work.ours.items()}
    return best_of(forms, first=task.form)


def _vendors(torch: ModuleType, launches: tuple[Launch, ...], task: Task) -> Callable[[], Any]:
    import tile2cpp

    ready = [(launch, launch.arguments(task.arrays)) for launch in launches]

    def run() -> None:
        stream = torch.cuda.current_stream().cuda_stream
        for launch, args in ready:
            clear(launch, task)
            tile2cpp.launch(stream, launch.grid, launch.kernel, args, backend="nvidia")

    return run


def cutile(task: Task) -> Callable[[], Any]:
    """The kernel's own file with `import cuda.tile`; where several forms are known, the one that is best for it."""
    package = twins.native()
    import torch

    forms = {}
    for form, launches in task.work.ours.items():
        ready = [(launch, twins.twin(launch.kernel, task.work.globals_of), launch.arguments(task.arrays)) for launch in launches]
        forms[form] = lambda ready=ready: _start(package, torch.cuda.current_stream(), ready, task)
    with package.compiler_timeout(Effort.compiling):
        return best_of(forms, first=task.form)


class Effort:
    """How many forms of a rival are tried, and for how many seconds another one is begun; how long one kernel may be compiled."""

    most = 8
    seconds = 20.0
    compiling = 30.0


def best_of(forms: dict[str, Callable[[], Any]], first: str = "") -> Callable[[], Any]:
    """The quickest of several ways that can run at all; each is tried a few times, `first` before the others."""
    from benchmarks import gpu
    from tile2cpp.build.process import compiler_timeout

    times, reasons, started = {}, [], time.perf_counter()
    for name in sorted(forms, key=lambda name: name != first):
        if len(times) == Effort.most or (times and time.perf_counter() - started > Effort.seconds):
            break
        try:
            with compiler_timeout(Effort.compiling):
                forms[name]()
            times[name] = sorted(gpu.seconds_of(forms[name]) for _ in range(3))[1]
        except Exception as error:  # such as more shared memory than there is
            gpu.check(error)
            reasons.append(f"{name}: {' '.join(str(error).split())[:REASON] or type(error).__name__}")
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
    ready = [(launch, _starter(launch), launch.arguments(task.arrays)) for launch in steps]

    def run() -> None:
        for launch, start, args in ready:
            clear(launch, task)
            start(*args)

    return run


def _starter(launch: Launch) -> Callable[..., None]:
    if not launch.early:
        return launch.kernel[launch.grid]
    import tile2cpp

    def start(*args: Any) -> None:
        tile2cpp.launch(_stream(args), launch.grid, launch.kernel, args, programmatic_dependent_launch=True)

    return start


def _stream(args: tuple) -> int:
    """The current stream of the GPU that has the arrays; for arrays of NumPy none counts."""
    if not any(getattr(a, "is_cuda", False) for a in args):
        return 0
    import torch

    return torch.cuda.current_stream().cuda_stream


def clear(launch: Launch, task: Task) -> None:
    for name in launch.zeroed:
        task[name].zero_()


def _start(package: ModuleType, stream: Any, ready: list, task: Task) -> None:
    for launch, kernel, args in ready:
        clear(launch, task)
        early = {"programmatic_dependent_launch": True} if launch.early else {}
        package.launch(stream, (*launch.grid, 1, 1)[:3], kernel, args, **early)
