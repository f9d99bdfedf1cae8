"""Products by whole warpgroups (compute capability 9.0): which factors wait in shared memory, and where.

A factor that is loaded from an array lies in a ring of stages, which the product fills ahead of time. The C++ library
looks its rings up by what is said here, and falls back to slower products for factors without one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Callable, Iterator

from tile2cpp import ir
from tile2cpp.emitted import FEEDING_THREADS, MOST_ASKED_REGISTERS, REGISTERS, SCRATCH_BYTES, WARP, Factor, Resident, Ring, Schedule, TensorMap
from tile2cpp.factors import ALIGNMENT, BLOCK_ROWS, TURNED, TURNING, Operand, Reading, arrays_of, has_instruction, is_product, matrix, products_of, rounds, unchanged
from tile2cpp.feeding import Fed, feeder
from tile2cpp.inlining import inlined
from tile2cpp.liveness import most_live_in_loops
from tile2cpp.lower.names import pointer_name
from tile2cpp.moves import moves
from tile2cpp.ordering import WARP_STEP
from tile2cpp.types import Tile

TARGET = 90
WARPGROUP = 128  # threads
SHARED_BYTES = 227 * 1024
START_BYTES = 16  # for a thread that fetches for a ring
NOTE_BYTES = 256  # for a warp and a ring, barriers included
MOST_STAGES, MANY_STAGES, MOST_FED_STAGES = 4, 3, 6
STAGED_BYTES, WIDE_STAGED_BYTES = 1280, 2304  # of results on their way to memory, for a warp
WIDE_RESULT = 256  # columns
SUM_REGISTERS = 128  # of an accumulator, in one thread
BESIDE_SUMS = 64  # registers of a thread for addresses, loops and fragments
BESIDE_FED_SUMS = 26  # the same at least, where others fetch
BESIDE_LIVE = 10  # the same beside all tiles that wait, some of which the compiler can make again
ROW_FAMILIES = ("reduce", "scan")
MOST_THREADS = 4 * WARPGROUP
MOST_REGISTERS = 255  # of a thread


@dataclass(frozen=True)
class Plan:
    """Threads of a block, the places of factors, and the bytes of shared memory that they take.

    `feeder`: what a warp of its own runs to fill the rings; None where the products do so themselves.
    """

    threads: int
    blocks: int  # of a multiprocessor, that the compiler leaves room for
    rings: tuple[Ring, ...]
    residents: tuple[Resident, ...]
    maps: tuple[TensorMap, ...]
    shared: int
    fixed_loads: bool
    feeder: ir.Function | None = None
    turned: bool = False
    wide: bool = False
    flat: bool = False


def plan(kernel: ir.Kernel, target: int | None, maps: bool) -> Plan | None:
    """How warpgroups run the products of `kernel`; None where they cannot. `maps`: the launch can pass descriptors."""
    if target != TARGET:
        return None
    fixed = all(map(keeps_loads, kernel.functions))
    # First as one who feeds sees it: with all products in one body, and slices of arrays. If nobody feeds then, helpers and slices stay what they are.
    whole = inlined(kernel) if maps and fixed else None
    if whole is not None:
        runs = _plan(whole, maps, fixed, True)
        if whole is kernel and (runs is None or not any(m.part is not None for m in runs.maps)):
            return runs
        if runs is not None and runs.feeder is not None:
            return runs
    return _plan(kernel, maps, fixed, False)


def _plan(kernel: ir.Kernel, maps: bool, fixed: bool, parts: bool) -> Plan | None:
    """The same for products where they stand. `parts`: with descriptors of slices, which only who feeds can use.

    Matrices whose rows lie along any axis are for who feeds, too: with rings that threads fill, the
    headers are compiled for each kind of factor, and a kernel of several products takes NVRTC three times as long.
    """
    runs = _plan_of(kernel, maps, fixed, parts, True)
    return runs if runs is not None and runs.feeder is not None else _plan_of(kernel, maps, fixed, parts, False)


def _plan_of(kernel: ir.Kernel, maps: bool, fixed: bool, parts: bool, loose: bool) -> Plan | None:
    """The same of matrices whose rows lie along the axis before the last, or, `loose`, along any."""
    products, turned = _products(kernel, parts, loose)
    shapes = [tuple(int(extent) for extent in call.type.shape) for call, *_ in products]
    threads = _threads(products, shapes, turned)
    if not threads:
        return None
    registers = max(_sums(call) for call, *_ in products)
    # Where rows lie across the instructions, each thread holds sums of a quarter of them, and, on their way to other threads, twice.
    if turned and _reduces(kernel) and registers // threads + max(s[0] for s in shapes) // 2 + BESIDE_FED_SUMS > MOST_ASKED_REGISTERS:
        return None
    pairs = [tuple(o and (o if maps else replace(o, map=None)) for o in pair) for _, *pair in products]
    scratch = moves(kernel, [(call, *(o is not None for o in pair)) for call, *pair in products])
    # Whole lines for wide results, where tiles need no other room.
    wide = not scratch and max(s[1] for s in shapes) >= WIDE_RESULT
    reserved = SCRATCH_BYTES if scratch else threads // WARP * (WIDE_STAGED_BYTES - STAGED_BYTES) if wide else 0
    # Two blocks hide each other's waits, where both have registers and enough stages.
    taken = registers // threads + (0 if turned else _copied(kernel, threads, registers // threads))
    fit = [(2, MANY_STAGES, (SHARED_BYTES + 1024) // 2 - 1024 - reserved)] if taken + BESIDE_SUMS <= REGISTERS // (2 * threads) else []
    alone = 1, 2, SHARED_BYTES - reserved
    for (blocks, least, room), thin in [*((shape, False) for shape in fit), (alone, False), (alone, True)]:
        placed = places(pairs, threads, blocks, least, MOST_STAGES, room, thin)
        if placed is None or (thin and not (maps and fixed)):
            continue
        placed = replace(placed, wide=wide)
        # One who feeds can fetch what stays, too.
        fed = replace(placed, maps=tuple(dict.fromkeys([*placed.maps, *(o.map for pair in pairs for o in pair if o is not None and o.map is not None)])))
        feeds = feeder_of(kernel, fed, products, lambda call: has_instruction(call) or has_instruction(call, True)) if fixed else None
        if blocks > 1 and feeds is not None and _live(kernel, threads) + BESIDE_LIVE > Schedule(threads=threads, blocks=blocks, feeder="some").product_registers:
            continue
        if feeds is None:
            return None if thin or _needs_feeder(products, turned) else replace(placed, fixed_loads=fixed)
        # Registers are given out evenly at first, and must suffice for the instructions.
        if registers // threads + BESIDE_FED_SUMS <= REGISTERS // (blocks * (threads + FEEDING_THREADS)):
            more = places(pairs, threads, blocks, least, MOST_FED_STAGES, room, thin)
            return replace(fed, rings=more.rings, residents=more.residents, shared=more.shared, fixed_loads=fixed, feeder=feeds, turned=turned)
        if blocks == 1:
            return None if thin or _needs_feeder(products, turned) else replace(placed, fixed_loads=fixed)
    return None


def _products(kernel: ir.Kernel, parts: bool, loose: bool) -> tuple[list, bool]:
    """The products that can be run as they are, else those that can with rows and columns swapped; and whether they are swapped."""
    for turned in (False, True):
        products = [p for f in kernel.functions for p in products_of(f.body, Reading(arrays_of(kernel, f, parts), {}, turned, loose=loose), 0)]
        if products:
            return products, turned
    return [], False


def _threads(products: list, shapes: list[tuple[int, ...]], turned: bool) -> int:
    """Threads that have registers for the sums of each product, and rows for each warpgroup; 0 where there is no such number."""
    if not products:
        return 0
    # Warpgroups lie along the rows, or, where these are swapped, along the columns.
    rows, registers = min(s[turned] for s in shapes), max(_sums(call) for call, *_ in products)
    least = max(TURNED[call["x"].type.dtype] for call, *_ in products) if turned else BLOCK_ROWS
    threads = WARPGROUP * max(1, min(rows // least, 2))
    while registers > SUM_REGISTERS * threads and threads < MOST_THREADS:
        threads *= 2
    fits = registers <= SUM_REGISTERS * threads and registers // threads + BESIDE_SUMS <= REGISTERS // threads
    return threads if fits and rows >= threads // WARPGROUP * least else 0


def _sums(product: ir.Call) -> int:
    """Registers of its result; of one of two bytes, which is rounded from wider sums, and of what it is added to."""
    return product.type.size * (2 if product.type.dtype in TURNING else 1)


def _copied(kernel: ir.Kernel, threads: int, sums: int) -> int:
    """Registers of a tile with fewer rows than all warps have, such as a result turned round: several threads hold its elements.

    0 where it takes no more than `sums`.
    """
    rows = threads // WARP * WARP_STEP
    tiles = {c.type.shape for f in kernel.functions for c in ir.calls(f.body) if isinstance(c.type, Tile) and len(c.type.shape) == 2}
    most = max((rows * int(columns) // threads for lines, columns in tiles if 1 < int(lines) < rows), default=0)
    return most if most > sums else 0


def _live(kernel: ir.Kernel, threads: int) -> float:
    """Registers of a thread for all tiles that wait in a loop with products: sums of several, and what is computed of one result for the next.
    What was loaded waits in shared memory, or can be read again."""
    loaded = loaded_variables(kernel.main)
    body = ir.rebuild(kernel.main.body, lambda s: None if isinstance(s, ir.Let) and s.name in loaded else s)
    return most_live_in_loops(body, lambda tile: tile.size // threads, lambda loop: any(map(is_product, ir.expressions((loop,)))))


def _reduces(kernel: ir.Kernel) -> bool:
    """Whether anything is reduced or scanned."""
    return any(c.op.family in ROW_FAMILIES for f in kernel.functions for c in ir.calls(f.body))


def _needs_feeder(products: list, turned: bool) -> bool:
    """Whether only the engine's copies will do: it rounds single precision on the way, and only fed products are turned."""
    return turned or any(o is not None and o.rounds for _, *pair in products for o in pair)


def feeder_of(kernel: ir.Kernel, placed: Plan, products: list, could_be: Callable[[ir.Call], bool]) -> ir.Function | None:
    """What fills the rings, if the engine can, and if all products that `could_be` fed are among `products`: none may take a turn that nobody expects.
    A product whose factor was computed, and not as the instructions take it, takes none."""
    known = {id(call) for call, *_ in products}
    possible = [c for f in kernel.functions for c in _that_take_turns(f, f is kernel.main) if could_be(c)]
    if not placed.rings or not all(ring.mapped for ring in placed.rings) or any(id(c) not in known for c in possible):
        return None
    names = {m: _descriptor(m, f"&map__{number}") for number, m in enumerate(placed.maps)}
    return feeder(kernel, [Fed(call, *(names.get(o and o.map) for o in pair), pair[0] is not None) for call, *pair in products])


def _that_take_turns(function: ir.Function, main: bool) -> Iterator[ir.Call]:
    """The products of a function but for those that surely find a factor in registers, where the instructions do not take it: the right one, or a left one of
    8 or 32 bits. What helpers are given may lie in memory."""
    loaded = loaded_variables(function)
    for call in filter(is_product, ir.calls(function.body)):
        held = [not may_be_placed(call[factor], loaded) for factor in ("x", "y")] if main else [False, False]
        if not held[1] and not (held[0] and call["x"].type.dtype not in TURNING):
            yield call


def _descriptor(tensor_map: TensorMap, address: str) -> str:
    """What the feeder is told of the array that a factor lies in."""
    if tensor_map.part is None:
        return address
    return f"tile2cpp::backend::part_map<{tensor_map.order.index(tensor_map.part)}>{{{address}, {pointer_name(tensor_map.name)}}}"


def keeps_loads(function: ir.Function) -> bool:
    """Whether no variable that may hold what was loaded takes another value. What helpers give back has been read, and so have their
    parameters that change."""
    changed = {s.name for s in ir.statements(function.body) if isinstance(s, ir.Set)}
    return not changed & loaded_variables(function)


def loaded_variables(function: ir.Function) -> set[str]:
    """The variables that may hold what was loaded and has not been read: matrices, as only these are factors."""
    loaded: set[str] = set()
    for stmt in ir.statements(function.body):
        if isinstance(stmt, ir.Let) and isinstance(stmt.value.type, Tile) and matrix(stmt.value.type.shape) is not None and may_be_placed(stmt.value, loaded):
            loaded.add(stmt.name)
    return loaded


def may_be_placed(value: ir.Expr, loaded: set[str]) -> bool:
    """Whether it is one of the variables `loaded`, or another load."""
    if isinstance(value, ir.Name):
        return value.name in loaded
    if isinstance(value, ir.Call) and (value.op.name in ("transpose", "permute", "reshape", "item", "expand_dims") or rounds(value)):
        return may_be_placed(value["x"], loaded)
    same = unchanged(value)
    if same is not None:
        return may_be_placed(same, loaded)
    return isinstance(value, ir.Call) and value.op.effect == "load"


def places(pairs: list[tuple[Operand | None, Operand]], threads: int, blocks: int, least: int, most: int, room: int, thin: bool = False) -> Plan | None:
    """A ring for the moving factors of each product, a place for those that stay; as many stages as fit, from `least` to `most`.

    `thin`: one stage is enough for rings whose products all have a left factor in registers. These are complete when they return, so the stage is free
    before the next product asks for it, and its next factor comes while other products run.
    """
    moving: dict[tuple[Factor | None, Factor | None], bool] = {}
    found: dict[TensorMap, None] = {}
    for pair in pairs:
        parts = [o for o in pair if o is not None and o.moves]
        key = _moving_part(pair)
        moving[key] = moving.get(key, True) and all(o.map is not None for o in parts)
        found |= {o.map: None for o in parts if o.map is not None}
    moving.pop((None, None), None)
    kept_full = {key for key, pair in zip(map(_moving_part, pairs), pairs) if pair[0] is not None}
    still = dict.fromkeys((role, factor) for pair in pairs for role, factor in _still(pair, moving))
    mapped = tuple(m for m in found if any(m.factor in key for key, has in moving.items() if has))
    warps = threads // WARP
    fetching = sum(not has for has in moving.values())
    room -= ALIGNMENT + warps * (STAGED_BYTES + NOTE_BYTES * (1 + len(moving) + len(still))) + fetching * threads * START_BYTES
    for stages in range(most, least - 1, -1):
        rings, offset = [], 0
        for (left, right), has in moving.items():
            rings.append(Ring(left, right, offset, 1 if thin and (left, right) not in kept_full else stages, has))
            offset += rings[-1].stages * rings[-1].bytes
        residents = []
        for role, factor in still:
            residents.append(Resident(role, factor, offset))
            offset += factor.bytes
        if offset <= room:
            return Plan(threads, blocks, tuple(rings), tuple(residents), mapped, ALIGNMENT + offset, False)
    return None


def _moving_part(pair: tuple[Operand | None, Operand]) -> tuple[Factor | None, Factor | None]:
    """The factors of a product that are fetched anew with it."""
    return tuple(o.factor if o is not None and o.moves else None for o in pair)


def _still(pair: tuple[Operand | None, Operand], moving: dict) -> Iterator[tuple[str, Factor]]:
    """The factors of a product that need a place of their own; one that stays may lie in the ring of another product with such factors."""
    left, right = (o and o.factor for o in pair)
    if (left, right) in moving:
        return
    if left is not None and not pair[0].moves:
        yield "a", left
    if not pair[1].moves and (None, right) not in moving:
        yield "b", right
