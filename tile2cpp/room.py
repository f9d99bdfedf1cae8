"""For how many blocks of a multiprocessor the compiler is asked to leave registers, in kernels without products.

Left to itself, it takes what it likes, and often a few registers more than some number of blocks leaves. A limit is no gift
either: below it, the compiler takes all that it may.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Callable

from tile2cpp import ir
from tile2cpp.emitted import REGISTERS
from tile2cpp.liveness import REGISTER_BITS, most_live, most_live_in
from tile2cpp.types import Array, Tile
from tile2cpp.warpgroups import MOST_REGISTERS, ROW_FAMILIES

if TYPE_CHECKING:
    from tile2cpp.ordering import Access

SNUG_REGISTERS = 64  # of a thread: with four blocks of 256 threads
LARGE_REGISTERS, MOST_LIVE_REGISTERS = 60, 66  # of the tiles that wait; with less, what the compiler takes by itself leaves room for four
LIGHT_REGISTERS, LIGHT_SLOTS = 32, 8  # of a thread: with all threads that a multiprocessor can hold; and elements of a tile
LIGHT_FAMILIES = ("memory", "cast", "create", "compare", "grid")
LIGHT_MATH = ("add", "sub", "mul", "truediv", "minimum", "maximum", "negative", "abs", "exp", "exp2", "sqrt", "rsqrt")
ALL_REGISTERS_FROM = 96  # of a thread: of two blocks of 512 threads, the compiler would spill a third of so many
PATIENT_THREADS = 256  # with larger blocks, a few more registers leave room for one block instead of two
VECTOR_BYTES = 16  # one load instruction
BESIDE_TILES = 40  # registers of a thread for addresses, loops and masks
LOOP_REGISTERS, ACCESS_REGISTERS = 16, 8  # of a thread beside the tiles: for a loop, and for addresses and masks of each access in it


def blocks_for(kernel: ir.Kernel, accesses: list[Access], threads: int, vector: int, columns: int) -> int:
    """The blocks to ask for; 0 where the compiler decides.

    Rows that are loaded, reduced and stored take turns with each other, in blocks beside each other: many small ones. Of a loop that only
    loads, whole tiles should be on their way.
    """
    snug = REGISTERS // (threads * SNUG_REGISTERS)

    def held(tile: Tile) -> int:
        return slots(tile, threads, vector, columns)

    if _is_crowded(kernel, vector, held):
        return snug
    if _divides_few(kernel, held):
        return REGISTERS // (threads * LIGHT_REGISTERS)
    if not _loads_runs_in_loops(accesses, threads * vector):
        return 0
    in_turn = [stmt for stmt in kernel.main.body if _takes_rows_in_turn(stmt)]
    taken = max((_registers_in(loop, kernel, held) for loop in in_turn), default=0)
    if threads > PATIENT_THREADS:
        return 1 if taken > ALL_REGISTERS_FROM else 0
    if not in_turn:
        return 1
    return snug if taken <= SNUG_REGISTERS else max(1, REGISTERS // (threads * taken))


def threads_for(kernel: ir.Kernel, threads: int, most: int, layout: Callable[[int], tuple[int, int, int]]) -> int:
    """Threads, `most` at most, that hold all that a loop keeps: sums of all rounds, what each round multiplies by, and its own tiles.

    `layout`: the other arguments of `slots`, by the number of threads.
    """
    loops = [stmt for stmt in kernel.main.body if isinstance(stmt, (ir.For, ir.While))]

    def live(number: int) -> float:
        return max((most_live_in(loop, kernel.main.body, lambda tile: slots(tile, *layout(number))) or 0.0 for loop in loops), default=0.0)

    while threads < most and live(threads) + BESIDE_TILES > MOST_REGISTERS:
        threads *= 2
    return threads


def slots(tile: Tile, threads: int, vector: int, columns: int) -> int:
    """Elements that one thread holds."""
    width = tile.shape[-1] if tile.shape else 1
    return max(1, tile.size // width * columns // threads) * max(min(width, vector), width // columns)


def _is_crowded(kernel: ir.Kernel, vector: int, held: Callable[[Tile], int]) -> bool:
    """Whether a thread can do with `SNUG_REGISTERS`, although its tiles are large: those that are wanted last need not all
    be there at once. Left to itself, the compiler takes a few more, and a block less runs beside."""
    arrays = [p.type for p in kernel.main.params if isinstance(p.type, Array)]
    if any(a.alignment < VECTOR_BYTES or a.strides is not None or not a.extents or not a.extents[-1].is_multiple_of(vector) for a in arrays):
        return False  # elements may have to move one by one, which takes more
    live = most_live(kernel.main, held)
    return live is not None and LARGE_REGISTERS <= live <= MOST_LIVE_REGISTERS


def _divides_few(kernel: ir.Kernel, held: Callable[[Tile], int]) -> bool:
    """Whether a thread reads few elements once, divides by some of what it makes of them, and stores. Dividends and divisors wait until it is known that
    they are usual ones, and the compiler takes two registers more than leave room for all threads: `silu` then runs with three quarters of them, at 0.9 of the speed."""
    body = kernel.main.body
    if not all(isinstance(stmt, (ir.Let, ir.Do)) for stmt in body):
        return False
    found = [e for stmt in body for root in ir.roots(stmt) for e in ir.walk(root)]
    calls = [e for e in found if isinstance(e, ir.Call)]
    light = all(c.op.family in LIGHT_FAMILIES or c.op.name in LIGHT_MATH for c in calls) and not any(isinstance(e, ir.Invoke) for e in found)
    tiles = [c.type for c in calls if isinstance(c.type, Tile) and c.type.shape]
    small = all(held(t) <= LIGHT_SLOTS and t.dtype.bits <= REGISTER_BITS for t in tiles)
    divides = any(c.op.name == "truediv" and getattr(c["y"].type, "shape", ()) for c in calls)
    return light and small and divides and sum(c.op.effect == "load" for c in calls) == 1


def _loads_runs_in_loops(accesses: list[Access], together: int) -> bool:
    """Whether a loop loads tiles of more elements than all threads read at once. Left to itself, the compiler saves registers for
    one more block by waiting for each part of a tile before it asks for the next; asked for one block, it asks for all parts first."""
    return any(a.effect == "load" and a.loops and a.tile is not None and prod(a.tile[0]) > together for a in accesses)


def _registers_in(loop: Any, kernel: ir.Kernel, held: Callable[[Tile], int]) -> int:
    """What a thread takes in a loop of the kernel, 0 where nobody knows: sums of all rounds, or what each round multiplies by, may take
    more than `SNUG_REGISTERS`."""
    live = most_live_in(loop, kernel.main.body, held)
    return 0 if live is None else LOOP_REGISTERS + ACCESS_REGISTERS * sum(bool(c.op.effect) for c in _calls(loop)) + round(live)


def _takes_rows_in_turn(loop: Any) -> bool:
    """Whether each round of a loop loads, folds over threads and stores."""
    calls = _calls(loop)
    return {"load", "store"} <= {c.op.effect for c in calls} and any(c.op.family in ROW_FAMILIES for c in calls)


def _calls(loop: Any) -> list[ir.Call]:
    """Those that its own lines make, without the lines of inner loops and branches."""
    return [e for s in getattr(loop, "body", ()) for root in ir.roots(s) for e in ir.walk(root) if isinstance(e, ir.Call)]
