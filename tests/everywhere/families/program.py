"""Kernels that read and write arrays by themselves, and what NumPy says that they leave there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable

import numpy as np
from families.batch import Row, difference
from case import launch

EXACT = Row(lambda: None, lambda: None)


@dataclass(frozen=True)
class Program:
    """One launch: `meant(*args)` does in place what the kernel does."""

    name: str
    kernel: Any
    grid: tuple
    args: Callable
    meant: Callable


def check(program: Program, backend: str) -> None:
    """After a launch on `backend` every array is what `meant` makes of it."""
    args, wanted = program.args(), program.args()
    with np.errstate(all="ignore"):
        program.meant(*wanted)
    after = launch(program.kernel, program.grid, args, backend)
    faults = [difference(f"array {n}", EXACT, want, got) for n, (want, got) in enumerate(zip(leaves(wanted), leaves(after)))]
    assert not any(faults), "\n".join(f"{program.name}: {f}" for f in faults if f)


def leaves(args: Any) -> list[np.ndarray]:
    """The arrays of arguments, those in tuples and lists, too."""
    found = []
    for item in args:
        found += [item] if isinstance(item, np.ndarray) else leaves(item) if isinstance(item, (tuple, list)) else []
    return found


def translated(program: Program, target: int | None):
    """The file that runs on a GPU of compute capability `target`."""
    from tile2cpp.launch import prepare

    return prepare.emit(program.kernel, program.kernel.signature_of(program.args()), target)
