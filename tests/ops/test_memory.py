"""Loads, stores, gathers and scatters: edges, padding, orders, masks and strides."""

import itertools

import numpy as np
import pytest
from harness import BACKENDS, launch, quick
from hypothesis import given
from hypothesis import strategies as st

import tile2cpp.lang as ct

BACKEND = pytest.mark.parametrize("backend", BACKENDS)
extents = st.integers(1, 9)


def copy_tiles(x, y, TM: ct.Constant[int], TN: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(y, (i, j), ct.load(x, (i, j), (TM, TN)))


@BACKEND
@quick
@given(rows=extents, columns=extents, tile=st.sampled_from([(1, 1), (2, 4), (4, 2), (8, 8)]))
def test_tiles_cover_an_array_exactly_once(backend, rows, columns, tile):
    x = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    y = np.full_like(x, -1)
    launch(copy_tiles, (ct.cdiv(rows, tile[0]), ct.cdiv(columns, tile[1])), (x, y, *tile), backend)
    np.testing.assert_array_equal(y, x)


@BACKEND
@quick
@given(step=st.integers(1, 3), start=st.integers(0, 3), turned=st.booleans())
def test_strided_arrays_are_read_and_written_in_place(backend, step, start, turned):
    whole = np.arange(24 * 24, dtype=np.float32).reshape(24, 24)
    x = whole[start : start + 7 * step : step, ::2]
    target = np.zeros((24, 24), np.float32)
    y = target[start : start + 7 * step : step, ::2]
    x, y = (x.T, y.T) if turned else (x, y)
    launch(copy_tiles, (ct.cdiv(x.shape[0], 4), ct.cdiv(x.shape[1], 4)), (x, y, 4, 4), backend)
    np.testing.assert_array_equal(y, x)
    assert (target != 0).sum() == (x != 0).sum()


PADDINGS = {"UNDETERMINED": 0, "ZERO": 0, "NEG_ZERO": -0.0, "NAN": np.nan, "POS_INF": np.inf, "NEG_INF": -np.inf}


@BACKEND
@pytest.mark.parametrize("mode", PADDINGS)
def test_padding(backend, mode):
    def pad(x, y):
        ct.store(y, (0, 0), ct.load(x, (0, 1), (4, 4), padding_mode=MODE))

    MODE = ct.PaddingMode[mode]
    x, y = np.ones((3, 6), np.float32), np.full((4, 4), 7, np.float32)
    launch(pad, (1,), (x, y), backend)
    wanted = np.full((4, 4), PADDINGS[mode], np.float32)
    wanted[:3, :2] = 1
    np.testing.assert_array_equal(y, wanted)
    assert np.signbit(y[3, 3]) == np.signbit(wanted[3, 3])


@BACKEND
@pytest.mark.parametrize("order", ["C", "F", (0, 1), (1, 0)])
def test_order_permutes_axes(backend, order):
    def turned(x, y):
        ct.store(y, (0, 0), ct.load(x, (1, 0), (2, 4), order=ORDER))

    ORDER = order
    x = np.arange(32, dtype=np.int32).reshape(8, 4) if order in ("F", (1, 0)) else np.arange(32, dtype=np.int32).reshape(4, 8)
    y = np.zeros((2, 4), np.int32)
    launch(turned, (1,), (x, y), backend)
    np.testing.assert_array_equal(y, (x.T if order in ("F", (1, 0)) else x)[2:4, :4])


@BACKEND
def test_views(backend):
    def through_views(x, y, counts):
        source, target = x.tiled_view((2, 4), padding_mode=ct.PaddingMode.NAN), y.tiled_view((2, 4))
        for i in range(source.num_tiles(0)):
            for j in range(source.num_tiles(1)):
                target.store((i, j), source.load((i, j)) + 1)
        ct.store(counts, (0,), source.num_tiles(0))
        ct.store(counts, (1,), ct.num_tiles(x, 1, (2, 4)))
        target.store((0, 0), ct.zeros((1, 4), ct.float32))  # broadcasts to the view's shape

    x, y, counts = np.arange(35, dtype=np.float32).reshape(5, 7), np.zeros((5, 7), np.float32), np.zeros(2, np.int32)
    launch(through_views, (1,), (x, y, counts), backend)
    wanted = x + 1
    wanted[:2, :4] = 0
    np.testing.assert_array_equal(y, wanted)
    assert counts.tolist() == [3, 2]


@BACKEND
@quick
@given(st.lists(st.integers(-3, 9), min_size=8, max_size=8), st.lists(st.booleans(), min_size=8, max_size=8))
def test_gather_reads_live_lanes_only(backend, places, mask):
    def pick(x, i, m, y):
        ct.store(y, (0,), ct.gather(x, ct.load(i, (0,), (8,)), mask=ct.load(m, (0,), (8,)), padding_value=-1))

    x, y = np.arange(6, dtype=np.float32) + 10, np.zeros(8, np.float32)
    launch(pick, (1,), (x, np.array(places, np.int32), np.array(mask), y), backend)
    assert y.tolist() == [x[i] if m and 0 <= i < 6 else -1 for i, m in zip(places, mask)]


@BACKEND
@quick
@given(st.permutations(range(-2, 10)), st.lists(st.booleans(), min_size=8, max_size=8))
def test_scatter_writes_live_lanes_only(backend, places, mask):
    def put(y, i, m):
        ct.scatter(y, ct.load(i, (0,), (8,)), ct.arange(8, dtype=ct.int32), mask=ct.load(m, (0,), (8,)))

    places = places[:8]
    y = np.full(6, -1.0, np.float32)
    launch(put, (1,), (y, np.array(places, np.int32), np.array(mask)), backend)
    wanted = [-1] * 6
    for lane, (i, m) in enumerate(zip(places, mask)):
        if m and 0 <= i < 6:
            wanted[i] = lane
    assert y.tolist() == wanted


@BACKEND
def test_indices_of_two_dimensions_broadcast(backend):
    def corner(x, y):
        rows, columns = ct.arange(4, dtype=ct.int32), ct.arange(2, dtype=ct.int64)
        t = ct.gather(x, (rows[:, None], columns * 3 - 1), padding_value=99)
        ct.scatter(y, (columns, rows[:, None]), t)

    x, y = np.arange(15, dtype=np.int32).reshape(3, 5), np.zeros((2, 4), np.int32)
    launch(corner, (1,), (x, y), backend)
    wanted = np.full((2, 4), 99)
    for i, j in itertools.product(range(3), range(2)):
        if 0 <= 3 * j - 1 < 5:
            wanted[j, i] = x[i, 3 * j - 1]
    np.testing.assert_array_equal(y, wanted)


@BACKEND
def test_written_values_convert_when_nothing_is_lost(backend):
    def write(y):
        ct.store(y, (0,), ct.arange(4, dtype=ct.int8))
        ct.store(y, (4,), True)
        ct.scatter(y, 5, 2.5)
        ct.store(y, (6,), ct.float16(0.5))

    y = np.zeros(8, np.float32)
    launch(write, (1,), (y,), backend)
    assert y.tolist() == [0, 1, 2, 3, 1, 2.5, 0.5, 0]


REFUSED = {
    "float32 does not convert to float16": lambda x: ct.store(x, (0,), ct.zeros((4,), ct.float32)),
    "`index` has 2 items": lambda x: ct.load(x, (0, 0), (4,)),
    "`shape` has 2 extents": lambda x: ct.load(x, (0,), (4, 4)),
    "must be a scalar": lambda x: ct.load(x, (ct.arange(4, dtype=ct.int32),), (4,)),
    "must be a signed integer": lambda x: ct.load(x, (ct.uint32(0),), (4,)),
    "permutation": lambda x: ct.load(x, (0,), (4,), order=(1,)),
    "must be one of": lambda x: ct.load(x, (0,), (4,), padding_mode="NOTHING"),
    "from 1 to 10": lambda x: ct.load(x, (0,), (4,), latency=11),
    "does not go with scope": lambda x: ct.load(x, (0,), (4,), memory_order=ct.MemoryOrder.ACQUIRE),
    "must be a bool tile": lambda x: ct.gather(x, ct.arange(4, dtype=ct.int32), mask=1),
    "must be an integer": lambda x: ct.gather(x, ct.zeros((4,), ct.float32)),
    "does not broadcast": lambda x: ct.scatter(x, ct.arange(4, dtype=ct.int32), ct.zeros((2, 4), ct.float16)),
    "must be an array": lambda x: ct.load(ct.zeros((4,), ct.int32), (0,), (4,)),
    "not indexed": lambda x: x[0],
    "missing a required argument": lambda x: ct.load(x, (0,)),
    "unexpected keyword argument 'shap'": lambda x: ct.load(x, (0,), shap=(4,)),
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_refused(words):
    refused = REFUSED[words]

    def kernel(x):
        refused(x)

    with pytest.raises(ct.TileError, match=words):
        launch(kernel, (1,), (np.zeros(8, np.float16),), "interpret")
