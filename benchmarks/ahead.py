"""The rivals' builds ahead of time, which needs no GPU: NVIDIA's compiler keeps them in tile2cpp's cache, cuTile in its own."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Sequence

from benchmarks import builds
from benchmarks.work import CUTILE, VENDOR, Array, Launch, Missing, Work
from benchmarks.worker import FRESH

# The kernel that is called in `works/calls.py`.
CALLED = "warm-call"


@dataclass(frozen=True)
class Job:
    """One kernel of a work for one rival: a form, and which of its launches."""

    rival: str
    work: str
    form: str
    position: int

    def __str__(self) -> str:
        return f"{self.rival}: {self.work} {self.form}"


def called() -> Work:
    """What warm calls launch, as a work."""
    from benchmarks.kernels import memory

    arrays = {name: Array((1024,), "float32") for name in "xyz"}
    forms = {"": (Launch(memory.add, (1,), ("x", "y", "z", 1024)),)}
    return Work(CALLED, "calls", "", 1.0, "us", arrays, forms, {CUTILE: None}, None, 0.0)


def works() -> dict[str, Work]:
    from benchmarks import catalogue

    return {**{name: work for name, work in catalogue.works().items() if isinstance(work, Work)}, CALLED: called()}


def jobs(names: Sequence[str], rivals: Sequence[str]) -> list[Job]:
    """Everything to build, each kernel once: works share many."""
    found: dict[tuple, Job] = {}
    for work in (work for name, work in works().items() if name in names):
        work.set_globals()
        for rival in (rival for rival in rivals if rival in work.rivals):
            for form, launches in work.ours.items():
                for position, launch in enumerate(launches):
                    key = rival, launch.kernel, _seen_by(rival, work, launch), tuple(work.globals_of.items())
                    found.setdefault(key, Job(rival, work.name, form, position))
    return list(found.values())


def _seen_by(rival: str, work: Work, launch: Launch) -> str:
    if rival == CUTILE:
        from benchmarks.rivals import twins

        return twins.signature_of(work, launch).symbol
    return str(builds.signature_of(work, launch))


def build_all(names: Sequence[str], rivals: Sequence[str], target: int, processes: int | None = None) -> dict[str, str]:
    """Fill the caches of rivals that are installed; what failed, and why. A failure is reported again where the work runs."""
    wanted = jobs(names, rivals)
    if not wanted:
        return {}
    with ProcessPoolExecutor(processes or min(12, os.cpu_count() or 1), mp_context=FRESH) as pool:
        return {str(job): error for job, error in zip(wanted, pool.map(_built, wanted, [target] * len(wanted))) if error}


def lacking(rival: str) -> str:
    """Why a rival compiles nothing here, or an empty text."""
    if rival == VENDOR:
        from tile2cpp.build import nvidia

        found = nvidia.find()
        return "" if found and found.path else "NVIDIA's tile compiler is not installed"
    try:
        from benchmarks.rivals import twins

        twins.native()
        from cuda.tile import _compile

        _compile._find_compiler_bin()
    except (ImportError, Missing, FileNotFoundError) as error:
        return str(error)
    return ""


def _built(job: Job, target: int) -> str:
    work = works()[job.work]
    work.set_globals()
    try:
        _build(job.rival, work, work.ours[job.form][job.position], target)
    except Exception as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""


def _build(rival: str, work: Work, launch: Launch, target: int) -> None:
    from benchmarks.rivals import twins
    from benchmarks.rivals.same_text import Effort
    from tile2cpp.build import nvidia
    from tile2cpp.build.process import compiler_timeout
    from tile2cpp.launch import prepare

    if rival == CUTILE:
        twins.build(work, launch, target)
        return
    with compiler_timeout(Effort.compiling):
        nvidia.compile(prepare.emit(launch.kernel, builds.signature_of(work, launch), target), target)
