"""Schedules: threads and vectors by the largest tile, barriers only where one thread may see another's writes."""

import copy as copies
import pickle
from dataclasses import asdict, replace

import numpy as np
import pytest

import tile2cpp.lang as ct
from benchmarks.kernels import rows
from tile2cpp.build import nvrtc
from tile2cpp.launch import prepare
from tile2cpp.lower.values import NamedInt
from tile2cpp.signature import Signature


def copy(rows, columns):
    @ct.kernel
    def copied(x, y):
        ct.store(y, (ct.bid(0), 0), ct.load(x, (ct.bid(0), 0), (rows, columns)))

    return copied


def schedule(kernel, *args):
    return kernel.emitted(*args).schedule


@pytest.mark.parametrize(
    "dtype, shape, expected",
    [
        ("float32", (1, 16), (32, 4, 4)),
        ("float32", (1, 1024), (128, 4, 128)),
        ("float16", (1, 4096), (128, 8, 128)),
        ("float32", (64, 64), (128, 4, 16)),
        ("float32", (128, 128), (512, 4, 32)),
        ("float64", (64, 64), (256, 2, 32)),
        ("int8", (16, 64), (128, 8, 8)),
        ("float32", (1, 32768), (1024, 4, 1024)),
    ],
)
def test_threads_vectors_and_columns(dtype, shape, expected):
    x = np.zeros(shape, dtype)
    found = schedule(copy(*shape), x, x.copy())
    assert (found.threads, found.vector, found.column_threads) == expected


@ct.kernel
def narrow(x, y, ROWS: ct.Constant[int], COLUMNS: ct.Constant[int]):
    ct.store(y, (ct.bid(0), 0), ct.load(x, (ct.bid(0), 0), (ROWS, COLUMNS)))


@pytest.mark.parametrize("columns", [1, 2, 4, 8])
def test_narrow_tiles_whose_extents_have_names(columns):
    """Those names are the file's; a schedule is written down as plain numbers."""
    x = np.zeros((16, columns), np.uint8)
    found = asdict(schedule(narrow, x, x.copy(), 16, columns))
    assert found["vector"] == columns and {type(n) for n in found.values()} <= {int, bool, str, tuple}


@pytest.mark.parametrize("copied", [copies.copy, copies.deepcopy, lambda n: pickle.loads(pickle.dumps(n))])
def test_names_of_extents_are_copied(copied):
    found = copied(NamedInt(3, "ROWS"))
    assert (found, found.name) == (3, "ROWS")


def row_sums(rows, columns, axis=1):
    @ct.kernel
    def summed(x, y):
        t = ct.load(x, (ct.bid(0), 0), (rows, columns))
        ct.store(y, (ct.bid(0), 0), t / ct.sum(t, axis, keepdims=True))

    return summed


@pytest.mark.parametrize("shape, axis, columns", [((8, 512), 1, 32), ((2, 1024), 1, 64), ((1, 1024), 1, 128), ((8, 512), 0, 128), ((64, 16), 1, 4)])
def test_a_warp_for_each_row_that_is_reduced(shape, axis, columns):
    x = np.zeros(shape, "f")
    assert schedule(row_sums(*shape, axis), x, x.copy()).column_threads == columns


@pytest.mark.parametrize("dtype, shape, scratch", [("float16", (64, 64), 8192), ("float32", (128, 32), 16384), ("float64", (64, 128), 32768), ("int8", (1, 64), 512)])
def test_shared_memory_for_the_largest_tile(dtype, shape, scratch):
    x = np.zeros(shape, dtype)
    assert schedule(copy(*shape), x, x.copy()).scratch == scratch


@ct.kernel
def scaled_and_shifted(x, weight, bias, y):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (1, 8192)).astype(ct.float32)
    centred = t - ct.sum(t, 1, keepdims=True)
    w = ct.load(weight, (0,), (8192,)).astype(ct.float32)[None, :]
    b = ct.load(bias, (0,), (8192,)).astype(ct.float32)[None, :]
    ct.store(y, (i, 0), (centred * w + b).astype(y.dtype))


def test_room_for_a_fourth_block():
    """Where the tiles that wait take most registers; not where elements may have to move one by one."""
    of = lambda columns: [np.zeros(shape, "e") for shape in ((4, columns), columns, columns, (4, columns))]  # noqa: E731
    blocks = lambda columns: prepare.emit(scaled_and_shifted, scaled_and_shifted.signature_of(of(columns)), 90).schedule.blocks  # noqa: E731
    assert [blocks(8192), blocks(5000), blocks(5001)] == [4, 4, 0]


def part_sums(rows, columns, part):
    @ct.kernel
    def sums(x, y):
        t = ct.load(x, (0, 0), (rows, columns)).reshape((rows, columns // part, part))
        ct.store(y, (0, 0), ct.sum(t, 2))

    return sums


@pytest.mark.parametrize("rows, columns, part, expected", [(4, 1024, 128, (128, 128)), (8, 512, 64, (128, 128)), (16, 512, 256, (256, 256)), (8, 1024, 512, (256, 32)), (4, 1024, 1024, (128, 32))])
def test_parts_of_rows_lie_as_the_rows_do(rows, columns, part, expected):
    """As long as a warp has each of them; so halves in one shape move to no other thread in the other one."""
    found = schedule(part_sums(rows, columns, part), np.zeros((rows, columns), "e"), np.zeros((rows, columns // part), "e"))
    assert (found.threads, found.column_threads) == expected


def walked(columns):
    @ct.kernel
    def scaled(x, y):
        for j in range(ct.num_tiles(x, 1, (1, columns))):
            ct.store(y, (0, j), ct.load(x, (0, j), (1, columns)) * 2)

    return scaled


@pytest.mark.parametrize("columns, blocks", [(1024, 0), (2048, 1), (8192, 1), (16384, 0)])
def test_loops_of_loads_ask_for_one_block(columns, blocks):
    """So all parts of a tile are on their way at once; not where a tile has one part, or where that could cost a second block."""
    x = np.zeros((1, 2 * columns), "e")
    assert prepare.emit(walked(columns), walked(columns).signature_of((x, x.copy())), 90).schedule.blocks == blocks


def test_accumulators_stay_in_registers():
    @ct.kernel
    def product(a, b, c):
        acc = ct.zeros((128, 256), ct.float32)
        for k in range(ct.num_tiles(a, 1, (128, 32))):
            acc = ct.mma(ct.load(a, (0, k), (128, 32)), ct.load(b, (k, 0), (32, 256)), acc)
        ct.store(c, (0, 0), acc)

    a, b, c = np.zeros((128, 64), "e"), np.zeros((64, 256), "e"), np.zeros((128, 256), "f")
    found = prepare.emit(product, product.signature_of((a, b, c)), 90).schedule
    assert (found.threads, found.ordered) == (256, False)
    # Without tensor cores the factors are in registers too.
    assert prepare.emit(product, product.signature_of((a, b, c)), 75).schedule.threads == 512


def test_occupancy_becomes_blocks():
    kernel = copy(1, 1024).replace_hints(occupancy=4)
    assert schedule(kernel, np.zeros((1, 1024), "f"), np.zeros((1, 1024), "f")).blocks == 4
    big = copy(128, 128).replace_hints(occupancy=16)
    assert schedule(big, np.zeros((128, 128), "f"), np.zeros((128, 128), "f")).blocks == 1  # of 512 threads with large tiles


@pytest.mark.parametrize("shape, warps, threads", [((1, 8192), None, 256), ((1, 8192), 16, 512), ((1, 8192), 4, 128), ((1, 8192), 1, 128), ((1, 8192), 32, 1024), ((1, 64), 16, 64), ((256, 256), 1, 1024)])
def test_worker_warps_become_threads(shape, warps, threads):
    """As far as they can hold the largest tile, and no more of them than it has elements."""
    kernel = copy(*shape).replace_hints(num_worker_warps=warps)
    assert schedule(kernel, np.zeros(shape, "f"), np.zeros(shape, "f")).threads == threads


RELAXED = ct.MemoryOrder.RELAXED


def helper(x, t):
    ct.store(x, (0,), t)


def in_place(x, y):
    ct.store(x, (0,), ct.load(x, (0,), (1024,)) + 1)


def in_place_with_copies(x, y):
    ct.store(x, (0,), ct.load(x, (0,), (8,)) + ct.sum(ct.load(y, (0,), (1024,))))


def two_shapes(x, y):
    ct.store(x, (0,), ct.load(x, (0,), (1024,)))
    ct.store(y, (0,), ct.load(x, (0,), (512,)))


def gathered(x, y):
    i = ct.arange(1024, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, i))


def gathered_after_a_store(x, y):
    ct.store(x, (0,), ct.load(y, (0,), (1024,)))
    ct.store(y, (0,), ct.gather(x, ct.arange(1024, dtype=ct.int32)))


def scattered_in_a_loop(x, y):
    for i in range(4):
        ct.scatter(y, ct.arange(1024, dtype=ct.int32) * i, ct.load(x, (i,), (1024,)))


def atomic_after_a_store(x, y):
    ct.store(x, (0,), ct.load(x, (0,), (1024,)))
    ct.atomic_add(y, 0, 1.0)


def counted_in_place(x, y):
    i = ct.bid(0) * 1024 + ct.arange(1024, dtype=ct.int32)
    ct.scatter(x, i, ct.gather(x, i) + 1)


def counted_in_turns(x, y):
    for k in range(ct.bid(0), ct.cdiv(x.shape[0], 512), ct.num_blocks(0)):
        ct.scatter(y, ct.arange(512, dtype=ct.int64) + (k * 1024 + 512), ct.gather(x, ct.arange(512, dtype=ct.int32)))


def counted_from_any_place(x, y):
    i = ct.bid(0) * 512 + ct.arange(1024, dtype=ct.int32)
    ct.scatter(x, i, ct.gather(x, i) + 1)


def counted_in_few_bits(x, y):
    i = ct.arange(1024, dtype=ct.int8)
    ct.scatter(x, i, ct.gather(x, i) + 1)


def at_offsets_in_place(x, y):
    memory, i = x.get_raw_memory(), ct.bid(0) * 1024 + ct.arange(1024, dtype=ct.int32)
    memory.store_offset(i, memory.load_offset(i) + 1)


def at_offsets_and_indices(x, y):
    i = ct.bid(0) * 1024 + ct.arange(1024, dtype=ct.int32)
    x.get_raw_memory().store_offset(i, ct.gather(x, i) + 1)


def asked_after_a_store(x, y):
    ct.store(x, (0,), ct.load(x, (0,), (1024,)) + ct.atomic_add(y, 0, 1.0))


def added_in_a_loop(x, y):
    for i in range(4):
        ct.atomic_add(y, ct.arange(1024, dtype=ct.int32) * i, ct.load(x, (i,), (1024,)), memory_order=RELAXED)
        ct.atomic_add(y, 0, 1.0, memory_order=RELAXED)


def added_and_replaced(x, y):
    ct.atomic_add(y, ct.arange(1024, dtype=ct.int32), ct.load(x, (0,), (1024,)), memory_order=RELAXED)
    ct.atomic_xchg(y, 0, 1.0, memory_order=RELAXED)


def replaced_in_a_loop(x, y):
    for i in range(4):
        ct.atomic_xchg(y, ct.arange(1024, dtype=ct.int32) * i, ct.load(x, (i,), (1024,)), memory_order=RELAXED)


def added_and_loaded(x, y):
    ct.atomic_add(y, ct.arange(1024, dtype=ct.int32), 1.0, memory_order=RELAXED)
    ct.store(x, (0,), ct.load(y, (0,), (1024,)))


def stored_by_a_helper(x, y):
    t = ct.load(x, (0,), (512,))
    helper(x, ct.cat((t, t), 0))


@pytest.mark.parametrize(
    "body, ordered",
    [
        (in_place, False), (in_place_with_copies, True), (two_shapes, True), (gathered, False), (gathered_after_a_store, True),
        (scattered_in_a_loop, True), (atomic_after_a_store, True), (asked_after_a_store, True), (added_in_a_loop, False), (added_and_replaced, True),
        (counted_in_place, False), (counted_in_turns, False), (counted_from_any_place, True), (counted_in_few_bits, True), (at_offsets_in_place, False), (at_offsets_and_indices, True),
        (replaced_in_a_loop, True), (added_and_loaded, True), (stored_by_a_helper, True),
    ],
)  # fmt: skip
def test_barriers_only_where_threads_meet(body, ordered):
    x, y = np.zeros(4096, "f"), np.zeros(4096, "f")
    assert schedule(ct.kernel(body), x, y).ordered == ordered


@pytest.mark.parametrize("body, ordered", [(atomic_after_a_store, False), (asked_after_a_store, True), (added_in_a_loop, False), (added_and_replaced, True), (replaced_in_a_loop, True)])
def test_an_entry_of_its_own_says_that_nobody_asks(body, ordered):
    x, y = np.zeros(4096, "f"), np.zeros(4096, "f")
    found = prepare.emit(ct.kernel(body), ct.kernel(body).signature_of((x, y)), 90, True).schedule
    assert (found.ordered, found.unasked) == (ordered, body is not asked_after_a_store)


@ct.kernel
def shifted(x, y):
    ct.store(x, (0,), ct.load(x.slice(0, 1, 65), (0,), (64,)))


@ct.kernel
def shifted_in_a_helper(x, y):
    s = x.slice(0, 1, 65)
    ct.store(y, (0,), first(s))
    ct.store(x, (0,), ct.load(y, (0,), (64,)))


def first(s):
    return ct.load(s, (0,), (64,))


@ct.kernel
def apart(x, y):
    ct.store(y, (0,), ct.load(x.slice(0, 1, 65), (0,), (64,)))


@ct.kernel
def lists(x, y):
    ct.store(y, (0,), ct.load(x[1], (1,), (64,)) + ct.load(x[0], (0,), (64,)))


@ct.kernel
def lists_in_two_shapes(x, y):
    ct.store(x[1], (0,), ct.load(x[0], (0,), (64,)))
    ct.store(y, (0,), ct.load(x[1], (0,), (32,)))


@pytest.mark.parametrize("kernel, ordered", [(shifted, True), (shifted_in_a_helper, True), (apart, False)])
def test_slices_lie_elsewhere_in_the_tiles(kernel, ordered):
    x, y = np.zeros(128, "f"), np.zeros(128, "f")
    assert schedule(kernel, x, y).ordered is ordered


@ct.kernel
def parts_in_turn(x, y):
    for n in range(4):
        ct.store(y.slice(0, n, n + 64), (0,), ct.load(x, (n,), (64,)))


@ct.kernel
def parts_in_turn_and_read(x, y):
    for n in range(4):
        ct.store(y.slice(0, n, n + 64), (0,), ct.load(y, (n,), (64,)))


@ct.kernel
def tiles_that_overlap(x, y):
    tiles = y.tiled_view((64,), traversal_steps=(16,))
    for n in range(4):
        tiles.store((n,), ct.load(x, (n,), (64,)))


@ct.kernel
def tiles_of_other_steps(x, y):
    y.tiled_view((64,), traversal_steps=(96,)).store((1,), ct.load(x, (0,), (64,)))
    ct.store(y, (1,), ct.load(x, (1,), (64,)))


@ct.kernel
def tiles_with_gaps(x, y):
    tiles = y.tiled_view((64,), traversal_steps=(96,))
    for n in range(2):
        tiles.store((n,), ct.load(x, (n,), (64,)))


STORES = [(parts_in_turn, True), (parts_in_turn_and_read, False), (tiles_that_overlap, True), (tiles_of_other_steps, True), (tiles_with_gaps, False), (apart, False)]


@pytest.mark.parametrize("kernel, meet", STORES)
def test_of_stores_that_nobody_reads_the_last_one_stays(kernel, meet):
    """Loads run ahead of them; who starts the kernel must know that they meet, so elsewhere they are in order with all else."""
    x = np.zeros(256, "f")
    made = prepare.emit(kernel, kernel.signature_of((x, x.copy())), 90, maps=True).schedule
    assert (made.stores_meet, made.ordered) == (meet, kernel is parts_in_turn_and_read)
    elsewhere = schedule(kernel, x, x.copy())
    assert (elsewhere.stores_meet, elsewhere.ordered) == (False, meet or kernel is parts_in_turn_and_read)


@ct.kernel
def overlapping_tiles_are_read(x):
    tiles = x.tiled_view((64,), traversal_steps=(16,))
    for n in range(4):
        tiles.store((n + 1,), tiles.load((n,)))


def test_tiles_that_overlap_are_read_in_order():
    assert schedule(overlapping_tiles_are_read, np.zeros(256, "f")).ordered


@pytest.mark.parametrize("kernel, ordered", [(lists, False), (lists_in_two_shapes, True)])
def test_arrays_of_a_list_count_as_one(kernel, ordered):
    x, y = np.zeros(128, "f"), np.zeros(128, "f")
    assert schedule(kernel, [x, x.copy()], y).ordered is ordered


def product_of(sums, cast=None):
    @ct.kernel
    def multiplied(a, b, c):
        acc = ct.zeros((64, 64), sums)
        for k in range(ct.num_tiles(a, 1, (64, 64))):
            x, y = ct.load(a, (0, k), (64, 64)), ct.load(b, (k, 0), (64, 64))
            acc = ct.mma(x if cast is None else x.astype(cast), y if cast is None else y.astype(cast), acc)
        ct.store(c, (0, 0), acc)

    return multiplied


def scheduled_product(dtype, sums, target, cast=None):
    a, c = np.zeros((64, 64), dtype), np.zeros((64, 64), sums)
    kernel = product_of(getattr(ct, sums), cast)
    return prepare.emit(kernel, kernel.signature_of((a, a, c)), target).schedule


def test_a_conversion_that_changes_nothing_hides_no_load():
    """The factors of a product are fetched ahead all the same."""
    plain, cast = (scheduled_product("float16", "float32", 80, cast) for cast in (None, ct.float16))
    assert plain == cast and plain.shared > 0


@pytest.mark.parametrize("target", [80, 86])
def test_products_too_large_for_two_stages_are_fetched_in_slices(target):
    """Two products of 64 KiB find room on compute capability 8.0, not on 8.6; slices of 32 KiB do."""
    found = scheduled_product("float64", "float64", target)
    assert (found.threads, found.shared) == (128, {80: 128, 86: 96}[target] * 1024)


def test_threads_for_sums_and_factors_that_are_computed():
    """These find no room in shared memory."""

    @ct.kernel
    def doubled(a, b, c):
        acc = ct.zeros((64, 64), ct.float64)
        for k in range(ct.num_tiles(a, 1, (64, 64))):
            acc = ct.mma(ct.load(a, (0, k), (64, 64)) * 2, ct.load(b, (k, 0), (64, 64)), acc)
        ct.store(c, (0, 0), acc)

    a = np.zeros((64, 64))
    found = prepare.emit(doubled, doubled.signature_of((a, a.copy(), a.copy())), 86).schedule
    assert (found.threads, found.shared) == (256, 0)


def test_products_without_tensor_cores_ask_for_one_block():
    """Their sums and factors take most registers, and some would be spilled for a second block."""
    assert [scheduled_product("float16", "float32", target).blocks for target in (75, 80)] == [1, 0]


@ct.kernel
def without_sums(A, B, C):
    ct.store(C, (0, 0), ct.matmul(ct.load(A, (0, 0), (64, 64)), ct.load(B, (0, 0), (64, 64))))


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("target", [75, 80, 86, 90, 120])
def test_products_without_sums_have_schedules(dtype, target):
    found = prepare.emit(without_sums, Signature.parse(", ".join(f"{name}: {dtype}[?%16,?%16]" for name in "ABC")), target, True).schedule
    assert found.threads in (128, 256, 512)


def rows_by_ranges(x, y):
    columns = ct.arange(1024, dtype=ct.int32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.scatter(y, (row, columns), ct.gather(x, (row, columns)) * 2.0)


def rows_by_blocks_of_ranges(x, y):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        at = (row * 4 + ct.arange(4, dtype=ct.int32)[:, None], ct.arange(1024, dtype=ct.int32)[None, :])
        ct.scatter(y, at, ct.gather(x, at))


def rows_that_overlap(x, y):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        at = (row * 2 + ct.arange(4, dtype=ct.int32)[:, None], ct.arange(1024, dtype=ct.int32)[None, :])
        ct.scatter(y, at, ct.gather(x, at))


def rows_from_a_moving_start(x, y):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        columns = ct.arange(1024, dtype=ct.int32) + row
        ct.scatter(y, (row, columns), ct.gather(x, (row, columns)))


def range_that_changes(x, y):
    columns = ct.arange(1024, dtype=ct.int32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.scatter(y, (row, columns), ct.gather(x, (row, columns)))
        columns = columns + 1


def read_back_by_other_threads(x, y):
    ct.scatter(y, (0, ct.arange(1024, dtype=ct.int32)), ct.gather(x, (0, ct.arange(1024, dtype=ct.int32))))
    ct.scatter(x, (0, ct.arange(1024, dtype=ct.int32)), ct.gather(y, (0, ct.arange(1024, dtype=ct.int32, start=1))))


@pytest.mark.parametrize(
    "body, ordered",
    [
        (rows_by_ranges, False), (rows_by_blocks_of_ranges, False), (rows_that_overlap, True), (rows_from_a_moving_start, True), (range_that_changes, True),
        (read_back_by_other_threads, True),
    ],
)  # fmt: skip
def test_elements_of_a_range_stay_with_their_threads(body, ordered):
    x, y = np.zeros((4, 1024), "f"), np.zeros((4, 1024), "f")
    assert schedule(ct.kernel(body), x, y).ordered is ordered


def parked(kernel, constants):
    signature = Signature.parse(f"x: f16[?,?%16], y: f16[?,?%16], {constants}, TILE=16384, LANES=4096", kernel.names)
    made = prepare.emit(kernel, signature, 90)
    return made, [made.text.splitlines()[line - 1].strip() for line in made.schedule.parked]


def test_the_last_tiles_of_a_row_wait_in_shared_memory():
    """As many as find room there, where registers do not suffice; the first ones are worked on meanwhile."""
    made, lines = parked(rows.softmax_whole, "TILES=8")
    assert lines == [f"auto item_{n} = x_tiles.load_masked(ct::view_padding_negative_inf_t{{}}, row, {n - 1});" for n in range(3, 9)]
    assert made.schedule.shared == 6 * 16384 * 2
    assert parked(rows.softmax_held, "HELD=4")[1] == []


@ct.kernel
def asked_for_in_between(x, y, TILES: ct.Constant[int], TILE: ct.Constant[int], LANES: ct.Constant[int]):
    """The first tiles are asked for before the last ones are loaded."""
    first = tuple(ct.load(x, (0, k), (1, TILE)) for k in ct.static_iter(range(TILES // 2)))
    for k in ct.static_iter(range(TILES // 2)):
        ct.store(y, (0, k), first[k])
    rest = tuple(ct.load(x, (0, k), (1, TILE)) for k in ct.static_iter(range(TILES // 2, TILES)))
    for k in ct.static_iter(range(TILES // 2)):
        ct.store(y, (1, k), first[k] + rest[k])
        ct.store(y, (2, k), first[k] * rest[k])


def test_tiles_that_wait_together_are_loaded_together():
    """Their copies are counted when one is waited for."""
    assert parked(asked_for_in_between, "TILES=8")[1] == [f"auto item_{n} = x_tiles.load_masked(0, {n - 1});" for n in range(5, 9)]


@ct.kernel
def two_arrays(x, y, TILES: ct.Constant[int], TILE: ct.Constant[int], LANES: ct.Constant[int]):
    """One of them is written too."""
    mine = tuple(ct.load(x, (0, k), (1, TILE)) for k in ct.static_iter(range(TILES)))
    theirs = tuple(ct.load(y, (0, k), (1, TILE)) for k in ct.static_iter(range(TILES)))
    for k in ct.static_iter(range(TILES)):
        ct.store(y, (0, k), mine[k] + theirs[k])
    for k in ct.static_iter(range(TILES)):
        ct.store(y, (1, k), mine[k] * theirs[k])


def test_only_what_nobody_writes_waits_in_shared_memory():
    assert {line.split()[3][:7] for line in parked(two_arrays, "TILES=8")[1]} == {"x_tiles"}
    signature = Signature.parse("x: f16[?,?]:(1,?), y: f16[?,?], TILES=8, TILE=16384, LANES=4096", rows.softmax_whole.names)
    assert prepare.emit(rows.softmax_whole, signature, 90).schedule.parked == ()


def test_fewer_blocks_where_registers_do_not_suffice():
    made = schedule(copy(1, 64), *(np.zeros((1, 64), "f"),) * 2)
    tried = lambda blocks: [s.blocks for s in prepare._without_hopes(replace(made, blocks=blocks))]  # noqa: E731
    assert [tried(0), tried(1), tried(4), tried(8)] == [[], [], [3, 1], [6, 4, 3, 1]]


def rows_in_turn(x, y):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        t = ct.load(x, (row, 0), (1, 8192)).astype(ct.float32)
        ct.store(y, (row, 0), (t - ct.max(t, 1, keepdims=True)).astype(ct.float16))


def rows_summed(x, y):
    total = ct.zeros((1, 8192), ct.float32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        total += ct.load(x, (row, 0), (1, 8192)).astype(ct.float32)
    ct.store(y, (0, 0), total.astype(ct.float16))


@pytest.mark.parametrize("body, blocks", [(rows_in_turn, 4), (rows_summed, 1)])
def test_blocks_of_loops_over_rows(body, blocks):
    x, kernel = np.zeros((4, 8192), "e"), ct.kernel(body)
    assert prepare.emit(kernel, kernel.signature_of((x, x.copy())), 90).schedule.blocks == blocks


def slopes_in_turn(x, w, dy, dx, dw, TILE: ct.Constant[int]):
    """What the rows of a norm give back, and the sum of what they give to its weights."""
    columns = ct.arange(TILE, dtype=ct.int32)
    total, weights = ct.zeros((TILE,), ct.float32), ct.gather(w, columns)
    for row in range(3):
        t = ct.gather(x, (row, columns)).astype(ct.float32)
        slope = ct.gather(dy, (row, columns))
        scaled = (slope * weights).astype(ct.float32)
        ct.scatter(dx, (row, columns), (scaled - t * ct.sum(scaled * t)).astype(dx.dtype))
        total += slope.astype(ct.float32) * t
    ct.scatter(dw, columns, total)


@pytest.mark.parametrize("tile", [2048, 4096])
def test_sums_of_rows_in_turn_stay_in_registers(tile):
    """They and the weights take more than four blocks leave; what spills is built once more, which takes as long again."""
    kernel = ct.kernel(slopes_in_turn)
    rows, weights = np.zeros((3, tile), "e"), np.zeros(tile, "f")
    made = prepare.emit(kernel, kernel.signature_of((rows, rows[0], rows, rows.copy(), weights, tile)), 90)
    assert 1 < made.schedule.blocks < 65536 // (made.schedule.threads * 64)
    assert nvrtc.compile(made, 90).facts["spill_stores"] == 0


@ct.kernel
def product_of_elements(x, rows, y, z):
    acc, lines, columns = ct.zeros((128, 128), ct.float32), ct.gather(rows, ct.arange(128, dtype=ct.int32)), ct.arange(128, dtype=ct.int32)
    for k in range(4):
        a = ct.gather(x, (lines[:, None], (k * 64 + ct.arange(64, dtype=ct.int32))[None, :]))
        b = ct.gather(y, ((k * 64 + ct.arange(64, dtype=ct.int32))[:, None], columns[None, :]))
        acc = ct.mma(a, b, acc)
    ct.store(z, (0, 0), acc)


@pytest.mark.parametrize("target", [80, 90])
def test_factors_of_single_elements_are_in_registers(target):
    """None of them waits in shared memory, so a thread has fewer sums."""
    x, z = np.zeros((256, 256), "e"), np.zeros((128, 128), "f")
    made = prepare.emit(product_of_elements, product_of_elements.signature_of((x, np.zeros(128, "i"), x.copy(), z)), target, maps=True).schedule
    assert (made.product, made.threads, made.rings, made.shared > 0) == (True, 256, (), False) and not made.residents


def test_one_block_where_two_would_spill_a_third():
    kernel = ct.kernel(slopes_in_turn)
    rows, weights = np.zeros((3, 16384), "e"), np.zeros(16384, "f")
    made = prepare.emit(kernel, kernel.signature_of((rows, rows[0], rows, rows.copy(), weights, 16384)), 90).schedule
    assert (made.threads, made.blocks) == (512, 1)


def sums_of_two(x, y, sums, ONLY: ct.Constant[bool]):
    """Two tiles of rows, and four sums of them, of which one is enough for `ONLY`."""
    a = b = c = d = ct.zeros((4096,), ct.float32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        if row != 7:
            t = ct.load(x, (row, 0), (1, 4096)).reshape((4096,)).astype(ct.float32)
            u = ct.load(y, (row, 0), (1, 4096)).reshape((4096,)).astype(ct.float32)
            v = t + u
            w = t - u
            a += t
            if not ONLY:
                b += u
                c += v * ct.sum(w * u)
                d += w * ct.sum(v * t)
    ct.store(sums, (0,), a if ONLY else a + b + c + d)


@pytest.mark.parametrize("only, threads", [(True, 128), (False, 256)])
def test_threads_for_all_that_a_loop_keeps(only, threads):
    kernel, x = ct.kernel(sums_of_two), np.zeros((8, 4096), "f")
    assert prepare.emit(kernel, kernel.signature_of((x, x.copy(), x[0].copy(), only)), 90).schedule.threads == threads


# --- kernels that divide few elements ---


@ct.kernel
def weighed(x, y, TILE: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (TILE,)).astype(ct.float32)
    ct.store(y, (ct.bid(0),), (t / (1.0 + ct.exp(-t))).astype(y.dtype))


@ct.kernel
def gated(x, y, TILE: ct.Constant[int]):
    """Reads two tiles: their elements and addresses take more than a thread has then."""
    t = ct.load(x, (ct.bid(0),), (TILE,)).astype(ct.float32)
    ct.store(y, (ct.bid(0),), (t / (1.0 + ct.exp(-t)) * ct.load(x, (ct.bid(0) + 1,), (TILE,))).astype(y.dtype))


@ct.kernel
def by_a_number(x, y, TILE: ct.Constant[int]):
    ct.store(y, (ct.bid(0),), (ct.load(x, (ct.bid(0),), (TILE,)).astype(ct.float32) / 3.0).astype(y.dtype))


@ct.kernel
def of_sines(x, y, TILE: ct.Constant[int]):
    t = ct.load(x, (ct.bid(0),), (TILE,)).astype(ct.float32)
    ct.store(y, (ct.bid(0),), (ct.sin(t) / t).astype(y.dtype))


def blocks_of(kernel, tile=1024, target=90, dtype="f16"):
    return prepare.emit(kernel, Signature.parse(f"x: {dtype}[?], y: {dtype}[?], TILE={tile}", kernel.names), target).schedule.blocks


def test_all_threads_divide_few_elements():
    assert [blocks_of(weighed, target=target) for target in (75, 80, 86, 90, 100)] == [8, 16, 12, 16, 16]
    assert blocks_of(weighed, 2048) == 0 and blocks_of(weighed, 1024, dtype="f64") == 0
    assert [blocks_of(kernel) for kernel in (gated, by_a_number, of_sines)] == [0, 0, 0]


@pytest.mark.parametrize("target", [80, 90])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
def test_they_have_room(dtype, target):
    """All 2048 threads of a multiprocessor, and nothing spilled."""
    if nvrtc.find() is None:
        pytest.skip("NVRTC is not installed")
    emitted, built = prepare.for_gpu(weighed, Signature.parse(f"x: {dtype}[?%16], y: {dtype}[?%16], TILE=1024"), target, nvrtc.find().version[0])
    assert emitted.schedule.blocks == 16 and emitted.schedule.is_full
    assert built.facts["registers"] <= 32 and not built.facts["spill_stores"]
