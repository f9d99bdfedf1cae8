"""How long launches take: by events on a GPU, by the clock on the CPU."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator

ENOUGH_SECONDS = 0.05  # of runs, for one measurement
FEWEST, MOST = 3, 100


def times_us(run: Callable[[], None], device: int | None, stream: Any, flush_l2: bool) -> list[float]:
    """Microseconds of several runs; the first ones, which warm up, are not among them."""
    one_run = _on_gpu(run, device, stream, flush_l2) if device is not None else _on_cpu(run)
    first = min(next(one_run), next(one_run))
    count = max(FEWEST, min(MOST, int(ENOUGH_SECONDS * 1e6 / max(first, 1.0))))
    return [next(one_run) for _ in range(count)]


def _on_cpu(run: Callable[[], None]) -> Iterator[float]:
    while True:
        started = time.perf_counter()
        run()
        yield (time.perf_counter() - started) * 1e6


def _on_gpu(run: Callable[[], None], device: int, stream: Any, flush_l2: bool) -> Iterator[float]:
    from tile2cpp.launch import cupy as gpu

    cupy = gpu.require_device()
    with cupy.cuda.Device(device):
        on = gpu.stream_of(gpu.stream_handle(stream))
        bytes_of_l2 = cupy.cuda.Device(device).attributes["L2CacheSize"]
        other = cupy.empty(2 * bytes_of_l2, cupy.uint8) if flush_l2 else None
    while True:
        with cupy.cuda.Device(device), on:
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            if other is not None:
                other.fill(0)
            begin.record(on)
            run()
            end.record(on)
            end.synchronize()
        yield cupy.cuda.get_elapsed_time(begin, end) * 1e3
