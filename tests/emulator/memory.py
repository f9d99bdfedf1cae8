"""Memory of arrays, parameters and of a block, with bounds, alignment, and notes of what is under way in shared memory.

All have their place in one space of addresses, so that those of one kind may be used as generic ones.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from .errors import EmulationError, Hazard

SHARED_BASE = 1024  # where a block's own begins
PARAMETER_BASE = 1 << 28
CONSTANT_BASE = 1 << 30
ARRAY_BASE = 1 << 44
PIECE = 16  # bytes: the grain of the notes on shared memory


class Region:
    """Bytes from an address, a multiple of 16, on; those before `first` are none of it. `views` are its elements of 1 to 8 bytes."""

    def __init__(self, name: str, base: int, size: int, fill: int = 0, first: int = 0):
        self.name, self.base, self.size, self.first = name, base, size, first
        self.bytes = np.full(-(-size // 16) * 16 + 16, fill, np.uint8)
        self.views = {width: self.bytes.view(f"u{width}") for width in (1, 2, 4, 8)}

    def wrote(self, where: np.ndarray, size: int, warp) -> None:
        """Called before `size` bytes at each of these offsets are written."""

    def reads(self, where: np.ndarray, size: int) -> None:
        """Called before they are read."""


class Shared(Region):
    """The shared memory of a block. It counts who reads and writes each piece asynchronously, and remembers what
    ordinary writes the tensor cores and the copy engine do not see yet."""

    def __init__(self, size: int):
        super().__init__("shared memory", SHARED_BASE, size, 0xFF)
        pieces = len(self.bytes) // PIECE
        self.read_by = np.zeros(pieces, np.int32)  # products under way
        self.written_by = np.zeros(pieces, np.int32)  # copies under way
        self.unseen = np.zeros(pieces, np.int32)  # 1 + the warp that wrote
        self.readers = self.writers = 0

    @staticmethod
    def pieces(where: np.ndarray, size: int) -> np.ndarray:
        if size <= PIECE:
            return where // PIECE
        return (where[:, None] + np.arange(0, size, PIECE)).ravel() // PIECE

    def wrote(self, where, size, warp):
        touched = where // PIECE if size <= PIECE else self.pieces(where, size)
        if self.readers and self.read_by[touched].any():
            raise Hazard("writes to shared memory that a product under way reads")
        if self.writers and self.written_by[touched].any():
            raise Hazard("writes to shared memory that a copy under way writes")
        self.unseen[touched] = warp.number + 1

    def reads(self, where, size):
        if self.writers and self.written_by[where // PIECE].any():
            raise Hazard("reads from shared memory that a copy under way writes")

    def fence(self, warp) -> None:
        self.unseen[self.unseen == warp.number + 1] = 0

    def product_begins(self, pieces: np.ndarray) -> None:
        if self.written_by[pieces].any():
            raise Hazard("a product reads shared memory that a copy under way writes")
        if self.unseen[pieces].any():
            who = self.unseen[pieces].max() - 1
            raise Hazard(f"a product reads what warp {who} wrote without a fence.proxy.async")
        self.read_by[pieces] += 1
        self.readers += 1

    def product_ends(self, pieces: np.ndarray) -> None:
        self.read_by[pieces] -= 1
        self.readers -= 1

    def copy_begins(self, pieces: np.ndarray) -> None:
        if self.read_by[pieces].any():
            raise Hazard("a copy is started to shared memory that a product under way reads")
        if self.written_by[pieces].any():
            raise Hazard("a copy is started to shared memory that another copy under way writes")
        self.written_by[pieces] += 1
        self.writers += 1

    def copy_ends(self, pieces: np.ndarray) -> None:
        self.written_by[pieces] -= 1
        self.writers -= 1
        self.unseen[pieces] = 0


class Global:
    """Arrays, each with room around it, so that what lies outside of one lies outside of all."""

    def __init__(self):
        self.regions: list[Region] = []
        self._bases: list[int] = []
        self._next = ARRAY_BASE

    def allocate(self, name: str, size: int, like: int = 0) -> Region:
        """`like`: an address whose alignment the new one shares."""
        first = like % 256
        region = Region(name, self._next, first + size, first=first)
        self.regions.append(region)
        self._bases.append(region.base)
        self._next += (region.size // 4096 + 2) * 4096
        return region

    def region_of(self, address: int) -> Region | None:
        n = bisect_right(self._bases, address) - 1
        return self.regions[n] if n >= 0 else None


class Memory:
    """What a block sees."""

    def __init__(self, arrays: Global, parameters: Region, constants: Region, shared: Shared):
        self.arrays, self.parameters, self.constants, self.shared = arrays, parameters, constants, shared

    def region_of(self, address: int, space: str) -> Region | None:
        if address >= ARRAY_BASE:
            found = self.arrays.region_of(address) if space in ("global", "generic") else None
        elif address >= CONSTANT_BASE:
            found = self.constants if space in ("const", "global", "generic") else None
        elif address >= PARAMETER_BASE:
            found = self.parameters if space in ("param", "generic", "global") else None
        else:
            found = self.shared if space in ("shared", "generic") else None
        return found

    def locate(self, at: np.ndarray, space: str, size: int) -> list[tuple[Region, np.ndarray | None, np.ndarray]]:
        """Regions, the positions in `at` that lie there (None: all of them), and their offsets."""
        first = self.region_of(int(at[0]), space)
        if first is None:
            raise EmulationError(f"no {space} memory at address {int(at[0]):#x}")
        where = at - at.dtype.type(first.base)
        if int(where.max()) + size <= first.size and (not first.first or int(where.min()) >= first.first):
            where = where.astype(np.int64)
            if int(np.bitwise_or.reduce(where)) & size - 1:
                raise EmulationError(f"an access of {size} bytes to {first.name} that is not aligned")
            return [(first, None, where)]
        parts: dict[int, tuple[Region, list[int]]] = {}
        for n, address in enumerate(at):
            region = self.region_of(int(address), space)
            if region is None or not region.first <= int(address) - region.base <= region.size - size:
                near = f"{int(address) - region.base - region.first} of {region.size - region.first} bytes of {region.name}" if region else "nowhere"
                raise EmulationError(f"an access of {size} bytes at {int(address):#x} in {space} memory is out of bounds: {near}")
            parts.setdefault(region.base, (region, []))[1].append(n)
        return [(region, np.array(lanes), (at[lanes] - at.dtype.type(region.base)).astype(np.int64)) for region, lanes in parts.values()]
