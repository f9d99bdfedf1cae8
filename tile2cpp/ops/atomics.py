"""Atomic read-modify-writes of array elements and of view tiles."""

from __future__ import annotations

import numpy as np

from tile2cpp.dtypes import bfloat16, float16, float32, float64, int32, int64, uint32, uint64
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.memory import _window, broadcast_to_indices, element_indices, fits_view, live_lanes
from tile2cpp.ops.orders import ATOMIC, check_orders
from tile2cpp.ops.rules import constant_bool, dtype_of, implicit, index_types
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak, broadcast_shapes

INTEGERS = (int32, uint32, int64, uint64)
EXCHANGED = (*INTEGERS, float32, float64)
ADDED = (*EXCHANGED, float16, bfloat16)


def atomic_tags(call) -> str:
    """`, order tag, scope tag`: both are always written, since C++'s default scope is the whole system."""
    order, scope = (getattr(call[k], "name", call[k]) for k in ("memory_order", "memory_scope"))
    scope = "system" if scope == "SYS" else scope.lower()
    return f", ct::memory_order_{order.lower()}_t{{}}, ct::thread_scope_{scope}_t{{}}"


def opcode(name: str) -> str:
    """What cuTile's messages call an atomic operation."""
    return "tile_atomic_cas" if name == "atomic_cas" else "tile_atomic_rmw"


def check_target(name: str, array, update, allowed, exact: bool, parameter: str = "update", of: str = "array") -> None:
    """Reject dtypes that the operation does not have; `of` is what cuTile's message calls the target."""
    if array.dtype not in allowed:
        raise Reject("array", f"{name} works on arrays of {', '.join(d.name for d in allowed)}, but this is {array.dtype}", known_as=f"Unsupported {of} dtype: {array.dtype}")
    if exact and dtype_of(update) != array.dtype and not (isinstance(update, Weak) and array.dtype == int32):
        raise Reject(parameter, f"`{parameter}` must be {array.dtype} like the array, but it is {dtype_of(update)}", hint=f"write ct.{array.dtype.name}(...) or .astype(ct.{array.dtype.name})", known_as=f"Bitwise atomic read-modify-write operations require the update dtype ({dtype_of(update)}) to exactly match the target dtype ({array.dtype})")
    implicit(parameter, update, array.dtype)


def atomic_rule(name, array, indices, values: dict, check_bounds, memory_order, memory_scope, allowed, exact=False) -> Typed:
    """The rule of all atomics on arrays: old values of the indices' shape."""
    types, shape = element_indices(array, indices)
    for parameter, value in values.items():
        check_target(name, array, value, allowed, exact, parameter)
        broadcast_to_indices(parameter, value, shape, parameter.capitalize())
    constant_bool("check_bounds", check_bounds)
    check_orders(opcode(name), memory_order, memory_scope, ATOMIC)
    full = Tile(array.dtype, shape)
    return Typed(full, {"indices": types, **{p: full for p in values}})


def atomic_numpy(change):
    """Element after element, in row-major order; lanes outside leave memory alone."""

    def meaning(array, indices, check_bounds, result, **values):
        live, safe = live_lanes(array, indices, None, check_bounds, result.shape)
        values = [np.broadcast_to(v, result.shape) for v in values.values()]
        old = np.array(values[0], dtype=array.dtype)
        with np.errstate(all="ignore"):
            for lane in np.ndindex(result.shape):
                if live[lane]:
                    place = tuple(s[lane] for s in safe)
                    old[lane] = array[place]
                    array[place] = change(old[lane], *(v[lane] for v in values))
        return old

    return meaning


def spell_atomic(function: str, *parameters: str):
    def spell(call, c) -> Spelled:
        pointers = c.pointers(call["array"], call["indices"])
        mask = c.mask(call["array"], call["indices"], None, call["check_bounds"])
        values = ", ".join(c(call[p]) for p in parameters)
        if mask:
            return Spelled(f"ct::{function}_masked({pointers}, {values}, {mask}{atomic_tags(call)})")
        return Spelled(f"ct::{function}({pointers}, {values}{atomic_tags(call)})")

    return spell


def _of_update(change):
    evaluate = atomic_numpy(change)
    return lambda array, indices, update, check_bounds, result: evaluate(array, indices, check_bounds, result, update=update)


def _define(name: str, change, allowed, exact: bool, summary: str) -> None:
    def rule(array: Array, indices: Indices, update: Tile, /, *, check_bounds: Const = True, memory_order: Const = "ACQ_REL", memory_scope: Const = "DEVICE") -> Tile:
        return atomic_rule(name, array, indices, {"update": update}, check_bounds, memory_order, memory_scope, allowed, exact)

    rule.__name__ = name
    rule.__doc__ = f"{summary} Returns the old values; each element is updated on its own, in no fixed order."
    op(cpp=spell_atomic(name, "update"), numpy=_of_update(change), effect="atomic")(rule)


CHANGES = {
    "atomic_add": (lambda old, new: old + new, ADDED, False, "Add to elements of an array."),
    "atomic_max": (max, INTEGERS, False, "Raise elements of an array to at least `update`."),
    "atomic_min": (min, INTEGERS, False, "Lower elements of an array to at most `update`."),
    "atomic_and": (lambda old, new: old & new, INTEGERS, True, "Bitwise and into elements of an array."),
    "atomic_or": (lambda old, new: old | new, INTEGERS, True, "Bitwise or into elements of an array."),
    "atomic_xor": (lambda old, new: old ^ new, INTEGERS, True, "Bitwise exclusive or into elements of an array."),
}
for _name, _facts in CHANGES.items():
    _define(_name, *_facts)
_define("atomic_xchg", lambda old, new: new, EXCHANGED, False, "Replace elements of an array.")


def _cas_numpy(array, indices, expected, desired, check_bounds, result):
    evaluate = atomic_numpy(lambda old, want, new: new if old.tobytes() == want.tobytes() else old)
    return evaluate(array, indices, check_bounds, result, expected=expected, desired=desired)


@op(cpp=spell_atomic("atomic_compare_exchange", "expected", "desired"), numpy=_cas_numpy, effect="atomic")
def atomic_cas(array: Array, indices: Indices, expected: Tile, desired: Tile, /, *, check_bounds: Const = True, memory_order: Const = "ACQ_REL", memory_scope: Const = "DEVICE") -> Tile:
    """Replace elements that equal `expected` (bit for bit) by `desired`. Returns the old values."""
    values = {"expected": expected, "desired": desired}
    return atomic_rule("atomic_cas", array, indices, values, check_bounds, memory_order, memory_scope, EXCHANGED)


def _spell_view_atomic(function: str):
    def spell(call, c) -> Spelled:
        view = call["view"]
        if not view.shape:
            return Spelled(f"ct::{function}({c.pointer(view.array)}, {c(call['update'])}, ct::memory_order_relaxed_t{{}}, ct::thread_scope_device_t{{}})")
        name = c.view(view.array, view.shape, None, view.type.steps)
        index = ", ".join(c(i) for i in call["index"])
        tags = "ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}"
        return Spelled(f"{name}.{function}_masked({c(call['update'])}, {tags}, {index})")

    return spell


def _define_on_view(kind: str, change, allowed, exact: bool) -> None:
    def rule(view: View, /, index: Index, update: Tile) -> None:
        types = index_types("index", index, view.array.ndim, "the view")
        check_target(f"atomic_{kind}", view.array, update, allowed, exact, of="tiled view")
        fits_view("update", update, view, "Update")
        return Typed(None, {"index": types, "update": Tile(view.array.dtype, view.shape)})

    def meaning(view, index, update):
        inside, place = _window(view.array, index, view.shape, view.steps)
        with np.errstate(all="ignore"):
            view.array[inside] = change(view.array[inside], update[place])

    for spelling in (f"atomic_{kind}", f"atomic_store_{kind}"):
        rule.__name__ = f"view_{spelling}"
        rule.__doc__ = f"Atomic {kind} of a tile into the view's tile at `index`; no result, edges are dropped."
        op(cpp=_spell_view_atomic(f"atomic_{kind}"), numpy=meaning, effect="atomic", owner="view", method=spelling, public=False)(rule)


ELEMENTWISE = {"max": np.maximum, "min": np.minimum}
for _name, (_change, _allowed, _exact, _) in CHANGES.items():
    _kind = _name.removeprefix("atomic_")
    _define_on_view(_kind, ELEMENTWISE.get(_kind, _change), _allowed, _exact)
