"""A kernel object with NumPy arguments, run block by block."""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache
from typing import Any, Callable, Iterable

import numpy as np

from tile2cpp.build import nvrtc
from tile2cpp.launch import prepare, reading
from tile2cpp.launch.maps import Encoder
from tile2cpp.launch.packing import Packing, leaves_of

from . import access, arithmetic, barriers, bits, compare, control, convert, copies, fragments, products  # noqa: F401  (they register instructions)
from .block import Block
from .decode import Decoder
from .memory import CONSTANT_BASE, PARAMETER_BASE, SHARED_BASE, Global, Memory, Region, Shared
from .ptx import parse
from .schedule import Policy
from .warp import Exit

TARGET = 90


class Program:
    """Decoded PTX, with the places of what it declares."""

    def __init__(self, text: str, dynamic: int = 0):
        self.module = parse(text)
        self.symbols, self._shared = {}, []
        parameters = constants = 0
        for name, size, align in self.module.parameters:
            parameters = -(-parameters // align) * align
            self.symbols[name] = PARAMETER_BASE + parameters
            parameters += size
        self.parameter_bytes = parameters
        shared = SHARED_BASE
        for name, v in sorted(self.module.variables.items(), key=lambda pair: pair[1].bytes == 0):  # dynamic memory comes last
            if v.space == "shared":
                shared = -(-shared // v.align) * v.align
                self.symbols[name] = shared
                self._shared.append((shared, name))
                shared += v.bytes
            elif v.space in ("global", "const"):
                constants = -(-constants // v.align) * v.align
                self.symbols[name] = CONSTANT_BASE + constants
                constants += v.bytes
        self.shared_bytes = shared - SHARED_BASE + dynamic
        self.constants = Region("constants", CONSTANT_BASE, constants)
        for name, v in self.module.variables.items():
            if v.space in ("global", "const") and v.contents:
                start = self.symbols[name] - CONSTANT_BASE
                self.constants.bytes[start : start + len(v.contents)] = np.frombuffer(v.contents, np.uint8)
        self.decoder = Decoder(self.module, self.symbols)
        self.decoder.operations.append(lambda w, m: Exit)
        self.decoder.touched.append(frozenset())
        self.has_products = any(i.opcode.startswith("wgmma") for i in self.module.instructions)

    @lru_cache(maxsize=None)
    def written(self, first: int, last: int) -> tuple[bool, frozenset]:
        """Whether there is a wgmma.fence in a run of instructions, and the registers that are written behind it."""
        fences = [n for n in range(first, last + 1) if self.module.instructions[n].opcode.startswith("wgmma.fence")]
        return bool(fences), frozenset().union(*self.decoder.written[fences[-1] if fences else first : last + 1])

    def shared_name(self, at: int) -> str:
        found = [(start, name) for start, name in self._shared if start <= at]
        start, name = max(found) if found else (0, "shared memory")
        return f"{name}+{at - start}"

    def run(
        self, parameters: list[bytes], arrays: Global, grid: tuple[int, int, int], threads: int, policy: Policy = Policy(), maps: list = (),
        blocks: Iterable[tuple[int, int, int]] | None = None,
    ) -> int:  # fmt: skip
        """Runs blocks one after the other; the instructions of all warps that it took."""
        region = Region("parameters", PARAMETER_BASE, self.parameter_bytes)
        for (name, size, _), contents in zip(self.module.parameters, parameters, strict=True):
            start = self.symbols[name] - PARAMETER_BASE
            region.bytes[start : start + size] = np.frombuffer(contents[:size], np.uint8)
        steps = 0
        everywhere = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
        with np.errstate(all="ignore"):
            for index in blocks if blocks is not None else everywhere:
                memory = Memory(arrays, region, self.constants, Shared(self.shared_bytes))
                block = Block(self, memory, index, grid, threads, policy, maps)
                block.run()
                steps += sum(w.steps for w in block.warps)
        return steps


class Launch:
    """A kernel built for arguments of certain kinds, which may be run several times. `change` may alter its PTX."""

    def __init__(self, kernel: Any, args: tuple, change: Callable[[str], str] = str):
        self.kernel = kernel
        self.signature = kernel.signature_of(args)
        self.emitted = prepare.emit(kernel, self.signature, TARGET, maps=True)
        built = nvrtc.compile(self.emitted, TARGET, form="ptx")
        text = (built.folder / f"{self.emitted.name}.ptx").read_text()
        self.program = Program(change(text), self.emitted.schedule.shared)

    def run(self, args: tuple, grid: tuple, policy: Policy = Policy(), mapped: bool = True, blocks=None, at_once: int | None = None) -> int:
        """Runs it; arrays are changed in place. `mapped`: arrays have descriptors, where their layouts allow it.
        `at_once`: the blocks of a launch where each walks over the grid; None: from one to three."""
        arrays = Global()
        found = leaves_of(self.signature, args)
        regions = {}
        for leaf in found:
            for memory in leaf.memories:
                if memory.address not in regions:
                    regions[memory.address] = _copied_in(arrays, leaf.name, memory)
        encode = copies.Encoder(refuses=not mapped)
        memories = {(leaf.argument, leaf.path): leaf.memory for leaf in found}
        maps = [(m, Encoder(m, memories[m.argument, m.path], encode)) for m in self.emitted.schedule.maps]
        schedule = self.emitted.schedule
        packing = Packing(self.emitted.parameters, found, self.kernel.rules, lambda contents, _: _table(arrays, contents), maps, schedule.walks)
        _, values = reading.reader([type(a) for a in args], self.kernel.rules)(None, args)
        moved = {address: base for address, (region, base, *_) in regions.items()}
        values = [[moved[a] for a in v] if isinstance(v, (list, tuple)) else moved.get(v, v) if n in _memories(found) else v for n, v in enumerate(values)]
        slot = packing.take(values)
        grid = (*grid, 1, 1)[:3]
        if schedule.walks:
            slot.walk(grid)
            grid = (min(math.prod(grid), at_once or 1 + policy.seed % 3), 1, 1)
        sizes = [size for _, size, _ in self.program.module.parameters]
        parameters = [ctypes.string_at(slot.pointers[n], size) for n, size in enumerate(sizes)]
        steps = self.program.run(parameters, arrays, grid, schedule.launched_threads, policy, encode.maps, blocks)
        for address, (region, _, low, size) in regions.items():
            ctypes.memmove(low, region.bytes[region.first :].ctypes.data, size)
        return steps


def _memories(found) -> set[int]:
    return {n for n, leaf in enumerate(found) if leaf.memories}


def _copied_in(arrays: Global, name: str, memory) -> tuple:
    """An array's bytes from the first to the last; where they lie now, and where its first element does."""
    reach = [(n - 1) * s for n, s in zip(memory.shape, memory.strides)] if all(memory.shape) else [0]
    low = memory.address + sum(r for r in reach if r < 0)
    size = sum(abs(r) for r in reach) + memory.dtype.bytes if all(memory.shape) else 0
    region = arrays.allocate(name, size, low)
    region.bytes[region.first : region.size] = np.frombuffer(ctypes.string_at(low, size), np.uint8)
    return region, region.base + region.first + memory.address - low, low, size


def _table(arrays: Global, contents: bytes) -> tuple[int, Any]:
    region = arrays.allocate("a table", len(contents))
    region.bytes[: len(contents)] = np.frombuffer(contents, np.uint8)
    return region.base, region

