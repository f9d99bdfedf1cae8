"""Loops that deal rows out: which of them a launch may give a block for each row, and that it is one."""

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.launch import prepare
from tile2cpp.signature import Signature

ConstInt = ct.Constant[int]
ARRAYS = "x: f16[?,?%16], y: f16[?,?%16], N=4096"


def rows(kernel, signature=ARRAYS, maps=True):
    return prepare.emit(kernel, Signature.parse(signature, kernel.names), 90, maps).schedule.rows


@ct.kernel
def by_elements(x, y, N: ConstInt):
    columns = ct.arange(N, dtype=ct.int32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        t = ct.gather(x, (row, columns)).astype(ct.float32)
        ct.scatter(y, (row, columns), (t - ct.max(t)).astype(y.dtype))


@ct.kernel
def by_tiles(x, y, N: ConstInt):
    for pair in range(ct.bid(0), ct.cdiv(y.shape[0], 2), ct.num_blocks(0)):
        total = ct.zeros((2, N), ct.float32)
        for j in range(ct.cdiv(x.shape[1], N)):
            total += ct.load(x, (pair, j), (2, N)).astype(ct.float32)
        ct.store(y, (pair, 0), total.astype(y.dtype))


@ct.kernel
def by_views(x, y, N: ConstInt):
    read, written = x.tiled_view((1, N)), y.tiled_view((1, N))
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        if row % 2 == 0:
            written.store((row, 0), read.load((row, 0)))
        else:
            written.store((row, 0), -read.load((row, 0)))


@pytest.mark.parametrize("kernel, expected", [(by_elements, ("x", 0, 1)), (by_tiles, ("y", 0, 2)), (by_views, ("x", 0, 1))])
def test_rows_that_have_nothing_to_do_with_each_other(kernel, expected):
    assert rows(kernel) == expected


def test_grids_of_others_stay():
    """Exports and C++ launchers have the grid of their callers, and small tiles are not worth a block."""
    assert rows(by_elements, maps=None) == () and rows(by_elements, ARRAYS.replace("4096", "1024")) == ()


@ct.kernel
def sums_in_place(x, y, N: ConstInt):
    """Reads what it wrote a turn before."""
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(y, (row - 1, 0), (1, N)) + ct.load(x, (row, 0), (1, N)))


@ct.kernel
def carries(x, y, N: ConstInt):
    total = ct.zeros((1, N), ct.float16)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        total = total + ct.load(x, (row, 0), (1, N))
        ct.store(y, (row, 0), total)


@ct.kernel
def overwrites(x, y, N: ConstInt):
    """The last turn counts."""
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (0, 0), ct.load(x, (row, 0), (1, N)))


@ct.kernel
def overlaps(x, y, N: ConstInt):
    """A row, and a part of those of the next turn."""
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        t = ct.load(x, (row, 0), (1, N))
        ct.store(y, (row, 0), t)
        ct.store(y, (row, 0), ct.reshape(t, (2, N // 2)))


@ct.kernel
def steps(x, y, N: ConstInt):
    """Two rows are written in each turn, which begins one row later."""
    written = y.tiled_view((2, N), traversal_steps=(1, N))
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        written.store((row, 0), ct.load(x, (row, 0), (2, N)))


@ct.kernel
def counts(x, y, N: ConstInt):
    """Says which block did it."""
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)) + ct.bid(0))


@ct.kernel
def tells(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)) * ct.num_blocks(0))


@ct.kernel
def adds(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)))
        ct.atomic_add(y, (0, 0), 1.0)


@ct.kernel
def publishes(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)), memory_order=ct.MemoryOrder.RELEASE, memory_scope=ct.MemoryScope.DEVICE)


@ct.kernel
def reads_before(x, y, N: ConstInt):
    """What all turns share is read once by each block: with few blocks that is less."""
    first = ct.load(x, (0, 0), (1, N))
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)) + first)


@ct.kernel
def writes_behind(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)))
    ct.store(y, (0, 0), ct.zeros((1, N), ct.float16))


@ct.kernel
def ends_early(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        t = ct.load(x, (row, 0), (1, N))
        if ct.max(t) > 0:
            break
        ct.store(y, (row, 0), t)


@ct.kernel
def other_steps(x, y, N: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(1)):
        ct.store(y, (row, 0), ct.load(x, (row, 0), (1, N)))


OTHERS = [sums_in_place, carries, overwrites, overlaps, steps, counts, tells, adds, publishes, reads_before, writes_behind, ends_early, other_steps]


@pytest.mark.parametrize("kernel", OTHERS, ids=lambda kernel: kernel.__name__)
def test_all_others_keep_their_blocks(kernel):
    assert rows(kernel) == ()


def test_rows_that_may_lie_in_one_place():
    """Of an array with strides, such as a row that stands for many."""
    assert rows(by_tiles, ARRAYS.replace("y: f16[?,?%16]", "y: f16[?,?%16]:(?,1)")) == ()


@pytest.mark.parametrize("blocks", [1, 3, 7, 20])
def test_any_number_of_blocks_is_right(blocks):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((7, 4096)).astype("e")
    for kernel, expected in ((by_elements, (x.astype("f") - x.max(1, keepdims=True).astype("f")).astype("e")), (by_tiles, x), (by_views, x * np.where(np.arange(7) % 2, -1, 1)[:, None].astype("e"))):
        y = np.zeros_like(x)
        kernel[(blocks,)](x, y, 4096)
        np.testing.assert_array_equal(y, expected)
