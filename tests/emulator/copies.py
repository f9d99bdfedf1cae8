"""Boxes of an array that the copy engine brings to shared memory, as a descriptor tells it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from tile2cpp.ops.formats import rounded

from .access import addresses
from .errors import EmulationError
from .memory import PIECE

MAGIC = 0x70614D726F736E65
ELEMENT_BYTES = {0: 1, 1: 2, 2: 4, 3: 4, 4: 8, 5: 8, 6: 2, 7: 4, 8: 8, 9: 2, 11: 4}  # by CUtensorMapDataType
ROUNDED = 11  # to tf32
SWIZZLED = {0: 0, 1: 32, 2: 64, 3: 128}  # bytes of a row by CUtensorMapSwizzle
MOST_BOX = 256


@dataclass(frozen=True)
class Map:
    """What cuTensorMapEncodeTiled was told; innermost axis first, strides in bytes."""

    size: int
    address: int
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    swizzle: int
    rounds: bool = False

    @property
    def bytes(self) -> int:
        return int(np.prod(self.box)) * self.size


class Encoder:
    """Stands for cuTensorMapEncodeTiled: what it writes is the number of its arguments. `refuses`: there are no descriptors."""

    def __init__(self, refuses: bool = False):
        self.refuses = refuses
        self.maps: list[Map] = []

    def __call__(self, place, kind, rank, address, extents, strides, box, element_strides, interleave, swizzle, promotion, fill) -> int:
        if self.refuses:
            return 1
        size = ELEMENT_BYTES[kind]
        made = Map(size, int(address), tuple(extents), (size, *strides), tuple(box), SWIZZLED[swizzle], kind == ROUNDED)
        inner = made.box[0] * size
        right = (address % 16 == 0 and all(s % 16 == 0 and 0 < s < 1 << 40 for s in made.strides[1:]) and all(0 < n <= 1 << 32 for n in made.extents)
                 and all(0 < n <= MOST_BOX for n in made.box) and inner % 16 == 0 and (not made.swizzle or inner <= made.swizzle)
                 and set(element_strides) == {1} and interleave == fill == 0 and 1 <= rank <= 5)  # fmt: skip
        if not right:
            return 1
        self.maps.append(made)
        ctypes.memmove(place, np.array([MAGIC, len(self.maps)] + [0] * 14, np.uint64).tobytes(), 128)
        return 0


class BoxCopy:
    """One box, under way."""

    def __init__(self, block, to: int, tensor: Map, corner: tuple[int, ...], barrier):
        self.block, self.tensor, self.corner, self.barrier = block, tensor, corner, barrier
        memory = block.memory.shared
        if to % (1024 if tensor.swizzle == 128 else 8 * tensor.swizzle or 128):
            raise EmulationError(f"a box is copied to {to:#x}, which is not aligned for its swizzle")
        at = to + np.arange(0, tensor.bytes, PIECE)
        if tensor.swizzle:
            if tensor.box[0] * tensor.size != tensor.swizzle:
                raise EmulationError("rows of a box that are shorter than the swizzle")
            at ^= (at >> 7 & tensor.swizzle // 16 - 1) << 4
        self.pieces = (at - memory.base) // PIECE
        if self.pieces.min() < 0 or (self.pieces.max() + 1) * PIECE > memory.size:
            raise EmulationError("a box does not fit shared memory")
        memory.copy_begins(self.pieces)

    def land(self) -> None:
        memory = self.block.memory.shared
        memory.bytes[: len(memory.bytes) // PIECE * PIECE].reshape(-1, PIECE)[self.pieces] = self._contents()
        memory.copy_ends(self.pieces)
        self.barrier.complete(self.tensor.bytes)

    def _contents(self) -> np.ndarray:
        """The box row by row; zero outside of the array."""
        t = self.tensor
        box = np.zeros((*t.box[:0:-1], t.box[0], t.size), np.uint8)
        ranges = [(max(0, c), min(n, c + b)) for c, n, b in zip(self.corner, t.extents, t.box)]
        if all(a < b for a, b in ranges):
            region = self.block.memory.arrays.region_of(t.address)
            start = (t.address + sum(a * s for (a, _), s in zip(ranges, t.strides))) % (1 << 64) - region.base
            lengths = [b - a for a, b in ranges]
            end = start + sum((n - 1) * s for n, s in zip(lengths, t.strides)) + t.size
            if start < region.first or end > region.size:
                raise EmulationError(f"a descriptor leads out of {region.name}")
            shape, strides = (*lengths[::-1], t.size), (*t.strides[::-1], 1)
            found = np.lib.stride_tricks.as_strided(region.bytes[start:], shape, strides)
            box[tuple(slice(a - c, b - c) for (a, b), c in zip(ranges[::-1], self.corner[::-1]))] = found
        if t.rounds:
            box = rounded(box.view(np.float32).astype(np.float64), "tfloat32").astype(np.float32).view(np.uint8)
        return box.reshape(-1, PIECE)


def bulk(d, i):
    """cp.async.bulk.tensor from an array to shared memory."""
    rank = next((int(p[0]) for p in i.parts if p in ("1d", "2d", "3d", "4d", "5d")), 0)
    if "tensor" not in i.parts or "tile" not in i.parts or i.parts[5:7] != ["shared::cluster", "global"] or not rank:
        raise EmulationError(i.text)
    inner = i.operands[1].strip()[1:-1]
    name, _, corner = inner.partition(",")
    to, source, barrier = addresses(d, i, i.operands[0]), addresses(d, i, f"[{name.strip()}]"), addresses(d, i, i.operands[2])
    corners = [d.source(c, "s32", i) for c in d.vector(corner.strip())]
    if len(corners) != rank:
        raise EmulationError(i.text)

    def run(w, m):
        lanes = range(32) if m is True else np.flatnonzero(m)
        for n, lane in enumerate(lanes):
            tensor = described(w, int(source(w, m)[n]))
            if len(tensor.box) != rank:
                raise EmulationError(f"a descriptor of {len(tensor.box)} axes")
            at = tuple(int(w.rows[c][lane]) for c in corners)
            w.block.copies.append(BoxCopy(w.block, int(to(w, m)[n]), tensor, at, w.block.phase_barrier(int(barrier(w, m)[n]))))

    return run


def described(w, address: int) -> Map:
    (region, _, where), = w.block.memory.locate(np.array([address], np.uint64), "generic", 64)
    first, number = region.bytes[where[0] : where[0] + 16].view(np.uint64)
    if first != MAGIC:
        raise EmulationError("there is no descriptor")
    return w.block.maps[int(number) - 1]
