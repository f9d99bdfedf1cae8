"""Atomic updates: old values, what is left in memory, repeated and outside places."""

import numpy as np
import pytest
from harness import BACKENDS, launch, quick
from hypothesis import given
from hypothesis import strategies as st

import tile2cpp.lang as ct

BACKEND = pytest.mark.parametrize("backend", BACKENDS)
CHANGES = {
    "atomic_add": lambda old, new: old + new, "atomic_max": max, "atomic_min": min, "atomic_and": lambda old, new: old & new,
    "atomic_or": lambda old, new: old | new, "atomic_xor": lambda old, new: old ^ new, "atomic_xchg": lambda old, new: new,
}  # fmt: skip
numbers = st.lists(st.integers(0, 1000), min_size=8, max_size=8)


@BACKEND
@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
@quick
@given(places=st.permutations(range(-2, 8)), values=numbers, updates=numbers)
def test_updates(backend, name, dtype, places, values, updates):
    def update(x, i, u, olds):
        ct.store(olds, (0,), OP(x, ct.load(i, (0,), (8,)), ct.load(u, (0,), (8,))))

    OP, places = getattr(ct, name), places[:8]
    x, olds = np.array(values, dtype), np.zeros(8, dtype)
    launch(update, (1,), (x, np.array(places, np.int32), np.array(updates, dtype), olds), backend)
    wanted = list(values)
    for lane, (i, new) in enumerate(zip(places, updates)):
        if 0 <= i < 8:
            assert olds[lane] == values[i]
            wanted[i] = CHANGES[name](values[i], new)
    assert x.tolist() == wanted


@BACKEND
@quick
@given(values=numbers, expected=numbers)
def test_compare_and_swap(backend, values, expected):
    def swap(x, e, olds):
        ct.store(olds, (0,), ct.atomic_cas(x, ct.arange(8, dtype=ct.int32), ct.load(e, (0,), (8,)), -1))

    expected = [v if lane % 2 else e for lane, (v, e) in enumerate(zip(values, expected))]
    x, olds = np.array(values, np.int64), np.zeros(8, np.int64)
    launch(swap, (1,), (x, np.array(expected, np.int64), olds), backend)
    assert olds.tolist() == values
    assert x.tolist() == [-1 if v == e else v for v, e in zip(values, expected)]


@BACKEND
@pytest.mark.parametrize("dtype", ["int32", "float32", "float64", "float16"])
def test_many_lanes_and_blocks_meet(backend, dtype):
    def count(x):
        ct.atomic_add(x, ct.arange(8, dtype=ct.int32) % 2, 1)

    x = np.zeros(2, dtype)
    launch(count, (5,), (x,), backend)
    assert x.tolist() == [20, 20]


@BACKEND
@pytest.mark.parametrize("spelling", ["atomic_add", "atomic_store_add"])
def test_view_updates_drop_edges(backend, spelling):
    def add(x):
        METHOD(x.tiled_view((4,)), (ct.bid(0),), ct.arange(4, dtype=ct.int32))

    from tile2cpp.ops import METHODS

    METHOD = METHODS["view", spelling]
    x = np.zeros(6, np.int32)
    launch(add, (2,), (x,), backend)
    assert x.tolist() == [0, 1, 2, 3, 0, 1]


REFUSED = {
    "works on arrays of": lambda f, u: ct.atomic_max(f, 0, 1),
    "must be uint32 like the array": lambda f, u: ct.atomic_or(u, 0, 1),
    "does not convert": lambda f, u: ct.atomic_add(u, 0, 1.5),
    "must be one of": lambda f, u: ct.atomic_add(f, 0, 1.5, memory_order="WEAK"),
    "does not broadcast": lambda f, u: ct.atomic_add(f, 0, ct.zeros((4,), ct.float32)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused(words):
    refused = REFUSED[words]

    def kernel(f, u):
        refused(f, u)

    with pytest.raises(ct.TileError, match=words):
        launch(kernel, (1,), (np.zeros(4, np.float32), np.zeros(4, np.uint32)), "interpret")
