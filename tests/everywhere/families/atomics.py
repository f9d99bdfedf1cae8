"""Atomics on arrays, at offsets and on views, for every dtype that they take."""

from __future__ import annotations

import numpy as np
from families.program import Program
from families.values import numpy_of

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME

INTEGERS = ("int32", "uint32", "int64", "uint64")
EXCHANGED = (*INTEGERS, "float32", "float64")
ADDED = (*EXCHANGED, "float16", "bfloat16")
ORDERS = tuple(ct.MemoryOrder[name] for name in ("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL"))
SCOPES = tuple(ct.MemoryScope[name] for name in ("BLOCK", "DEVICE", "SYS"))

UPDATES = {
    "add": (ct.atomic_add, lambda old, new: old + new, ADDED),
    "xchg": (ct.atomic_xchg, lambda old, new: new, EXCHANGED),
    "max": (ct.atomic_max, np.maximum, INTEGERS),
    "min": (ct.atomic_min, np.minimum, INTEGERS),
    "and": (ct.atomic_and, np.bitwise_and, INTEGERS),
    "or": (ct.atomic_or, np.bitwise_or, INTEGERS),
    "xor": (ct.atomic_xor, np.bitwise_xor, INTEGERS),
}  # fmt: skip

AT_OFFSETS = {
    "add": lambda a, at, new, mask: a.atomic_add_offset(at, new, mask=mask),
    "xchg": lambda a, at, new, mask: a.atomic_xchg_offset(at, new, mask=mask, memory_order=ct.MemoryOrder.RELEASE),
    "max": lambda a, at, new, mask: a.atomic_max_offset(at, new, mask=mask, memory_scope=ct.MemoryScope.BLOCK),
    "min": lambda a, at, new, mask: a.atomic_min_offset(at, new, mask=mask),
    "and": lambda a, at, new, mask: a.atomic_and_offset(at, new, mask=mask),
    "or": lambda a, at, new, mask: a.atomic_or_offset(at, new, mask=mask),
    "xor": lambda a, at, new, mask: a.atomic_xor_offset(at, new, mask=mask),
}  # fmt: skip

ON_VIEWS = {
    "add": lambda view, index, new: view.atomic_store_add(index, new),
    "max": lambda view, index, new: view.atomic_store_max(index, new),
    "min": lambda view, index, new: view.atomic_store_min(index, new),
    "and": lambda view, index, new: view.atomic_store_and(index, new),
    "or": lambda view, index, new: view.atomic_store_or(index, new),
    "xor": lambda view, index, new: view.atomic_store_xor(index, new),
}  # fmt: skip

OLDER_NAMES = {
    "add": lambda view, index, new: view.atomic_add(index, new),
    "max": lambda view, index, new: view.atomic_max(index, new),
    "min": lambda view, index, new: view.atomic_min(index, new),
    "and": lambda view, index, new: view.atomic_and(index, new),
    "or": lambda view, index, new: view.atomic_or(index, new),
    "xor": lambda view, index, new: view.atomic_xor(index, new),
}  # fmt: skip


def chosen(table: dict, dtype: str) -> tuple[str, ...]:
    return tuple(name for name in table if dtype in UPDATES[name][2])


def kernel(dtype: str):
    names, on_views = chosen(UPDATES, dtype), chosen(ON_VIEWS, dtype)
    ops, offsets = tuple(UPDATES[n][0] for n in names), tuple(AT_OFFSETS[n] for n in names)
    views, older = tuple(ON_VIEWS[n] for n in on_views), tuple(OLDER_NAMES[n] for n in on_views)
    modes = tuple((order, scope) for order in ORDERS for scope in SCOPES)
    swaps, target = dtype in EXCHANGED, BY_NAME[dtype]

    @ct.kernel
    def updated(x, new, places, olds, checked, raw, seen, swapped):
        value, at = ct.load(new, (0,), (8,)), ct.load(places, (0,), (8,))
        inside = (at >= 0) & (at < 10)
        for row in ct.static_iter(range(len(ops))):
            old = ops[row](checked, (row, at), value)
            ct.store(olds, (row, 0), ct.where(inside, old, 0)[None, :])
            ct.store(olds, (10 + row, 0), ops[row](x, (row, ct.arange(8, dtype=ct.int32)), value, check_bounds=False)[None, :])
            ct.store(olds, (20 + row, 0), ct.where(inside, offsets[row](raw.get_raw_memory(), at + row * 10, value, inside), 0)[None, :])
        for n in ct.static_iter(range(len(modes))):
            ops[0](x, (8, n), value.extract((0,), (1,)).item(), memory_order=modes[n][0], memory_scope=modes[n][1])
        for row in ct.static_iter(range(len(views))):
            views[row](seen.tiled_view((1, 8)), (row, 1), value)
            older[row](seen.tiled_view((1, 8)), (row, 0), value)
        if swaps:
            expected = ct.load(x, (9, 0), (1, 8)).reshape((8,))
            wrong = ct.where(ct.arange(8, dtype=ct.int32) > 3, expected, expected + target(1))
            ct.store(olds, (30, 0), ct.atomic_cas(swapped, (0, ct.arange(8, dtype=ct.int32)), wrong, value)[None, :])
            outside = ct.atomic_cas(swapped, (1, at), wrong, value, check_bounds=True, memory_order="ACQUIRE", memory_scope="SYS")
            ct.store(olds, (31, 0), ct.where(inside, outside, 0)[None, :])
            again = swapped.get_raw_memory().atomic_cas_offset(ct.arange(8, dtype=ct.int32) + 32, wrong, value, mask=inside)
            ct.store(olds, (32, 0), ct.where(inside, again, 0)[None, :])

    return updated


def meant(dtype: str):
    names, on_views = chosen(UPDATES, dtype), chosen(ON_VIEWS, dtype)

    def run(x, new, places, olds, checked, raw, seen, swapped):
        inside = (places >= 0) & (places < 10)
        at, given = places[inside], new[inside]
        for row, name in enumerate(names):
            change = UPDATES[name][1]
            for base, array in ((0, checked), (20, raw)):
                olds[base + row] = 0
                olds[base + row, inside] = array[row, at]
                array[row, at] = change(array[row, at], given)
            olds[10 + row] = x[row, :8]
            x[row, :8] = change(x[row, :8], new)
        x[8, :12] = UPDATES[names[0]][1](x[8, :12], new[0])
        for row, name in enumerate(on_views):
            change = UPDATES[name][1]
            seen[row, 8:] = change(seen[row, 8:], new[: seen.shape[1] - 8])
            seen[row, :8] = change(seen[row, :8], new)
        if dtype in EXCHANGED:
            expected = x[9, :8]
            with np.errstate(all="ignore"):
                wrong = np.where(np.arange(8) > 3, expected, expected + expected.dtype.type(1))
            for row, lanes, live in ((0, np.arange(8), np.ones(8, bool)), (1, places, inside), (2, np.arange(8), inside)):
                olds[30 + row] = 0
                for lane in np.flatnonzero(live):
                    olds[30 + row, lane] = old = swapped[row, lanes[lane]]
                    swapped[row, lanes[lane]] = new[lane] if old == wrong[lane] else old

    return run


def arguments(dtype: str):
    def make():
        made, rng = numpy_of(dtype), np.random.default_rng(61)

        def numbers(shape):
            return rng.integers(1 if dtype[0] == "u" else -100, 100, shape).astype(made)

        x, places = numbers((10, 16)), np.array([9, 0, -1, 4, 10, 2, 7, 5], np.int32)
        swapped = np.tile(x[9], (3, 1))
        swapped[1, places[(places >= 0) & (places < 10)]] = x[9, :8][(places >= 0) & (places < 10)]
        # Rows of ten elements: what lies outside of one is in another where nothing checks.
        return x, numbers(8), places, np.zeros((33, 8), made), numbers((7, 10)), numbers((7, 10)), numbers((6, 12)), swapped

    return make


PROGRAMS = [Program(f"atomics {dtype}", kernel(dtype), (1,), arguments(dtype), meant(dtype)) for dtype in ADDED]
