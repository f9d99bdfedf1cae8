"""How things are timed: side by side, in turns, and the median counts.

A GPU that draws much power slows down within seconds, so what runs later looks worse.
Rivals therefore take turns, round by round, and only figures of one run are compared.
"""

from __future__ import annotations

import statistics
import time
from typing import Callable

import cupy


def gpu_seconds(work: Callable[[], object], repeats: int) -> float:
    """Mean time of `work` on the GPU over `repeats` launches, by CUDA events."""
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(repeats):
        work()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) / 1000 / repeats


def in_turns(rivals: dict[str, Callable[[], object]], *, rounds: int = 15, repeats: int = 10) -> dict[str, float]:
    """Median seconds of each rival; all of them run once per round."""
    for work in rivals.values():
        work()  # compile, fill caches
    cupy.cuda.Device().synchronize()
    times: dict[str, list[float]] = {name: [] for name in rivals}
    for turn in range(rounds):
        names = list(rivals)
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            times[name].append(gpu_seconds(rivals[name], repeats))
    return {name: statistics.median(found) for name, found in times.items()}


def call_seconds(calls: dict[str, Callable[[], object]], *, rounds: int = 11, repeats: int = 2000) -> dict[str, float]:
    """Median seconds that a call takes on the CPU while the GPU keeps up."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            cupy.cuda.Device().synchronize()
            start = time.perf_counter()
            for _ in range(repeats):
                call()
            times[name].append((time.perf_counter() - start) / repeats)
            cupy.cuda.Device().synchronize()
    return {name: statistics.median(found) for name, found in times.items()}
