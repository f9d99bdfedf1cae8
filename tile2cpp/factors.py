"""Which factors of products come straight from arrays, and what the copy engine has to know of these (compute capability 9.0)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Iterator

from tile2cpp import ir
from tile2cpp.dtypes import bfloat16, float8_e4m3fn, float8_e5m2, float16, float32, int8, int32, tfloat32, uint8
from tile2cpp.emitted import Factor, TensorMap
from tile2cpp.ordering import memory_order
from tile2cpp.types import Array, Tile, View

BLOCK_ROWS = 64  # of the result, for a warpgroup at a time
LEAST_COLUMNS = 8
FLAT_ROWS, FLAT_COLUMNS = 16, 64  # of a result with fewer rows: of one matrix instruction; one warp's for each of four
STEP_BYTES = 32  # of the summed axis, for one instruction
LEAST_ROW_BYTES = 32  # in shared memory
ALIGNMENT = 1024
PRODUCTS = ("mma", "matmul")
SUMS = {float16: float32, bfloat16: float32, tfloat32: float32, float8_e4m3fn: float32, float8_e5m2: float32, int8: int32, uint8: int32}
WIDENED = (bfloat16, tfloat32, int8, uint8)  # whose products without sums to begin with are wider in the file
TURNING = (float16, bfloat16)  # may lie with the summed axis across their rows
TURNED = {tfloat32: 64, int8: 128, uint8: 128}  # may not, but can be read to registers like that: by columns of a warpgroup at least
MAP_ALIGNMENT = 16  # bytes, of the address and of all strides but the one that is 1
MOST_MAPPED_AXES, MOST_GUESSED_AXES = 5, 4  # of a descriptor; and of an array that the products themselves fetch from
MOST_AXES_OF_PARTS = 3  # two more say where a part lies
MOST_BOX_ROWS = 256


@dataclass(frozen=True)
class Operand:
    """A factor that is loaded from an array, and whether it changes while the product's loop runs."""

    factor: Factor
    moves: bool
    map: TensorMap | None
    rounds: bool = False  # from single precision


@dataclass(frozen=True)
class Origin:
    """The parameter of the kernel that an array is, its number and type; or of which it is a part along one axis."""

    name: str
    number: int
    type: Array
    part: int | None = None


def arrays_of(kernel: ir.Kernel, function: ir.Function, parts: bool = False) -> dict[str, Origin]:
    """What is known of arrays by the name they have in `function`. `parts`: of slices, too."""
    own = {p.name: Origin(p.name, number, p.type) for number, p in enumerate(kernel.main.params) if isinstance(p.type, Array)}
    if function is not kernel.main:
        return _passed(kernel, function, own)
    return own | _slices(function, own) if parts else own


def _slices(function: ir.Function, own: dict[str, Origin]) -> dict[str, Origin]:
    """Slices of parameters, and slices of these along the same axis."""
    found: dict[str, Origin] = {}
    made = [s for s in ir.statements(function.body) if isinstance(s, ir.Slice)]
    for stmt in made:
        origin = own.get(stmt.array.name) or found.get(stmt.array.name)
        if origin is not None and origin.part in (None, stmt.axis) and sum(s.name == stmt.name for s in made) == 1:
            found[stmt.name] = replace(origin, part=stmt.axis)
    return found


def _passed(kernel: ir.Kernel, helper: ir.Function, own: dict[str, Origin]) -> dict[str, Origin]:
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
class Reading:
    """A function that is read: its arrays, its variables and how deep in loops they were made, and whether products are sought
    whose result is computed with rows and columns swapped.

    These have a right factor in rows along the result's columns, although its instructions take only registers then, as their
    left factor. `flat`: products are sought whose result has too few rows for warpgroups. `loose`: rows may lie
    along any axis before the last, as in `[rows, heads, columns]`, and arrays may have as many axes as descriptors: for who feeds.
    """

    arrays: dict[str, Origin]
    lets: dict[str, tuple[Any, int]]
    turned: bool
    flat: bool = False
    loose: bool = True


def products_of(body: tuple, reading: Reading, depth: int) -> Iterator[tuple[ir.Call, Operand | None, Operand]]:
    """The products that warpgroups can run, with the factors that they fetch."""
    for stmt in body:
        for root in ir.roots(stmt):
            for call in (e for e in ir.walk(root) if isinstance(e, ir.Call) and (is_flat(e) if reading.flat else has_instruction(e, reading.turned))):
                factors = _factors(call, reading, depth)
                if factors is not None:
                    yield call, *factors
        if isinstance(stmt, ir.Let):
            reading.lets[stmt.name] = stmt.value, depth
        for block in ir.blocks(stmt):
            yield from products_of(block, reading, depth + isinstance(stmt, (ir.For, ir.While)))


def _factors(call: ir.Call, reading: Reading, depth: int) -> tuple[Operand | None, Operand] | None:
    a, b = call["x"], call["y"]
    left, right = _factor("a", a, reading, depth), _factor("b", b, reading, depth)
    if right is None or (left is None and (a.type.dtype not in TURNING or _readable(a, reading, depth) is not None)):
        return None
    return left, right


def has_instruction(call: ir.Call, turned: bool = False) -> bool:
    """Whether warpgroups multiply such tiles."""
    if call.op.name not in PRODUCTS:
        return False
    shape, factor = call.type.shape, call["x"].type
    if len(shape) != 2 or len(factor.shape) != 2 or not _can_sum(factor.dtype, sums_of(call).dtype):
        return False
    if turned and factor.dtype not in TURNED:
        return False
    return shape[turned] % BLOCK_ROWS == 0 and shape[not turned] >= LEAST_COLUMNS and factor.shape[1] * factor.dtype.bytes >= STEP_BYTES


def _can_sum(factor: Any, result: Any) -> bool:
    """Whether warpgroups make such sums: halves of factors of two bytes, too, which are rounded from single precision."""
    return SUMS.get(factor) == result or (factor in TURNING and result in TURNING)


def sums_of(product: ir.Call) -> Tile:
    """The tile that a product adds up in the file: `matmul` of these dtypes is rounded behind it."""
    factor = product["x"].type.dtype
    return Tile(SUMS[factor], product.type.shape) if product.op.name == "matmul" and factor in WIDENED else product.type


def is_flat(call: ir.Call) -> bool:
    """Whether single warps multiply such tiles, where warpgroups cannot: their result has too few rows, and columns for several warps."""
    if call.op.name not in PRODUCTS or len(call.type.shape) != 2 or len(call["x"].type.shape) != 2:
        return False
    (rows, columns), factor = call.type.shape, call["x"].type
    return factor.dtype in TURNING and SUMS[factor.dtype] == sums_of(call).dtype and FLAT_ROWS <= rows < BLOCK_ROWS and columns >= FLAT_COLUMNS and factor.shape[1] * factor.dtype.bytes >= STEP_BYTES


def _factor(role: str, tile: ir.Expr, reading: Reading, depth: int) -> Operand | None:
    """An operand that comes straight from an array; None for any other."""
    found = _readable(tile, reading, depth)
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
    return Operand(factor, moves, _map(load, source, factor, reading), rounds=load.type.dtype != tile.type.dtype)


def _readable(tile: ir.Expr, reading: Reading, depth: int) -> tuple[ir.Call, Any, int, bool] | None:
    """What `_load` finds; None if the matrix has its rows along an axis that `reading` does not take."""
    found = _load(tile, reading.lets, depth)
    if found is None or reading.loose:
        return found
    shape = found[0].type.shape
    return found if row_axis(shape) == len(shape) - 2 else None


def _load(tile: ir.Expr, lets: dict[str, tuple[Any, int]], depth: int) -> tuple[ir.Call, Any, int, bool] | None:
    """The load and the array it reads, which axis of the matrix (0 or 1) is adjacent in memory, and whether the load runs
    again with the product, in its loop."""
    made = depth
    turns = 0
    while True:
        if isinstance(tile, ir.Name) and tile.name in lets:
            tile, made = lets[tile.name]
        elif isinstance(tile, ir.Call) and _exchanges(tile):
            tile, turns = tile["x"], turns + 1
        elif isinstance(tile, ir.Call) and tile.op.name == "reshape" and matrix(tile.type.shape) == matrix(tile["x"].type.shape) is not None:
            tile = tile["x"]
        elif (same := unchanged(tile)) is not None:
            tile = same
        elif rounds(tile):
            tile = tile["x"]
        else:
            break
    if not isinstance(tile, ir.Call) or tile.op.effect != "load" or memory_order(tile) != "WEAK" or matrix(tile.type.shape) is None:
        return None
    source = next((v for _, v in tile.arguments if isinstance(v, (ir.ArrayName, ir.ViewName))), None)
    if source is None or "index" not in dict(tile.arguments) or _padding(tile, source) not in ("UNDETERMINED", "ZERO"):
        return None
    array = source.type.array if isinstance(source.type, View) else source.type
    return tile, source, (_adjacent(array, _order(tile, array), row_axis(tile.type.shape)) + turns) % 2, made == depth > 0


def _exchanges(call: ir.Call) -> bool:
    """Whether the two axes of a matrix are exchanged, and no others."""
    rank = len(call.type.shape)
    if call.op.name not in ("transpose", "permute") or row_axis(call["x"].type.shape) != rank - 2:
        return False
    if call.op.name == "permute":
        return call["axes"] == (*range(rank - 2), rank - 1, rank - 2)
    return {call["axis0"], call["axis1"]} == {rank - 2, rank - 1}


def matrix(shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The last extent and the one of the rows, where all others are 1."""
    row = row_axis(shape)
    return None if row is None else (shape[row], shape[-1])


def row_axis(shape: tuple[int, ...]) -> int | None:
    """The axis of a matrix's rows: the only one beside the last that is longer than 1, else the one before the last."""
    longer = [axis for axis, extent in enumerate(shape[:-1]) if extent != 1]
    if len(shape) < 2 or len(longer) > 1:
        return None
    return longer[0] if longer else len(shape) - 2


def _padding(load: ir.Call, source: Any) -> str:
    mode = source.padding if isinstance(source, ir.ViewName) else dict(load.arguments).get("padding_mode", "UNDETERMINED")
    return getattr(mode, "name", mode)


def _order(load: ir.Call, array: Array) -> tuple[int, ...]:
    return tuple(dict(load.arguments).get("order") or range(array.ndim))


def _adjacent(array: Array, order: tuple[int, ...], row: int) -> int:
    """Which axis of a matrix of this array is adjacent in memory, if one is: 0 that of the rows, `row`, or 1 the last one."""
    return 0 if _is_adjacent(array, order[row]) and not _is_adjacent(array, order[-1]) else 1


def _is_adjacent(array: Array, axis: int) -> bool:
    """Whether elements along `axis` lie beside each other in memory."""
    return axis == array.ndim - 1 if array.strides is None else array.strides[axis].value == 1


def _map(load: ir.Call, source: Any, factor: Factor, reading: Reading) -> TensorMap | None:
    """The descriptor for such loads, if the array is a parameter, or a part of one, and all that a descriptor needs is known of it."""
    name = source.array if isinstance(source, ir.ViewName) else source
    if not isinstance(name, ir.ArrayName) or name.name not in reading.arrays:
        return None
    origin, order = reading.arrays[name.name], _order(load, name.type)
    array = origin.type
    row, column = row_axis(load.type.shape), array.ndim - 1
    if _adjacent(name.type, order, row) == 0:
        row, column = column, row
    most = MOST_AXES_OF_PARTS if origin.part is not None else MOST_MAPPED_AXES if reading.loose else MOST_GUESSED_AXES
    if not 2 <= array.ndim <= most or origin.part == order[column] or array.alignment < MAP_ALIGNMENT or array.wide_extents:
        return None
    for axis in range(array.ndim):
        if axis == order[column]:
            if not _is_adjacent(array, axis):
                return None
        elif _known_divisor(array, axis) * array.dtype.bytes % MAP_ALIGNMENT:
            return None
    made = TensorMap(origin.number, (), origin.name, array, order, row, column, factor, origin.part)
    return made if made.box[1] <= MOST_BOX_ROWS else None


def _known_divisor(array: Array, axis: int) -> int:
    """What the stride of an axis, in elements, is known to be a multiple of."""
    if array.strides is not None:
        stride = array.strides[axis]
        return stride.divisor if stride.value is None else stride.value
    return math.prod(e.divisor if e.value is None else e.value for e in array.extents[axis + 1 :])


def rounds(value: ir.Expr) -> bool:
    """Whether single precision is rounded for products; who copies it can do so on the way."""
    if not isinstance(value, ir.Call) or value.op.name != "astype" or value.type.dtype != tfloat32 or value["x"].type.dtype != float32:
        return False
    mode = value["rounding_mode"]
    return getattr(mode, "name", mode) in (None, "RN")


def is_product(expr: Any) -> bool:
    """Whether an expression is a matrix product."""
    return isinstance(expr, ir.Call) and expr.op.family == "mma"


def as_written(value: Any) -> Any:
    """The expression that the file has in place of `value`: without calls that change nothing."""
    while (inner := unchanged(value)) is not None:
        value = inner
    return value


def unchanged(value: ir.Expr) -> ir.Expr | None:
    """The operand of a call that changes nothing, such as a conversion to its own dtype: the file has it in place of the call."""
    if not isinstance(value, ir.Call) or not isinstance(value.type, Tile):
        return None
    given = dict(value.arguments)
    if value.op.name == "cat" and len(given["tiles"]) == 1:
        return given["tiles"][0]
    if not value.type.shape and value.op.name in ("full", "astile"):
        only = given["fill_value"] if value.op.name == "full" else given["value"][0]
        return only if isinstance(only, ir.Expr) else None
    operand = given.get("x")
    alone = value.op.name in ("astype", "broadcast_to", "reshape") or given.get("axis", 0) in ((), None) or _keeps_axes(value.op.name, given)
    return operand if alone and operand is not None and value.type == operand.type else None


def _keeps_axes(name: str, given: dict[str, Any]) -> bool:
    """Whether axes that could be exchanged stay in their order."""
    if name == "permute":
        return given["axes"] == tuple(range(len(given["axes"])))
    return name == "transpose" and given["axis0"] == given["axis1"]
