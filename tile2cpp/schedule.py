"""How a kernel is run, never what it computes: threads, vectors, barriers, from the IR and the target."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Iterator

from tile2cpp import acquiring, dealing, factors, feeding, flat, ir, parking, reading_ahead, room, sums, warpgroups
from tile2cpp.dtypes import float32
from tile2cpp.emit import emit_feeder
from tile2cpp.emitted import REGISTERS, WARP, Schedule
from tile2cpp.ordering import BLOCK_COLUMNS, LANE_COLUMNS, WARP_STEP, Access, accesses_of, memory_order, order_of, orders_of
from tile2cpp.room import BESIDE_TILES, VECTOR_BYTES
from tile2cpp.types import Tile, is_any_shape
from tile2cpp.warpgroups import MOST_REGISTERS, ROW_FAMILIES
from tile2cpp.writes import written_anywhere

LEAST_THREADS = 32
USUAL_THREADS = 128
MOST_THREADS = 512
ROW_THREADS = 1024  # for one row of at least LONG_ROW elements: it leaves no other way to share the work
LONG_ROW = 32 * 1024
REGISTERS_PER_THREAD = 32  # of the largest tile; more live tiles then fit beside it
PRODUCT_REGISTERS = 128  # of an accumulator: reuse of operands is worth more than occupancy
HINTED_REGISTERS = 64  # of the largest tile, where an author asks for few threads
MATRIX_REGISTERS = 64  # of an accumulator where the factors are in registers too
WIDEST_VECTOR = 8
OLDEST_MATRIX_TARGET = 80  # mma.sync of all elements, cp.async
BLOCK_ROWS, BLOCK_DEPTH_BITS = 16, 256  # of one matrix instruction
WHOLE_PRODUCT_REGISTERS = 176  # of a thread, for the sums and both factors of a product
STREAM_REGISTERS = 112  # of a thread beside the accumulator, for fragments and addresses
SHARED_BYTES = {80: 163 * 1024, 87: 163 * 1024, 90: warpgroups.SHARED_BYTES, 100: 227 * 1024, 103: 227 * 1024, 110: 227 * 1024}  # of a block at most
SHARED_OVERHEAD = 3 * 1024  # of a block: what the system takes, and the notes of the stages
SCRATCH_BYTES = 32 * 1024
WIDEST_PARTIAL = 16  # bytes that a thread passes to others at once: a number of 64 bits and its index
MOST_STAGES = 4
SLICES = 1, 2, 4  # of a product, the fewest first
SCRATCH_FAMILIES = (*ROW_FAMILIES, "shape")
LETTING_BEGIN = "grid_dependency_control_launch_dependents"
MAX_RESIDENT = {75: 1024, 86: 1536, 87: 1536, 89: 1536, 120: 1536, 121: 1536}  # threads per multiprocessor; 2048 elsewhere


def choose(kernel: ir.Kernel, target: int | None, maps: bool | None = None) -> Schedule:
    """The schedule of `kernel` for compute capability `target` (None: the host, where it has no effect).

    `maps`: whether the launch can pass descriptors of arrays beside the parameters; None: what any launch can do.
    """
    tiles = sorted({t for f in kernel.functions for t in _tiles(f)}, key=lambda t: (t.size, t.shape, t.dtype.bits))
    accesses = list(accesses_of(kernel, kernel.main, {}, False))
    largest = tiles[-1] if tiles else Tile(None, ())
    widest = max((int(t.shape[-1]) for t in tiles if t.shape), default=1)  # without the author's name for it
    element = min((a.element_bytes for a in accesses), default=4)
    vector = max(1, min(WIDEST_VECTOR, VECTOR_BYTES // element, widest))
    calls = [c for f in kernel.functions for c in ir.calls(f.body)]
    products, reduces = [c for c in calls if factors.is_product(c)], any(c.op.family in ROW_FAMILIES for c in calls)
    product = (target or 0) >= OLDEST_MATRIX_TARGET and any(_has_instruction(c) for c in products)
    fetches = product and acquiring.may_fetch(kernel, accesses)
    written = written_anywhere(kernel)
    streamed = [c for f in kernel.functions for c in _streamed(f.body, written[f.name])] if fetches and acquiring.may_fetch(kernel, accesses, again=True) else []
    in_registers = len(streamed) < len(products)
    threads = _threads(largest, vector, MATRIX_REGISTERS if in_registers else PRODUCT_REGISTERS if products else REGISTERS_PER_THREAD)
    if not products:
        threads = room.threads_for(kernel, threads, MOST_THREADS, lambda n: (n, vector, _columns(largest, n, vector, widest, calls)))
    if product and not _stage_bytes(streamed, target, 1, 0):
        threads = _for_whole_products(products, threads)
    hints = resolve(dict(kernel.hints), target)
    if hints.get("num_worker_warps") and not products:
        threads = _asked_for(hints["num_worker_warps"] * WARP, largest)
    columns = _columns(largest, threads, vector, widest, calls)
    if product:
        vector, columns = 2, LANE_COLUMNS * _column_warps(products, threads // WARP, reduces)
    wanted, opt_level = hints.get("occupancy") or 0, hints.get("opt_level", 3)
    # More blocks than the registers allow would make the compiler spill, which costs more than it gains.
    per_thread = BESIDE_TILES + 2 * _registers(largest) // threads
    blocks = min(wanted, MAX_RESIDENT.get(target, 2048) // threads, REGISTERS // (per_thread * threads))
    # The entry says that stores meet; who starts the kernel without it (`maps` is None) knows of no such thing.
    ordered, stores_meet = order_of(accesses, threads, vector, columns, product, alone=maps is not None)
    scratch = in_registers or any(c.op.family in SCRATCH_FAMILIES for c in calls)
    together = blocks or max(1, REGISTERS // (threads * min(MOST_REGISTERS, STREAM_REGISTERS + _registers(largest) // threads)))
    if fetches and maps is not None:
        in_rings = _in_rings(kernel, target, maps, accesses, products, vector)
        if in_rings is not None:
            return replace(in_rings, opt_level=opt_level)
    # Who starts the kernel without its entry has other kernels in the same file.
    early = ordered and fetches and maps is not None
    shared = 0 if ordered and not early else _stage_bytes(streamed, target, min(together, 2), SCRATCH_BYTES if scratch else 0)
    if not blocks and not products and target:
        blocks = min(room.blocks_for(kernel, accesses, threads, vector, columns), MAX_RESIDENT.get(target, 2048) // threads)
    if not blocks and products and target and target < OLDEST_MATRIX_TARGET:
        blocks = 1  # sums and factors take most registers; left to itself, the compiler spills some for a second block
    moved = SCRATCH_BYTES if products else _scratch_bytes(tiles, threads)
    parked: tuple[str, ...] = ()
    # Parked tiles are read late: not where others may wait until they have been.
    if not products and not ordered and not any(a.strong for a in accesses) and (target or 0) >= OLDEST_MATRIX_TARGET:
        parked, shared = _parked(kernel, target, threads, vector, columns, moved)
    ahead = bool(streamed and shared) and reading_ahead.reads_ahead(kernel)
    rows = dealing.rows_of(kernel, lambda tile: room.slots(tile, threads, vector, columns)) if maps and not products else ()
    return Schedule(threads, vector, columns, ordered, blocks, product, shared, opt_level=opt_level, scratch=moved, parked=parked, reads_ahead=ahead, rows=rows, stores_meet=stores_meet, early=early and shared > 0, **orders_of(accesses))


def lets_begin(kernel: ir.Kernel) -> bool:
    """Whether the author lets dependent kernels begin early. It is not for everyone: where blocks say so, the GPU starts half as many in a second."""
    return LETTING_BEGIN in kernel.unwritten


def _in_rings(kernel: ir.Kernel, target: int | None, maps: bool, accesses: list[Access], products: list[ir.Call], vector: int) -> Schedule | None:
    """The schedule of a kernel whose factors wait in rings, for warpgroups or for single warps; None where they cannot."""
    runs = warpgroups.plan(kernel, target, maps) or flat.plan(kernel, target, maps)
    if runs is None:
        return None
    columns = LANE_COLUMNS  # warpgroups lie along the rows
    if runs.flat:
        columns *= _column_warps(products, runs.threads // WARP, any(c.op.family in ROW_FAMILIES for f in kernel.functions for c in ir.calls(f.body)))
    asked = any(a.asks for a in accesses)
    ordered, stores_meet = order_of(accesses, runs.threads, vector, columns, True, alone=True)
    if ordered and not runs.feeder:
        return None
    return Schedule(
        runs.threads, vector, columns, ordered=ordered, early=ordered, blocks=runs.blocks, product=True, shared=runs.shared, rings=runs.rings, residents=runs.residents, maps=runs.maps,
        fixed_loads=runs.fixed_loads, feeder=emit_feeder(kernel, runs.feeder, len(runs.maps)) if runs.feeder else "", walks=_walks(runs, asked), **orders_of(accesses), wide=runs.wide,
        turned=runs.turned, flat=runs.flat, keeps_sums=sums.are_kept(kernel) or (not runs.flat and sums.may_end_early(kernel)), stores_meet=stores_meet,
    )  # fmt: skip


def _parked(kernel: ir.Kernel, target: int | None, threads: int, vector: int, columns: int, scratch: int) -> tuple[tuple[str, ...], int]:
    """The variables whose tiles wait in shared memory, beside `scratch` bytes of it, and the bytes of all of them."""
    registers = min(MOST_REGISTERS, REGISTERS // threads) - BESIDE_TILES
    left = SHARED_BYTES.get(target, 99 * 1024) - scratch - SHARED_OVERHEAD
    names, each = parking.plan(kernel, lambda tile: room.slots(tile, threads, vector, columns), threads, vector, registers, left)
    return names, each * len(names)


def _walks(runs: warpgroups.Plan, asked: bool) -> bool:
    """Whether each block of a launch runs many blocks of the grid: where others fetch for the products, and all factors are new ones.

    Then the products of the next block need not wait for what is fetched. The blocks are given out beforehand, so they must
    take the same time: how often loops turn may not depend on where in the grid a block is. Where right factors pass through registers,
    there are none left for what does not change from block to block. A block that asks what others have done (`asked`) could wait for one that has not begun.
    """
    return runs.feeder is not None and not runs.residents and not runs.turned and feeding.turns_alike(runs.feeder) and not asked


def _scratch_bytes(tiles: list[Tile], threads: int) -> int:
    """Shared memory through which the largest tile moves at once; more would keep other blocks from running beside."""
    most = max((t.size * t.dtype.bytes for t in tiles if t.dtype), default=0)
    return min(SCRATCH_BYTES, max(threads * WIDEST_PARTIAL, 1 << max(0, most - 1).bit_length()))


def _works_on_rows(calls: list[ir.Call]) -> bool:
    """Whether what is reduced or scanned is rows, and nothing across them."""
    together = [c for c in calls if c.op.family in ROW_FAMILIES]
    return bool(together) and all(_axes(c) == (len(_first_tile(c).shape) - 1,) for c in together)


def _works_on_parts(calls: list[ir.Call], largest: Tile, vector: int, widest: int) -> bool:
    """Whether these rows are parts, no longer than a warp's vectors, of the rows of the largest tile, which was reshaped for that."""
    together = [_first_tile(c) for c in calls if c.op.family in ROW_FAMILIES]
    return _works_on_rows(calls) and all(t.size == largest.size and t.shape[-1] < widest and t.shape[-1] <= LEAST_THREADS * vector for t in together)


def _axes(call: ir.Call) -> tuple:
    return call["axis"] if isinstance(call["axis"], tuple) else (call["axis"],)


def _first_tile(call: ir.Call) -> Tile:
    """Of those that are reduced or scanned together."""
    return call["x"][0].type if isinstance(call["x"], tuple) else call["x"].type


def _columns(largest: Tile, threads: int, vector: int, widest: int, calls: list[ir.Call]) -> int:
    """Threads along the last axis: as many as it has vectors. Where rows are reduced, a warp is enough for each, as
    long as there are rows for all warps: then they need not wait for each other. Parts of rows that a warp has anyway are
    dealt out in one line, as whole rows are then, so that reshapes from one to the other move nothing."""
    if _works_on_parts(calls, largest, vector, widest):
        return threads
    most = max(1, min(threads, widest // vector))
    if not _works_on_rows(calls) or not largest.shape or largest.shape[-1] < widest:
        return most
    rows = largest.size // largest.shape[-1]
    return min(most, max(LEAST_THREADS, threads // rows))


def _registers(tile: Tile) -> int:
    """Registers that a tile takes in all threads together."""
    return tile.size * max(1, tile.dtype.bits // 32) if tile.dtype else 1


def resolve(hints: dict[str, Any], target: int | None) -> dict[str, Any]:
    """Hints as plain values: `ByTarget` ones are decided, absent ones left out."""
    plain = {name: value.value_for(target) if hasattr(value, "value_for") else value for name, value in hints.items()}
    return {name: value for name, value in plain.items() if value is not None}


def _threads(largest: Tile, vector: int, limit: int) -> int:
    """Threads of a block, so that a thread's share of the largest tile stays in registers."""
    registers = _registers(largest)
    threads = max(LEAST_THREADS, min(USUAL_THREADS, largest.size // vector))
    while threads < MOST_THREADS and registers > limit * threads:
        threads *= 2
    one_row = largest.shape and largest.size == largest.shape[-1] >= LONG_ROW
    return ROW_THREADS if one_row and limit == REGISTERS_PER_THREAD else threads


def _asked_for(threads: int, largest: Tile) -> int:
    """As many threads of a block as its author hints at; more where they could not hold the largest tile, fewer than it has elements."""
    while threads < ROW_THREADS and _registers(largest) > HINTED_REGISTERS * threads:
        threads *= 2
    while threads > max(LEAST_THREADS, largest.size):
        threads //= 2
    return threads


def _for_whole_products(products: list[ir.Call], threads: int) -> int:
    """Threads that hold the sums and both factors of each product, none of which waits in shared memory.

    Not so many that each has fewer registers.
    """
    most = max(sum(t.size * t.dtype.bytes for t in (call["x"].type, call["y"].type, call.type)) for call in products) // 4
    while 2 * threads * MOST_REGISTERS <= REGISTERS and most > WHOLE_PRODUCT_REGISTERS * threads:
        threads *= 2
    return threads


def _streamed(body: tuple, written: set[str], loops: bool = False, loads: dict[str, ir.Call] | None = None) -> Iterator[ir.Call]:
    """The products in loops whose factors are both loaded from arrays that nobody writes, so that they can be fetched ahead."""
    loads = {} if loads is None else loads
    for stmt in body:
        if isinstance(stmt, ir.Let) and (load := _load(stmt.value, loads)) is not None:
            loads[stmt.name] = load
        for root in ir.roots(stmt):
            for call in (e for e in ir.walk(root) if loops and factors.is_product(e) and _has_instruction(e)):
                both = [_load(call[f], loads) for f in ("x", "y")]
                if all(f is not None and f.type.dtype.bits == f.type.dtype.bytes * 8 and _array_of(f) not in written for f in both):
                    yield call
        for block in ir.blocks(stmt):
            yield from _streamed(block, written, loops or isinstance(stmt, (ir.For, ir.While)), loads)


def _array_of(load: ir.Call) -> str | None:
    source = next((v for _, v in load.arguments if isinstance(v, (ir.ArrayName, ir.ViewName))), None)
    return getattr(source.array if isinstance(source, ir.ViewName) else source, "name", None)


def _load(value: ir.Expr, loads: dict[str, ir.Call]) -> ir.Call | None:
    """The load that a factor is, or that it is rounded from; or the one that its variable was given, if it is that and no more."""
    value = factors.as_written(value)
    if factors.rounds(value):
        value = value["x"]
    if isinstance(value, ir.Name):
        return loads.get(value.name)
    if not isinstance(value, ir.Call) or value.op.effect != "load" or memory_order(value) != "WEAK":
        return None
    return value if "index" in dict(value.arguments) else None  # elements by themselves are not fetched ahead


def _stage_bytes(streamed: list[ir.Call], target: int | None, blocks: int, reserved: int) -> int:
    """Shared memory for as many stages of the largest product as `blocks` blocks leave each other; 0 below two.

    Where two whole products find no room, they are fetched in slices along the summed axis.
    """
    product = max((sum(c[f].type.size * c[f].type.dtype.bytes for f in ("x", "y")) for c in streamed), default=0)
    depth = min((c["x"].type.shape[-1] * c["x"].type.dtype.bytes for c in streamed), default=0)
    most = SHARED_BYTES.get(target, 99 * 1024)
    for slices in SLICES if product else ():
        stage = product // slices
        for together in range(blocks, 0, -1) if slices == 1 or depth >= slices * BLOCK_DEPTH_BITS // 8 else ():
            stages = min(MOST_STAGES, ((most + 1024) // together - SHARED_OVERHEAD - reserved) // stage)
            if stages >= min(3, blocks + 1) or (together == 1 and stages >= 2):
                return stages * stage
    return 0


def _has_instruction(product: ir.Call) -> bool:
    """Whether tensor cores multiply such tiles; where they do not, the header falls back to multiply-adds."""
    rows, columns = product.type.shape[-2:] if len(product.type.shape) > 1 else (1, 1)
    depth = product["x"].type.shape[-1] * product["x"].type.dtype.bits
    return rows >= BLOCK_ROWS and columns >= BLOCK_COLUMNS and depth >= BLOCK_DEPTH_BITS and product["x"].type.dtype is not float32


def _column_warps(products: list[ir.Call], warps: int, rows_together: bool) -> int:
    """Warps along the columns of the largest result: so that a warp's share is square, or all along the rows
    where kernels work on whole rows, which then stay inside a warp."""
    shape = max((c.type.shape for c in products if _has_instruction(c)), key=lambda shape: (shape[-2] * shape[-1], shape))
    rows, columns = shape[-2:]
    choices = [n for n in (1, 2, 4, 8, 16) if warps % n == 0 and n * WARP_STEP <= columns and warps // n * WARP_STEP <= rows]
    if not choices or (rows_together and 1 in choices):
        return 1 if rows_together or not choices else choices[0]
    return min(choices, key=lambda n: (rows * n // warps + columns // n, n))


def _tiles(function: ir.Function) -> Iterator[Tile]:
    """The types of all tiles that a function makes; those of a combining function have no shape of their own."""
    types = (getattr(e, "type", None) for e in ir.expressions(function.body))
    return (t for t in types if isinstance(t, Tile) and not is_any_shape(t.shape))
