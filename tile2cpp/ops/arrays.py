"""Parts of arrays, arrays made of an address, and memory reached by offsets from an array's first element."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject, TileValueError
from tile2cpp.ops import Typed, op
from tile2cpp.ops.atomics import CHANGES, EXCHANGED, atomic_tags, check_target, opcode
from tile2cpp.ops.memory import broadcast_to_indices, check_mask, memory_hints
from tile2cpp.ops.orders import ATOMIC, check_orders
from tile2cpp.ops.rules import axis_in, dtype_of, implicit, integral
from tile2cpp.ops.spelling import ADD, Spelled
from tile2cpp.types import Array as ArrayType
from tile2cpp.types import Extent, Tile, Weak


def _sliced_numpy(array, axis, start, stop):
    return array[tuple(slice(int(start), int(stop)) if a == axis else slice(None) for a in range(array.ndim))]


@op(name="slice", public=False, owner="array", method="slice", cpp="", numpy=_sliced_numpy)
def slice_(array: Array, /, axis: Const, start: Tile, stop: Tile):
    """The part of an array from `start` up to `stop` along one axis, as an array."""
    axis = axis_in("axis", axis, array.ndim, "an array")
    for name, value in (("start", start), ("stop", stop)):
        if value.shape:
            raise Reject(name, f"`{name}` must be a scalar, but it is {value}")
        if dtype_of(value).kind != "int":
            hint = "convert it with .astype(ct.int32)"
            raise Reject(name, f"`{name}` must be a signed integer, but it is {value}", hint=hint, known_as="Expected a signed integer scalar or a 0D signed integer tile")
        if isinstance(value, Weak) and value.value < 0:
            known_as = f"Slice {name} must be non-negative"
            raise Reject(name, f"`{name}` is {value.value}, but bounds do not count from the end", hint=f"write array.shape[{axis}] - {-value.value}", known_as=known_as)
    known = isinstance(start, Weak) and isinstance(stop, Weak)
    if known and stop.value < start.value:
        raise Reject("stop", f"stop {stop.value} comes before start {start.value}", known_as="Slice stop must be greater than or equal to start")
    extents = tuple(Extent(stop.value - start.value) if known and i == axis else Extent() if i == axis else e for i, e in enumerate(array.extents))
    strides = array.strides
    if strides is None and axis > 0:
        strides = tuple(Extent(1) if i == array.ndim - 1 else Extent() for i in range(array.ndim))
    index = Tile(array.index_dtype)
    made = replace(array, extents=extents, strides=strides, alignment=array.dtype.bytes)
    return Typed(made, {"start": index, "stop": index}, {"axis": axis})


@op(name="get_raw_memory", public=False, owner="array", method="get_raw_memory", cpp="", numpy=lambda array: array)
def get_raw_memory(array: Array, /):
    """The memory of an array, whose elements are reached by their offset from the first one, without bounds."""
    return Typed(array)


# --- addresses ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Address:
    """The interpreter's foreign pointer: the array that begins there."""

    memory: np.ndarray


@op(
    public=False, effect="address", cpp=lambda call, c: Spelled(c.pointer(call["array"])),
    numpy=lambda array: np.array(Address(array), object),
)  # fmt: skip
def foreign_pointer(array: Array, /):
    """The address of an array's first element, as a value."""
    return Tile(dtypes.foreign_pointer_dtype(array.dtype))


def _beyond(address: int, last: int, root: np.ndarray) -> bool:
    low, high = np.lib.array_utils.byte_bounds(root) if hasattr(np.lib, "array_utils") else np.byte_bounds(root)
    return not low <= address <= last < high


def _from_foreign_numpy(pointer, shape, strides):
    memory = pointer.item().memory
    shape, steps = tuple(int(n) for n in shape), tuple(int(s) * memory.itemsize for s in strides)
    root = memory
    while isinstance(root.base, np.ndarray):
        root = root.base
    address = memory.ctypes.data
    last = address + sum((n - 1) * s for n, s in zip(shape, steps)) + memory.itemsize - 1
    if root.base is None and 0 not in shape and _beyond(address, last, root):  # whose ends are known
        raise Reject("shape", f"an array of shape {shape} with strides {tuple(s // memory.itemsize for s in steps)} reaches beyond the memory behind the pointer", kind=TileValueError)
    return _strided(memory, shape, steps)


def _numbers(parameter: str, items: tuple) -> tuple[Extent, ...]:
    """What is known of extents or strides, which are integers of 0 or more."""
    for position, item in enumerate(items):
        place = f"{parameter}[{position}]"
        if item.shape:
            raise Reject(place, f"item {position} of `{parameter}` must be a scalar, but it is {item}")
        integral(place, item, f"{place} must be a signed integer; got Tile[{dtype_of(item)},()]")
        if isinstance(item, Weak) and item.value < 0:
            raise Reject(place, f"item {position} of `{parameter}` is {item.value}, but it must be 0 or more", known_as=f"{place} must be non-negative")
    return tuple(Extent(item.value) if isinstance(item, Weak) else Extent() for item in items)


def _is_long(item) -> bool:
    dtype = dtype_of(item)
    return dtype.bits > 32 or dtype == dtypes.uint32


def _index_type(item) -> Tile:
    return Tile(dtypes.int64 if _is_long(item) else dtypes.int32)


def _fits(extents: tuple[Extent, ...], strides: tuple[Extent, ...]) -> bool:
    """Whether 32 bits hold the offset of every element."""
    if any(s.value is None for s in strides):
        return False
    if any(e.value is None for e in extents):
        return all(s.value == 1 for s in strides) and len(strides) == 1
    return sum(max(0, e.value - 1) * s.value for e, s in zip(extents, strides)) < 2**31


@op(name="Array.from_foreign", public=False, cpp="", numpy=_from_foreign_numpy)
def from_foreign(pointer: Pointer, shape: Index, strides: Index):
    """The array of `shape` that begins at the address `pointer`, with `strides` counted in elements."""
    if len(strides) != len(shape):
        count = f"{len(strides)} item{'s' * (len(strides) != 1)}"
        raise Reject("strides", f"`strides` has {count}, but `shape` has {len(shape)}", hint="give one stride for each dimension; the last one of a row-major array is 1", known_as="shape and strides must have the same rank")
    extents, steps = _numbers("shape", shape), _numbers("strides", strides)
    wide_extents = any(map(_is_long, shape))
    wide = wide_extents or any(map(_is_long, strides)) or not _fits(extents, steps)
    dtype = pointer.dtype.pointee
    plain = not steps or len(steps) == 1 and steps[0].value == 1
    made = ArrayType(dtype, extents, None if plain else steps, dtype.bytes, wide, wide_extents)
    return Typed(made, {"shape": tuple(map(_index_type, shape)), "strides": tuple(map(_index_type, strides))})


# --- loads and stores ---------------------------------------------------------------


def _memory(array: np.ndarray) -> np.ndarray:
    """All elements from the first one on, whatever lies between two rows."""
    size = 1 + sum((n - 1) * abs(s) // array.itemsize for n, s in zip(array.shape, array.strides)) if array.size else 0
    return _strided(array, (size,), (array.itemsize,))


def _strided(array: np.ndarray, shape: tuple, steps: tuple) -> np.ndarray:
    """Another view of the memory; as bits on the way, for NumPy knows no memory of ml_dtypes' 8-bit floats."""
    bits = array.view(f"u{array.itemsize}")
    return np.lib.stride_tricks.as_strided(bits, shape, steps).view(array.dtype)


def _lanes(offset, mask, shape):
    live = np.ones(shape, bool) if mask is None else np.broadcast_to(mask, shape)
    return live, np.broadcast_to(offset, shape)


def _offset_types(offset, mask) -> dict:
    integral("offset", offset)
    dtype = dtype_of(offset)
    wide = dtype.bits > 32 or dtype == dtypes.uint32
    return {"offset": Tile(dtypes.int64 if wide else dtypes.int32, offset.shape), **check_mask(mask, offset.shape)}


def _value_types(values: dict, dtype, shape) -> dict:
    for name, value in values.items():
        implicit(name, value, dtype)
        broadcast_to_indices(name, value, shape, name.capitalize())
    return {name: Tile(dtype, shape) for name in values}


def _place(call, c) -> str:
    return f"{c.pointer(call['array'])} + {c(call['offset'], ADD + 1)}"


def _load_numpy(array, offset, mask, padding_value, result):
    live, places = _lanes(offset, mask, result.shape)
    out = np.array(np.broadcast_to(padding_value, result.shape), dtype=array.dtype)
    out[live] = _memory(array)[places[live]]
    return out


def _spell_load(call, c) -> Spelled:
    if call["mask"] is None:
        return Spelled(f"ct::load({_place(call, c)})")
    return Spelled(f"ct::load_masked({_place(call, c)}, {c(call['mask'])}, {c(call['padding_value'])})")


@op(name="load_offset", public=False, owner="array", method="load_offset", effect="load", cpp=_spell_load, numpy=_load_numpy)
def load_offset(array: Array, offset: Tile, /, *, mask: Tile = None, padding_value: Tile = 0, latency: Const = None) -> Tile:
    """Load the elements at `offset`, counted from the first one; where `mask` is false they are `padding_value`."""
    types = _offset_types(offset, mask)
    if padding_value is None:
        raise Reject("padding_value", "`padding_value` must be a number")
    implicit("padding_value", padding_value, array.dtype)
    broadcast_to_indices("padding_value", padding_value, offset.shape, "Padding")
    memory_hints(latency, None)
    return Typed(Tile(array.dtype, offset.shape), {**types, "padding_value": Tile(array.dtype, padding_value.shape)})


def _store_numpy(array, offset, value, mask):
    live, places = _lanes(offset, mask, value.shape)
    _memory(array)[places[live]] = value[live]


def _spell_store(call, c) -> Spelled:
    if call["mask"] is None:
        return Spelled(f"ct::store({_place(call, c)}, {c(call['value'])})")
    return Spelled(f"ct::store_masked({_place(call, c)}, {c(call['value'])}, {c(call['mask'])})")


@op(name="store_offset", public=False, owner="array", method="store_offset", effect="store", cpp=_spell_store, numpy=_store_numpy)
def store_offset(array: Array, offset: Tile, value: Tile, /, *, mask: Tile = None, latency: Const = None) -> None:
    """Store `value` at `offset`, counted from the first element, where `mask` is true."""
    memory_hints(latency, None)
    return Typed(None, {**_offset_types(offset, mask), **_value_types({"value": value}, array.dtype, offset.shape)})


# --- atomics ------------------------------------------------------------------------


def _atomic_rule(name, array, offset, values: dict, mask, memory_order, memory_scope, allowed, exact) -> Typed:
    types = _offset_types(offset, mask)
    for parameter, value in values.items():
        check_target(name, array, value, allowed, exact, parameter)
    check_orders(opcode(name), memory_order, memory_scope, ATOMIC)
    return Typed(Tile(array.dtype, offset.shape), {**types, **_value_types(values, array.dtype, offset.shape)})


def _spell_atomic(function: str, *parameters: str):
    def spell(call, c) -> Spelled:
        values = ", ".join(c(call[p]) for p in parameters)
        masked, mask = ("", "") if call["mask"] is None else ("_masked", f", {c(call['mask'])}")
        return Spelled(f"ct::{function}{masked}({_place(call, c)}, {values}{mask}{atomic_tags(call)})")

    return spell


def _atomic_numpy(change, array, offset, mask, shape, *values):
    live, places = _lanes(offset, mask, shape)
    memory, values = _memory(array), [np.broadcast_to(v, shape) for v in values]
    old = np.array(values[0], dtype=array.dtype)
    with np.errstate(all="ignore"):
        for lane in np.ndindex(shape):
            if live[lane]:
                old[lane] = memory[places[lane]]
                memory[places[lane]] = change(old[lane], *(v[lane] for v in values))
    return old


def _define(name: str, change, allowed, exact: bool) -> None:
    def rule(array: Array, offset: Tile, update: Tile, /, *, mask: Tile = None, memory_order: Const = "ACQ_REL", memory_scope: Const = "DEVICE") -> Tile:
        return _atomic_rule(name, array, offset, {"update": update}, mask, memory_order, memory_scope, allowed, exact)

    def meaning(array, offset, update, mask, result):
        return _atomic_numpy(change, array, offset, mask, result.shape, update)

    rule.__name__ = f"{name}_offset"
    rule.__doc__ = f"As ct.{name}, for elements at `offset` from the first one. Returns the old values."
    op(cpp=_spell_atomic(name, "update"), numpy=meaning, effect="atomic", public=False, owner="array", method=f"{name}_offset")(rule)


for _name, (_change, _allowed, _exact, _) in CHANGES.items():
    _define(_name, _change, _allowed, _exact)
_define("atomic_xchg", lambda old, new: new, EXCHANGED, False)


def _cas_numpy(array, offset, expected, desired, mask, result):
    change = lambda old, want, new: new if old.tobytes() == want.tobytes() else old  # noqa: E731
    return _atomic_numpy(change, array, offset, mask, result.shape, expected, desired)


@op(
    name="atomic_cas_offset", public=False, owner="array", method="atomic_cas_offset", effect="atomic",
    cpp=_spell_atomic("atomic_compare_exchange", "expected", "desired"), numpy=_cas_numpy,
)  # fmt: skip
def atomic_cas_offset(
    array: Array, offset: Tile, expected: Tile, desired: Tile, /, *, mask: Tile = None,
    memory_order: Const = "ACQ_REL", memory_scope: Const = "DEVICE",
) -> Tile:  # fmt: skip
    """As ct.atomic_cas, for elements at `offset` from the first one. Returns the old values."""
    values = {"expected": expected, "desired": desired}
    return _atomic_rule("atomic_cas", array, offset, values, mask, memory_order, memory_scope, EXCHANGED, False)
