"""Which loaded tiles wait in shared memory, because a kernel keeps more of them than registers hold.

A row that is normalised is wanted twice: for its sum, and when the sum is known. What does not fit into registers would be read from
memory a second time; but shared memory is as large as the registers are, and kernels without products leave it unused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

from tile2cpp import ir, spread
from tile2cpp.types import Array, Tile
from tile2cpp.writes import written_arrays

LOADS = ("load", "view_load")
MOST_AXES = 2
PIECE_BYTES = 16  # that are copied at once
REGISTER_BYTES = 4


@dataclass(frozen=True)
class Kept:
    """A variable for a loaded tile, the first and the last line of the kernel that ask for it, and its bytes in a thread."""

    name: str
    made: int
    asked: int
    last: int
    tile: Tile
    bytes: int


def plan(kernel: ir.Kernel, slots: Callable[[Tile], int], threads: int, vector: int, registers: int, room: int) -> tuple[tuple[str, ...], int]:
    """The variables whose tiles are parked, in the order in which they are loaded, and the bytes of each; none where registers suffice.

    `slots(tile)`: elements that one thread holds; `registers` of a thread that tiles may take while they wait; `room`: bytes of shared memory.
    All are of one size, and loaded before the first one is asked for.
    """
    # Pieces of one thread alone. The library counts the copies that have begun, so it must agree on which tiles are parked.
    kept = [k for k in _kept(kernel, slots) if k.tile.dtype.bytes * vector == PIECE_BYTES and k.tile.shape[-1] >= vector and slots(k.tile) * threads == k.tile.size]
    if not kept or _most(kept) <= registers * REGISTER_BYTES:
        return (), 0
    size = kept[-1].tile.size * kept[-1].tile.dtype.bytes
    parked: list[Kept] = []
    for one in reversed([k for k in kept if k.tile == kept[-1].tile]):
        first_asked = min([one.asked, *(p.asked for p in parked)])
        if size * (len(parked) + 1) > room or max([one.made, *(p.made for p in parked)]) >= first_asked:
            break
        parked.insert(0, one)
    return tuple(p.name for p in parked), size if parked else 0


def _kept(kernel: ir.Kernel, slots: Callable[[Tile], int]) -> list[Kept]:
    """The variables that hold loaded tiles from one line of the kernel to others; of the lines of loops and branches, none counts."""
    body = kernel.main.body
    fixed, written = spread.fixed_values(body), written_arrays(kernel)[kernel.main.name]
    used = [{e.name for e in ir.expressions((stmt,)) if isinstance(e, ir.Name)} for stmt in body]
    found = []
    for line, stmt in enumerate(body):
        if isinstance(stmt, ir.Let) and stmt.name in fixed and _is_load(stmt.value, written):
            asked = [n for n, names in enumerate(used) if stmt.name in names]
            if len(asked) > 1:
                tile = stmt.value.type
                found.append(Kept(stmt.name, line, asked[0], asked[-1], tile, slots(tile) * tile.dtype.bytes))
    return found


def _is_load(value: object, written: set[str]) -> bool:
    """Whether a value is a whole tile of an array that the kernel only reads, of one or two axes as they lie there, along rows."""
    if not isinstance(value, ir.Call) or value.op.name not in LOADS:
        return False
    arguments = dict(value.arguments)
    if arguments.get("memory_order", "WEAK") not in ("WEAK", None):
        return False
    source = arguments.get("array", arguments.get("view"))
    array = source.array if isinstance(source, ir.ViewName) else source
    if not isinstance(array, ir.ArrayName) or not isinstance(array.type, Array) or not 0 < array.type.ndim <= MOST_AXES or array.name in written:
        return False
    if array.type.strides is not None and array.type.strides[-1].value != 1:
        return False
    return arguments.get("order") in (None, tuple(range(array.type.ndim)))


def _most(kept: list[Kept]) -> int:
    """Bytes of a thread at the line where most of them wait."""
    return max(sum(other.bytes for other in kept if other.made <= one.made < other.last) for one in kept)
