"""Products by whole warpgroups (compute capability 9.0): which factors wait in shared memory, and where.

A factor that is loaded from an array lies in a ring of stages, which the product fills ahead of time. The C++ library
looks its rings up by what is said here, and falls back to slower products for factors without one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.dtypes import bfloat16, float8_e4m3fn, float8_e5m2, float16, float32, int8, int32, tfloat32, uint8
from tile2cpp.emitted import FEEDING_THREADS, SCRATCH_BYTES, WARP, Factor, Resident, Ring, TensorMap
from tile2cpp.feeding import Fed, feeder
from tile2cpp.types import Array, Tile, View

TARGET = 90
WARPGROUP = 128  # threads
BLOCK_ROWS = 64  # of the result, for a warpgroup at a time
LEAST_COLUMNS = 8
STEP_BYTES = 32  # of the summed axis, for one instruction
LEAST_ROW_BYTES = 32  # in shared memory
SHARED_BYTES = 227 * 1024
ALIGNMENT = 1024
START_BYTES = 16  # for a thread that fetches for a ring
NOTE_BYTES = 256  # for a warp and a ring, barriers included
MOST_STAGES, MANY_STAGES, MOST_FED_STAGES = 4, 3, 6
STAGED_BYTES, WIDE_STAGED_BYTES = 1280, 2304  # of results on their way to memory, for a warp
WIDE_RESULT = 256  # columns
PRODUCTS = ("mma", "matmul")
ROW_FAMILIES = ("reduce", "scan")
SUMS = {float16: float32, bfloat16: float32, tfloat32: float32, float8_e4m3fn: float32, float8_e5m2: float32, int8: int32, uint8: int32}
TURNING = (float16, bfloat16)  # may lie with the summed axis across their rows
TURNED = {tfloat32: 64, int8: 128, uint8: 128}  # may not, but can be read to registers like that: by columns of a warpgroup at least
REGISTERS = 128  # of an accumulator, in one thread
BESIDE_SUMS = 64  # registers of a thread for addresses, loops and fragments
BESIDE_FED_SUMS = 26  # the same at least, where others fetch
ALL_REGISTERS = 65536  # of a multiprocessor
MOST_REGISTERS = 240  # of a thread that multiplies
MOST_THREADS = 512
MAP_ALIGNMENT = 16  # bytes, of the address and of all strides but the one that is 1
MOST_MAPPED_AXES = 4
MOST_BOX_ROWS = 256


@dataclass(frozen=True)
class Operand:
    """A factor that is loaded from an array, and whether it changes while the product's loop runs."""

    factor: Factor
    moves: bool
    map: TensorMap | None
    rounds: bool = False  # from single precision


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


def plan(kernel: ir.Kernel, target: int | None, scratch: bool, maps: bool) -> Plan | None:
    """How warpgroups run the products of `kernel`; None where they cannot.

    `scratch`: tiles may move between the threads through shared memory. `maps`: the launch can pass descriptors.
    """
    if target != TARGET:
        return None
    for turned in (False, True):
        products = [p for f in kernel.functions for p in _products(f.body, _Reading(_arrays(kernel, f), {}, turned), 0)]
        if products:
            break
    else:
        return None
    shapes = [tuple(int(extent) for extent in call.type.shape) for call, *_ in products]
    # Warpgroups lie along the rows, or, where these are swapped, along the columns.
    rows, registers = min(s[turned] for s in shapes), max(s[0] * s[1] for s in shapes)
    least = max(TURNED[call["x"].type.dtype] for call, *_ in products) if turned else BLOCK_ROWS
    threads = WARPGROUP * max(1, min(rows // least, 2))
    while registers > REGISTERS * threads and threads < MOST_THREADS:
        threads *= 2
    if registers > REGISTERS * threads or rows < threads // WARPGROUP * least or registers // threads + BESIDE_SUMS > ALL_REGISTERS // threads:
        return None
    # Where rows lie across the instructions, each thread holds sums of a quarter of them, and, on their way to other threads, twice.
    if turned and _works_on_rows(kernel) and registers // threads + max(s[0] for s in shapes) // 2 + BESIDE_FED_SUMS > MOST_REGISTERS:
        return None
    pairs = [tuple(o and (o if maps else replace(o, map=None)) for o in pair) for _, *pair in products]
    reserved = SCRATCH_BYTES if scratch else 0
    if max(s[1] for s in shapes) >= WIDE_RESULT:
        reserved += threads // WARP * (WIDE_STAGED_BYTES - STAGED_BYTES)
    fixed = all(map(_keeps_loads, kernel.functions))
    # Two blocks hide each other's waits, where both have registers and enough stages.
    fit = [(2, MANY_STAGES, (SHARED_BYTES + 1024) // 2 - 1024 - reserved)] if registers // threads + BESIDE_SUMS <= ALL_REGISTERS // (2 * threads) else []
    for blocks, least, room in [*fit, (1, 2, SHARED_BYTES - reserved)]:
        placed = _places(pairs, threads, blocks, least, MOST_STAGES, room)
        if placed is None:
            continue
        # One who feeds can fetch what stays, too.
        fed = replace(placed, maps=tuple(dict.fromkeys([*placed.maps, *(o.map for pair in pairs for o in pair if o is not None and o.map is not None)])))
        feeds = _feeder(kernel, fed, products) if fixed else None
        if feeds is None:
            return None if _needs_feeder(products, turned) else replace(placed, fixed_loads=fixed)
        # Registers are given out evenly at first, and must suffice for the instructions.
        if registers // threads + BESIDE_FED_SUMS <= ALL_REGISTERS // (blocks * (threads + FEEDING_THREADS)):
            more = _places(pairs, threads, blocks, least, MOST_FED_STAGES, room)
            return replace(fed, rings=more.rings, residents=more.residents, shared=more.shared, fixed_loads=fixed, feeder=feeds, turned=turned)
        if blocks == 1:
            return None if _needs_feeder(products, turned) else replace(placed, fixed_loads=fixed)
    return None


def _works_on_rows(kernel: ir.Kernel) -> bool:
    """Whether anything is reduced or scanned."""
    roots = (root for f in kernel.functions for s in ir.statements(f.body) for root in ir.roots(s))
    return any(isinstance(e, ir.Call) and e.op.family in ROW_FAMILIES for root in roots for e in ir.walk(root))


def _needs_feeder(products: list, turned: bool) -> bool:
    """Whether only the engine's copies will do: it rounds single precision on the way, and only fed products are turned."""
    return turned or any(o is not None and o.rounds for _, *pair in products for o in pair)


def _feeder(kernel: ir.Kernel, placed: Plan, products: list) -> ir.Function | None:
    """What fills the rings, if the engine can and all products are known: none may take a turn that nobody expects."""
    calls = [c for f in kernel.functions for s in ir.statements(f.body) for root in ir.roots(s) for c in ir.walk(root) if isinstance(c, ir.Call)]
    possible = [c for c in calls if _has_instruction(c) or _has_instruction(c, True)]
    if not placed.rings or not all(ring.mapped for ring in placed.rings) or len(possible) != len(products):
        return None
    names = {m: f"map__{number}" for number, m in enumerate(placed.maps)}
    return feeder(kernel, [Fed(call, *(names.get(o and o.map) for o in pair), pair[0] is not None) for call, *pair in products])


def _keeps_loads(function: ir.Function) -> bool:
    """Whether no variable that may hold what was loaded takes another value; in a helper, that is any parameter, too."""
    changed = {s.name for s in ir.statements(function.body) if isinstance(s, ir.Set)}
    loaded = {p.name for p in function.params if isinstance(p.type, Tile) and p.type.shape}
    for stmt in ir.statements(function.body):
        if isinstance(stmt, ir.Let) and _may_be_placed(stmt.value, loaded):
            loaded.add(stmt.name)
    return not changed & loaded


def _may_be_placed(value: ir.Expr, loaded: set[str]) -> bool:
    if isinstance(value, ir.Name):
        return value.name in loaded
    if isinstance(value, ir.Call) and (value.op.name in ("transpose", "permute", "reshape", "item", "expand_dims") or rounds(value)):
        return _may_be_placed(value["x"], loaded)
    same = unchanged(value)
    if same is not None:
        return _may_be_placed(same, loaded)
    return isinstance(value, ir.Invoke) or (isinstance(value, ir.Call) and value.op.effect == "load")


def rounds(value: ir.Expr) -> bool:
    """Whether single precision is rounded for products; who copies it can do so on the way."""
    if not isinstance(value, ir.Call) or value.op.name != "astype" or value.type.dtype != tfloat32 or value["x"].type.dtype != float32:
        return False
    mode = value["rounding_mode"]
    return getattr(mode, "name", mode) in (None, "RN")


def unchanged(value: ir.Expr) -> ir.Expr | None:
    """The operand of a call that changes nothing, such as a conversion to its own dtype: the file has it in place of the call."""
    if not isinstance(value, ir.Call):
        return None
    given = dict(value.arguments)
    if value.op.name == "cat" and len(given["tiles"]) == 1:
        return given["tiles"][0]
    if not value.type.shape and value.op.name in ("full", "astile"):
        only = given["fill_value"] if value.op.name == "full" else given["value"][0]
        return only if isinstance(only, ir.Expr) else None
    operand = given.get("x")
    alone = value.op.name in ("astype", "broadcast_to") or given.get("axis", 0) in ((), None)
    return operand if alone and operand is not None and value.type == operand.type else None


def _places(pairs: list[tuple[Operand | None, Operand]], threads: int, blocks: int, least: int, most: int, room: int) -> Plan | None:
    """A ring for the moving factors of each product, a place for those that stay; as many stages as fit, from `least` to `most`."""
    moving: dict[tuple[Factor | None, Factor | None], bool] = {}
    found: dict[TensorMap, None] = {}
    for pair in pairs:
        parts = [o for o in pair if o is not None and o.moves]
        key = tuple(o.factor if o in parts else None for o in pair)
        moving[key] = moving.get(key, True) and all(o.map is not None for o in parts)
        found |= {o.map: None for o in parts if o.map is not None}
    moving.pop((None, None), None)
    still = dict.fromkeys((role, factor) for pair in pairs for role, factor in _still(pair, moving))
    mapped = tuple(m for m in found if any(m.factor in key for key, has in moving.items() if has))
    warps = threads // WARP
    fetching = sum(not has for has in moving.values())
    room -= ALIGNMENT + warps * (STAGED_BYTES + NOTE_BYTES * (1 + len(moving) + len(still))) + fetching * threads * START_BYTES
    for stages in range(most, least - 1, -1):
        rings, offset = [], 0
        for (left, right), has in moving.items():
            rings.append(Ring(left, right, offset, stages, has))
            offset += stages * rings[-1].bytes
        residents = []
        for role, factor in still:
            residents.append(Resident(role, factor, offset))
            offset += factor.bytes
        if offset <= room:
            return Plan(threads, blocks, tuple(rings), tuple(residents), mapped, ALIGNMENT + offset, False)
    return None


def _still(pair: tuple[Operand | None, Operand], moving: dict) -> Iterator[tuple[str, Factor]]:
    """The factors of a product that need a place of their own; one that stays may lie in the ring of another product with such factors."""
    left, right = (o and o.factor for o in pair)
    if (left, right) in moving:
        return
    if left is not None and not pair[0].moves:
        yield "a", left
    if not pair[1].moves and (None, right) not in moving:
        yield "b", right


def _arrays(kernel: ir.Kernel, function: ir.Function) -> dict[str, tuple[str, int]]:
    """The arrays that are parameters of the kernel, by the name they have in `function`: their names and numbers."""
    own = {p.name: (p.name, number) for number, p in enumerate(kernel.main.params) if isinstance(p.type, Array)}
    return own if function is kernel.main else _passed(kernel, function, own)


def _passed(kernel: ir.Kernel, helper: ir.Function, own: dict[str, tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """The same for a helper: parameters that every call of the kernel itself gives one and the same array."""
    given: dict[str, set] = {}
    for caller in kernel.functions:
        for stmt in ir.statements(caller.body):
            for call in (e for root in ir.roots(stmt) for e in ir.walk(root) if isinstance(e, ir.Invoke) and e.helper == helper.name):
                for parameter, argument in zip(helper.params, call.arguments):
                    known = own.get(argument.name) if caller is kernel.main and isinstance(argument, ir.ArrayName) else None
                    given.setdefault(parameter.name, set()).add(known)
    return {name: next(iter(found)) for name, found in given.items() if len(found) == 1 and None not in found}


@dataclass(frozen=True)
class _Reading:
    """A function that is read: its arrays, its variables and how deep in loops they were made, and whether products are sought
    whose result is computed with rows and columns swapped.

    These have a right factor in rows along the result's columns, although its instructions take only registers then, as their
    left factor.
    """

    arrays: dict[str, tuple[str, int]]
    lets: dict[str, tuple[Any, int]]
    turned: bool


def _products(body: tuple, reading: _Reading, depth: int) -> Iterator[tuple[ir.Call, Operand | None, Operand]]:
    """The products that warpgroups can run, with the factors that they fetch."""
    for stmt in body:
        for root in ir.roots(stmt):
            for call in (e for e in ir.walk(root) if isinstance(e, ir.Call) and _has_instruction(e, reading.turned)):
                factors = _factors(call, reading, depth)
                if factors is not None:
                    yield call, *factors
        if isinstance(stmt, ir.Let):
            reading.lets[stmt.name] = stmt.value, depth
        for block in ir.blocks(stmt):
            yield from _products(block, reading, depth + isinstance(stmt, (ir.For, ir.While)))


def _factors(call: ir.Call, reading: _Reading, depth: int) -> tuple[Operand | None, Operand] | None:
    a, b = call["x"], call["y"]
    left, right = _factor("a", a, reading, depth), _factor("b", b, reading, depth)
    if right is None or (left is None and (a.type.dtype not in TURNING or _load(a, reading.lets, depth) is not None)):
        return None
    return left, right


def _has_instruction(call: ir.Call, turned: bool = False) -> bool:
    """Whether warpgroups multiply such tiles."""
    if call.op.name not in PRODUCTS:
        return False
    shape, factor = call.type.shape, call["x"].type
    if len(shape) != 2 or len(factor.shape) != 2 or SUMS.get(factor.dtype) != call.type.dtype:
        return False
    if turned and factor.dtype not in TURNED:
        return False
    return shape[turned] % BLOCK_ROWS == 0 and shape[not turned] >= LEAST_COLUMNS and factor.shape[1] * factor.dtype.bytes >= STEP_BYTES


def _factor(role: str, tile: ir.Expr, reading: _Reading, depth: int) -> Operand | None:
    """An operand that comes straight from an array; None for any other."""
    found = _load(tile, reading.lets, depth)
    if found is None:
        return None
    load, source, adjacent, moves = found
    rows, columns = (int(extent) for extent in tile.type.shape)
    lines, summed = (rows, columns) if role == "a" else (columns, rows)
    turned = adjacent == (0 if role == "a" else 1)
    size = tile.type.dtype.bytes
    fits = turned == (role == "b") if reading.turned else not turned or tile.type.dtype in TURNING
    if not fits or (lines if turned else summed) * size < LEAST_ROW_BYTES:
        return None
    factor = Factor(lines, summed, size, turned)
    if reading.turned and factor.bytes % ALIGNMENT:
        return None  # what lies behind it has wider rows, and is swizzled by its address
    return Operand(factor, moves, _map(load, source, factor, reading.arrays), rounds=load.type.dtype != tile.type.dtype)


def _load(tile: ir.Expr, lets: dict[str, tuple[Any, int]], depth: int) -> tuple[ir.Call, Any, int, bool] | None:
    """The load and the array it reads, which axis of the matrix (0 or 1) is adjacent in memory, and whether the load runs
    again with the product, in its loop."""
    made = depth
    turns = 0
    while True:
        if isinstance(tile, ir.Name) and tile.name in lets:
            tile, made = lets[tile.name]
        elif isinstance(tile, ir.Call) and tile.op.name in ("transpose", "permute") and len(tile.type.shape) == 2:
            swaps = tile["axes"] == (1, 0) if tile.op.name == "permute" else tile["axis0"] != tile["axis1"]
            tile, turns = tile["x"], turns + swaps
        elif isinstance(tile, ir.Call) and tile.op.name == "reshape" and _matrix(tile.type.shape) == _matrix(tile["x"].type.shape) is not None:
            tile = tile["x"]
        elif (same := unchanged(tile)) is not None:
            tile = same
        elif rounds(tile):
            tile = tile["x"]
        else:
            break
    if not isinstance(tile, ir.Call) or tile.op.effect != "load" or _matrix(tile.type.shape) is None:
        return None
    source = next((v for _, v in tile.arguments if isinstance(v, (ir.ArrayName, ir.ViewName))), None)
    if source is None or "index" not in dict(tile.arguments) or _padding(tile, source) not in ("UNDETERMINED", "ZERO"):
        return None
    array = source.type.array if isinstance(source.type, View) else source.type
    return tile, source, (_adjacent(array, _order(tile, array)) + turns) % 2, made == depth > 0


def _matrix(shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The last two extents, where all others are 1."""
    return shape[-2:] if len(shape) > 1 and all(extent == 1 for extent in shape[:-2]) else None


def _padding(load: ir.Call, source: Any) -> str:
    mode = source.padding if isinstance(source, ir.ViewName) else dict(load.arguments).get("padding_mode", "UNDETERMINED")
    return getattr(mode, "name", mode)


def _order(load: ir.Call, array: Array) -> tuple[int, ...]:
    return tuple(dict(load.arguments).get("order") or range(array.ndim))


def _adjacent(array: Array, order: tuple[int, ...]) -> int:
    """Which of the last two axes of a tile of this array is adjacent in memory: 0 or 1."""
    if array.strides is None:
        return 0 if order[-2] == array.ndim - 1 else 1
    return 0 if array.strides[order[-2]].value == 1 and array.strides[order[-1]].value != 1 else 1


def _map(load: ir.Call, source: Any, factor: Factor, arrays: dict[str, tuple[str, int]]) -> TensorMap | None:
    """The descriptor for such loads, if the array is a parameter and all that a descriptor needs is known of it."""
    name = source.array if isinstance(source, ir.ViewName) else source
    if not isinstance(name, ir.ArrayName) or name.name not in arrays:
        return None
    array, order = name.type, _order(load, name.type)
    column = array.ndim - 2 + _adjacent(array, order)
    row = 2 * array.ndim - 3 - column
    if not 2 <= array.ndim <= MOST_MAPPED_AXES or array.alignment < MAP_ALIGNMENT or array.wide_extents:
        return None
    for axis in range(array.ndim):
        step = 1 if axis == order[column] and array.strides is None else _known_divisor(array, axis)
        if axis == order[column]:
            if array.strides is not None and array.strides[axis].value != 1:
                return None
        elif step * array.dtype.bytes % MAP_ALIGNMENT:
            return None
    own_name, number = arrays[name.name]
    made = TensorMap(number, (), own_name, array, order, row, column, factor)
    return made if made.box[1] <= MOST_BOX_ROWS else None


def _known_divisor(array: Array, axis: int) -> int:
    """What the stride of an axis, in elements, is known to be a multiple of."""
    if array.strides is not None:
        stride = array.strides[axis]
        return stride.divisor if stride.value is None else stride.value
    return math.prod(e.divisor if e.value is None else e.value for e in array.extents[axis + 1 :])
