"""Products fetch ahead beside barriers, unless the block looks first whether other blocks have written (`tile2cpp.acquiring`)."""

import pytest

import tile2cpp.lang as ct
from tile2cpp.build.entry import device_entry
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

ConstInt = ct.Constant[int]
ACQUIRE, RELEASE, RELAXED = ct.MemoryOrder.ACQUIRE, ct.MemoryOrder.RELEASE, ct.MemoryOrder.RELAXED
SIGNATURE = "flags: i32[?], A: f16[?%16,?%16], B: f16[?%16,?%16], C: f32[?%16,?%16]"


def emitted(body, target=90, maps=True):
    return prepare.emit(ct.kernel(body), Signature.parse(SIGNATURE), target, maps)


def dot(A, B, i, j):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        acc = ct.mma(ct.load(A, (i, k), (64, 64)), ct.load(B, (k, j), (64, 64)), acc)
    return acc


def indices(i, j):
    return (i * 64 + ct.arange(64, dtype=ct.int32))[:, None], (j * 64 + ct.arange(64, dtype=ct.int32))[None, :]


def wait(flags, i):
    while ct.atomic_add(flags, i, 0, memory_order=ACQUIRE) == 0:
        pass


def adds(flags, A, B, C):
    ct.atomic_add(C, indices(ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def adds_in_turns(flags, A, B, C):
    for i in range(ct.bid(0), ct.num_tiles(A, 0, (64, 64)), ct.num_blocks(0)):
        ct.atomic_add(C, indices(i, ct.bid(1)), dot(A, B, i, ct.bid(1)))


def signals(flags, A, B, C):
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))
    ct.atomic_xchg(flags, ct.bid(0), 1, memory_order=RELEASE)


def looks_behind(flags, A, B, C):
    i, j = ct.bid(0), ct.bid(1)
    acc = dot(A, B, i, j)
    wait(flags, i)
    ct.store(C, (i, j), ct.load(C, (i, j), (64, 64)) + acc)


def asks_in_any_order(flags, A, B, C):
    count = ct.atomic_add(flags, 0, 1, memory_order=RELAXED)
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)) + count)
    ct.atomic_add(flags, 0, 1)


def looks_first(flags, A, B, C):
    wait(flags, ct.bid(0))
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def looks_in_each_turn(flags, A, B, C):
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        wait(flags, k)
        acc = ct.mma(ct.load(A, (ct.bid(0), k), (64, 64)), ct.load(B, (k, ct.bid(1)), (64, 64)), acc)
    ct.store(C, (ct.bid(0), ct.bid(1)), acc)


def looks_behind_in_turns(flags, A, B, C):
    for i in range(ct.bid(0), ct.num_tiles(A, 0, (64, 64)), ct.num_blocks(0)):
        acc = dot(A, B, i, ct.bid(1))
        wait(flags, i)
        ct.store(C, (i, ct.bid(1)), ct.load(C, (i, ct.bid(1)), (64, 64)) + acc)


def looks_in_a_branch(flags, A, B, C):
    if ct.bid(1) > 0:
        wait(flags, ct.bid(0))
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def looks_as_an_index(flags, A, B, C):
    i = ct.atomic_add(flags, 0, 1)
    ct.store(C, (i, ct.bid(1)), dot(A, B, i, ct.bid(1)))


@pytest.mark.parametrize("body", [adds, adds_in_turns, signals, looks_behind, asks_in_any_order])
def test_fetched_ahead(body):
    for target in (80, 90):
        chosen = emitted(body, target).schedule
        assert chosen.ordered and chosen.early and chosen.shared > 0 and bool(chosen.feeder) == (target == 90)
        assert "#define T2C_ORDERED 1\n#define T2C_EARLY 1\n" in device_entry(emitted(body, target))


@pytest.mark.parametrize("body", [looks_first, looks_in_each_turn, looks_behind_in_turns, looks_in_a_branch, looks_as_an_index])
def test_fetched_when_the_block_has_looked(body):
    for target in (80, 90):
        chosen = emitted(body, target).schedule
        assert chosen.ordered and not chosen.early and not chosen.feeder and not chosen.rings and chosen.shared == 0
        assert "T2C_EARLY" not in device_entry(emitted(body, target))


def test_the_block_stores_what_it_multiplies():
    def chained(flags, A, B, C):
        acc = dot(A, B, 0, 0)
        ct.atomic_add(flags, 0, 1)
        ct.store(B, (0, 0), acc.astype(B.dtype))
        ct.store(C, (0, 0), dot(A, B, 0, 0))

    for target in (80, 90):
        chosen = emitted(chained, target).schedule
        assert chosen.ordered and not chosen.early and not chosen.rings and chosen.shared == 0


def test_who_starts_it_without_its_entry_has_other_kernels_beside_it():
    assert not emitted(adds, 80, None).schedule.early and emitted(adds, 80, None).schedule.shared == 0
