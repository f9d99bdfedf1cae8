"""Builds the kernels of works ahead of time, in several processes, and says what each build is like."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Iterator, Sequence

from benchmarks.arrays import numpy_dtype
from benchmarks.work import Array, Launch, Work
from benchmarks.worker import FRESH
from tile2cpp.dtypes import as_dtype
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature, arrays
from tile2cpp.signature.reading import describe, kind_of

ALIGNED = 1 << 20  # an address like those of a GPU's allocator


def signature_of(work: Work, launch: Launch) -> Signature:
    """What the arguments of a launch are, without making them."""
    kinds = []
    for position, (name, value, rule) in enumerate(zip(launch.kernel.names, launch.args, launch.kernel.rules)):
        about = f"parameter {position} (`{name}`)"
        kinds.append(describe(about, memory_of(work.arrays[value])) if isinstance(value, str) else kind_of(about, value, rule))
    return Signature(launch.kernel.names, tuple(kinds))


def memory_of(array: Array) -> arrays.Memory:
    dtype = as_dtype(numpy_dtype(array.dtype))
    return arrays.Memory(dtype, array.dtype, array.shape, arrays.row_major(array.shape, dtype.bytes), ALIGNED, arrays.DEVICE, 0)


def launches_of(work: Work) -> Iterator[tuple[str, Launch]]:
    for form, launches in work.ours.items():
        for launch in launches:
            yield form, launch


def build(work: Work, target: int, release: int | None = None) -> dict[str, dict[str, Any]]:
    """Build every form as a launch on a GPU of this compute capability would, for a driver of this CUDA release; the facts of each kernel by form."""
    work.set_globals()
    facts: dict[str, dict[str, Any]] = {}
    for form, launch in launches_of(work):
        _, built = prepare.for_gpu(launch.kernel, signature_of(work, launch), target, release)
        facts.setdefault(form, {})[launch.kernel.__name__] = built.facts
    return facts


def build_all(works: Sequence[Work], target: int, release: int, processes: int | None = None) -> dict[str, str]:
    """Fill the cache; what failed, by the name of the work. A failure is reported again, with its place, where the work runs."""
    names = [work.name for work in works]
    if len(names) < 2:
        return {}
    with ProcessPoolExecutor(processes or min(12, os.cpu_count() or 1), mp_context=FRESH) as pool:
        return {name: error for name, error in zip(names, pool.map(_built, names, [target] * len(names), [release] * len(names))) if error}


def _built(name: str, target: int, release: int) -> str:
    from benchmarks.catalogue import works

    try:
        build(works()[name], target, release)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
