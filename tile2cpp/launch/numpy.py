"""Runs host builds: one thread goes through the grid, block after block."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable

from tile2cpp.build import Built
from tile2cpp.launch.packing import Packing, Slot

ROOMY = 1 << 20  # bytes of stack that every thread has left
SPARE = 1 << 20
_stack_size = threading.Lock()  # Python has one setting for all threads


class HostFunction:
    """A loaded shared library. Streams have no meaning here: the call returns when all blocks are done."""

    def __init__(self, built: Built):
        self.built = built
        library = ctypes.CDLL(str(built.binary))
        self._run = library[built.entry]
        self._run.argtypes = (ctypes.c_void_p, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint)
        self._run.restype = None
        self._stack_bytes = built.facts["stack_bytes"]

    def starter(self, packing: Packing, current_stream: Callable | None) -> Callable:
        """A function that runs the kernel with numbers as `reading` finds them."""

        def start(grid: tuple[int, int, int], stream: Any, values: list, args: tuple, dependent: bool = False) -> None:
            slot = packing.take(values)
            try:
                if self._stack_bytes <= ROOMY:
                    self._run(slot.address, *grid)
                else:
                    self._run_with_room(grid, slot)
            finally:
                packing.give_back(slot)

        return start

    def _run_with_room(self, grid: tuple[int, int, int], slot: Slot) -> None:
        """Large tiles live on the stack: run in a thread that has enough of it."""
        thread = threading.Thread(target=self._run, args=(slot.address, *grid))
        page = 1 << 16
        with _stack_size:
            before = threading.stack_size(-(-(self._stack_bytes + SPARE) // page) * page)
            try:
                thread.start()
            finally:
                threading.stack_size(before)
        thread.join()
