"""Runs host builds: one thread goes through the grid, block after block."""

from __future__ import annotations

import ctypes

from tile2cpp.build import Built
from tile2cpp.launch.arguments import Slot


class HostFunction:
    """A loaded shared library. Streams have no meaning here: the call returns when all blocks are done."""

    def __init__(self, built: Built):
        self.built = built
        library = ctypes.CDLL(str(built.binary))
        self._run = library[built.entry]
        self._run.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
        self._run.restype = None

    def __call__(self, grid: tuple[int, int, int], stream: object, slot: Slot) -> None:
        self._run(slot.address, *grid)
