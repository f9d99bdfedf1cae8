"""For how many blocks of a multiprocessor the compiler is asked to leave registers, in kernels without products.

Left to itself, it takes what it likes, and often a few registers more than some number of blocks leaves. A limit is no gift
either: below it, the compiler takes all that it may.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from tile2cpp import ir
from tile2cpp.emitted import REGISTERS
from tile2cpp.liveness import most_live
from tile2cpp.types import Array, Tile
from tile2cpp.warpgroups import ROW_FAMILIES

if TYPE_CHECKING:
    from tile2cpp.schedule import Access

SNUG_REGISTERS = 64  # of a thread: with four blocks of 256 threads
LARGE_REGISTERS, MOST_LIVE_REGISTERS = 60, 66  # of the tiles that wait; with less, what the compiler takes by itself leaves room for four
PATIENT_THREADS = 256  # with larger blocks, a few more registers leave room for one block instead of two
VECTOR_BYTES = 16  # one load instruction


def blocks_for(kernel: ir.Kernel, accesses: list[Access], threads: int, vector: int, columns: int) -> int:
    """The blocks to ask for; 0 where the compiler decides.

    Rows that are loaded, reduced and stored take turns with each other, in blocks beside each other: many small ones. Of a loop that only
    loads, whole tiles should be on their way.
    """
    snug = REGISTERS // (threads * SNUG_REGISTERS)
    if _is_crowded(kernel, threads, vector, columns):
        return snug
    if threads > PATIENT_THREADS or not _loads_runs_in_loops(accesses, threads * vector):
        return 0
    return snug if any(_takes_rows_in_turn(stmt) for stmt in kernel.main.body) else 1


def slots(tile: Tile, threads: int, vector: int, columns: int) -> int:
    """Elements that one thread holds."""
    width = tile.shape[-1] if tile.shape else 1
    return max(1, tile.size // width * columns // threads) * max(min(width, vector), width // columns)


def _is_crowded(kernel: ir.Kernel, threads: int, vector: int, columns: int) -> bool:
    """Whether a thread can do with `SNUG_REGISTERS`, although its tiles are large: those that are wanted last need not all
    be there at once. Left to itself, the compiler takes a few more, and a block less runs beside."""
    arrays = [p.type for p in kernel.main.params if isinstance(p.type, Array)]
    if any(a.alignment < VECTOR_BYTES or a.strides is not None or not a.extents or not a.extents[-1].is_multiple_of(vector) for a in arrays):
        return False  # elements may have to move one by one, which takes more
    live = most_live(kernel.main, lambda tile: slots(tile, threads, vector, columns))
    return live is not None and LARGE_REGISTERS <= live <= MOST_LIVE_REGISTERS


def _loads_runs_in_loops(accesses: list[Access], together: int) -> bool:
    """Whether a loop loads tiles of more elements than all threads read at once. Left to itself, the compiler saves registers for
    one more block by waiting for each part of a tile before it asks for the next; asked for one block, it asks for all parts first."""
    return any(a.effect == "load" and a.loops and a.tile is not None and prod(a.tile[0]) > together for a in accesses)


def _takes_rows_in_turn(loop: Any) -> bool:
    """Whether each round of a loop loads, folds over threads and stores."""
    calls = [e for s in getattr(loop, "body", ()) for root in ir.roots(s) for e in ir.walk(root) if isinstance(e, ir.Call)]
    return {"load", "store"} <= {c.op.effect for c in calls} and any(c.op.family in ROW_FAMILIES for c in calls)
