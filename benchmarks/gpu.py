"""Times one run on the GPU, by events, with its cache overwritten first."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable


@lru_cache(maxsize=1)
def _other() -> Any:
    """Twelve times as much memory as the cache holds: writing it also gives the CPU time to queue what is measured behind it.

    That takes 0.17 ms on an H200. With four times as much the slower launches, such as Triton's, came late
    behind kernels of a few microseconds.
    """
    import torch

    size = torch.cuda.get_device_properties(0).L2_cache_size
    return torch.empty(12 * size, dtype=torch.uint8, device="cuda")


def seconds_of(run: Callable[[], Any]) -> float:
    """The cache is left as a work leaves it that writes as much as it reads: full of lines that have to be written back."""
    _other().zero_()
    return _seconds(run)


def seconds_of_reads(run: Callable[[], Any]) -> float:
    """For works that write next to nothing: the cache is left as they leave it, without lines that others would have to write back."""
    import torch

    _other().zero_()
    _other().view(torch.float32).sum()
    return _seconds(run)


def _seconds(run: Callable[[], Any]) -> float:
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / 1000


def free() -> None:
    """Give memory back that no array holds any more."""
    import gc

    import cupy
    import torch

    gc.collect()
    torch.cuda.empty_cache()
    cupy.get_default_memory_pool().free_all_blocks()


def check(error: Exception) -> None:
    """Raise `Lost` when an error was one after which this process can use the GPU no more, such as a wrong address."""
    from benchmarks.worker import Lost

    try:
        import torch
    except ImportError:
        return
    if not torch.cuda.is_initialized():  # there is no GPU to lose
        return
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        raise Lost(f"{type(error).__name__}: {error}".splitlines()[0]) from error
