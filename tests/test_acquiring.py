"""Products fetch ahead beside barriers, unless the block looks first whether other blocks have written (`tile2cpp.acquiring`)."""

import pytest

import tile2cpp.lang as ct
from tile2cpp.build.entry import device_entry
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

ConstInt = ct.Constant[int]
ACQUIRE, RELEASE, RELAXED = ct.MemoryOrder.ACQUIRE, ct.MemoryOrder.RELEASE, ct.MemoryOrder.RELAXED
DEVICE = ct.MemoryScope.DEVICE
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


def adds_and_forgets(flags, A, B, C):
    old = ct.atomic_add(C, indices(ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))  # noqa: F841
    ct.atomic_add(flags, 0, 1)


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


def asks_and_then_looks(flags, A, B, C):
    while ct.atomic_add(flags, ct.bid(0), 0, memory_order=RELAXED) == 0:
        pass
    ct.atomic_add(flags, ct.bid(0), 0, memory_order=ACQUIRE)
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def asks_by_loads_and_then_looks(flags, A, B, C):
    while ct.load(flags, ct.bid(0), (), memory_order=RELAXED, memory_scope=DEVICE) == 0:
        pass
    ct.atomic_add(flags, ct.bid(0), 0)
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def asks_in_one_turn_and_looks_in_the_next(flags, A, B, C):
    for i in range(ct.num_tiles(A, 0, (64, 64))):
        acc = dot(A, B, i, ct.bid(1))
        ct.atomic_add(flags, i, 1)
        asked = ct.atomic_add(flags, i + 1, 0, memory_order=RELAXED)
        ct.store(C, (i, ct.bid(1)), acc + asked)


def looks_by_a_load(flags, A, B, C):
    while ct.load(flags, ct.bid(0), (), memory_order=ACQUIRE, memory_scope=DEVICE) == 0:
        pass
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.bid(0), ct.bid(1)))


def looks_by_a_load_behind(flags, A, B, C):
    acc = dot(A, B, ct.bid(0), ct.bid(1))
    while ct.load(flags, ct.bid(0), (), memory_order=ACQUIRE, memory_scope=DEVICE) == 0:
        pass
    ct.store(C, (ct.bid(0), ct.bid(1)), acc)


def tells_between(flags, A, B, C):
    a, b = ct.load(A, (ct.bid(0), 0), (64, 64)), ct.load(B, (0, ct.bid(1)), (64, 64))
    ct.atomic_xchg(flags, ct.bid(0), 1, memory_order=RELEASE)
    acc = ct.mma(a, b, ct.zeros((64, 64), ct.float32))
    for k in range(1, 4):
        acc = ct.mma(ct.load(A, (ct.bid(0), k), (64, 64)), ct.load(B, (k, ct.bid(1)), (64, 64)), acc)
    ct.store(C, (ct.bid(0), ct.bid(1)), acc)


def tells_in_each_turn(flags, A, B, C):
    b = ct.load(B, (0, ct.bid(1)), (64, 64))
    for k in range(ct.num_tiles(A, 1, (64, 64))):
        acc = ct.mma(ct.load(A, (ct.bid(0), k), (64, 64)), b, ct.zeros((64, 64), ct.float32))
        ct.atomic_add(C, indices(ct.bid(0), ct.bid(1)), acc)


def looks_as_an_index(flags, A, B, C):
    i = ct.atomic_add(flags, 0, 1)
    ct.store(C, (i, ct.bid(1)), dot(A, B, i, ct.bid(1)))


@pytest.mark.parametrize("body", [adds, adds_in_turns, adds_and_forgets, signals])
def test_who_only_tells_others_needs_no_barriers(body):
    for target in (80, 90):
        chosen = emitted(body, target).schedule
        assert (chosen.ordered, chosen.unasked, chosen.tells) == (False, True, True)
        assert chosen.shared > 0 and bool(chosen.feeder) == (target == 90)
        assert "#define T2C_ASKS 0\n#define T2C_TELLS 1\n" in device_entry(emitted(body, target))


@pytest.mark.parametrize("body", [looks_behind, looks_by_a_load_behind, asks_in_any_order])
def test_fetched_ahead(body):
    for target in (80, 90):
        chosen = emitted(body, target).schedule
        assert chosen.ordered and chosen.early and not chosen.unasked and chosen.shared > 0 and bool(chosen.feeder) == (target == 90)
        assert "#define T2C_ORDERED 1\n#define T2C_EARLY 1\n" in device_entry(emitted(body, target))


LOOKING = [
    looks_first, looks_in_each_turn, looks_behind_in_turns, looks_in_a_branch, looks_as_an_index, looks_by_a_load,
    asks_and_then_looks, asks_by_loads_and_then_looks, asks_in_one_turn_and_looks_in_the_next,
]  # fmt: skip


@pytest.mark.parametrize("body", LOOKING)
def test_fetched_when_the_block_has_looked(body):
    for target in (80, 90):
        chosen = emitted(body, target).schedule
        assert chosen.ordered and not chosen.early and not chosen.feeder and not chosen.rings and chosen.shared == 0
        assert not {"T2C_EARLY", "T2C_ASKS", "T2C_TELLS"} & set(device_entry(emitted(body, target)).split())


def test_a_factor_loaded_before_others_are_told_is_not_fetched_behind():
    """They may write over it then."""
    for target in (80, 90):
        chosen = emitted(tells_between, target).schedule
        assert not chosen.feeder and not chosen.rings and chosen.shared == 0


def test_a_factor_that_has_arrived_stays_whatever_others_are_told():
    """Where it is kept; on older GPUs each product would fetch it again."""
    assert emitted(tells_in_each_turn).schedule.feeder and emitted(tells_in_each_turn).schedule.residents
    assert emitted(tells_in_each_turn, 80).schedule.shared == 0


def test_the_block_stores_what_it_multiplies():
    def chained(flags, A, B, C):
        acc = dot(A, B, 0, 0) + ct.atomic_add(flags, 0, 1, memory_order=RELAXED)
        ct.atomic_xchg(flags, 1, 1, memory_order=RELEASE)
        ct.store(B, (0, 0), acc.astype(B.dtype))
        ct.store(C, (0, 0), dot(A, B, 0, 0))

    for target in (80, 90):
        chosen = emitted(chained, target).schedule
        assert chosen.ordered and not chosen.early and not chosen.rings and chosen.shared == 0


def test_who_may_wait_for_others_does_not_run_several_blocks_of_the_grid():
    assert emitted(adds).schedule.walks
    assert not emitted(looks_behind).schedule.walks and not emitted(looks_by_a_load_behind).schedule.walks


def number_of(flags):
    return ct.load(flags, (0,), ())


def number_in_a_part(flags, A, B, C):
    one, other = flags.slice(0, 0, 8), flags.slice(0, 0, 8)
    ct.store(one, (0,), ct.full((8,), ct.bid(0) + 1, ct.int32))
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, ct.load(other, (0,), ()), ct.bid(1)))


def number_in_a_helper(flags, A, B, C):
    ct.store(flags, (0,), ct.full((8,), ct.bid(0) + 1, ct.int32))
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, number_of(flags), ct.bid(1)))


def number_that_others_store(flags, A, B, C):
    n = ct.load(flags, (ct.bid(0),), (), memory_order=RELAXED, memory_scope=DEVICE)
    ct.store(C, (ct.bid(0), ct.bid(1)), dot(A, B, n, ct.bid(1)))


@pytest.mark.parametrize("body", [number_in_a_part, number_in_a_helper, number_that_others_store])
def test_nobody_fetches_ahead_by_a_number_that_changes_meanwhile(body):
    """Who fetches for the products would read it too early, or another one than they do."""
    assert not emitted(body).schedule.feeder


def test_a_part_of_what_is_stored_is_not_fetched():
    def parts(flags, A, B, C):
        one, other = B.slice(0, 0, 64), B.slice(0, 0, 64)
        ct.store(one, (0, 0), ct.zeros((64, 64), B.dtype))
        ct.atomic_add(flags, 0, 1)
        ct.store(C, (0, 0), dot(A, other, 0, 0))

    for target in (80, 90):
        chosen = emitted(parts, target).schedule
        assert chosen.ordered and not chosen.early and not chosen.rings and chosen.shared == 0


def test_what_is_loaded_in_an_order_is_not_fetched():
    def strong(flags, A, B, C):
        acc = ct.zeros((64, 64), ct.float32)
        for k in range(ct.num_tiles(A, 1, (64, 64))):
            acc = ct.mma(ct.load(A, (0, k), (64, 64), memory_order=RELAXED, memory_scope=DEVICE), ct.load(B, (k, 0), (64, 64)), acc)
        ct.store(C, (0, 0), acc)

    assert emitted(strong, 80).schedule.shared == 0
    assert "B_tiles" in emitted(strong, 90).schedule.feeder and "A_tiles" not in emitted(strong, 90).schedule.feeder


def test_who_starts_it_without_its_entry_has_other_kernels_beside_it():
    assert emitted(adds, 80, None).schedule.ordered and not emitted(adds, 80).schedule.ordered
    assert not emitted(looks_behind, 80, None).schedule.early and emitted(looks_behind, 80, None).schedule.shared == 0
