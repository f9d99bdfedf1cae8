"""Slices, raw memory, strided and gathered views, on host and interpreter, against NumPy's indexing."""

import numpy as np
import pytest
from harness import launch

import tile2cpp.lang as ct

BACKENDS = pytest.mark.parametrize("backend", ("interpret", "host"))
X = np.arange(8 * 40, dtype=np.float32).reshape(8, 40)


def sliced(x, out, n):
    part = x.slice(1, n, n + 20)
    ct.store(out, (0, 0), ct.load(part, (0, 1), (4, 16), padding_mode=ct.PaddingMode.ZERO))
    rows = part.slice(axis=0, start=1, stop=3)
    ct.store(out, (1, 0), ct.load(rows, (0, 0), (4, 16), padding_mode=ct.PaddingMode.ZERO))
    ct.store(out.slice(0, 8, 10), (0, 0), ct.full((4, 16), 7.0, ct.float32))


@BACKENDS
def test_slices(backend):
    out = np.zeros((12, 16), np.float32)
    launch(sliced, (1,), (X, out, 3), backend)
    wanted = np.zeros((12, 16), np.float32)
    wanted[:4, :4] = X[:4, 19:23]
    wanted[4:6] = X[1:3, 3:19]
    wanted[8:10] = 7
    np.testing.assert_array_equal(out, wanted)


def strided(x, out):
    view = x.tiled_view((4, 16), traversal_steps=(2, 3), padding_mode=ct.PaddingMode.ZERO)
    ct.store(out, (0, 0), view.load((1, 11)))
    ct.store(out, (1, 0), ct.full((4, 16), view.num_tiles(0) * 100 + view.num_tiles(1), ct.int32))
    out.tiled_view((2, 16), traversal_steps=(3, 16)).store((3, 0), 5.0)


@BACKENDS
def test_strided_views(backend):
    out = np.zeros((12, 16), np.float32)
    launch(strided, (1,), (X, out), backend)
    wanted = np.zeros((12, 16), np.float32)
    wanted[:4, :7] = X[2:6, 33:40]
    wanted[4:8] = 4 * 100 + 14
    wanted[9:11] = 5
    np.testing.assert_array_equal(out, wanted)


def gathered(x, rows, out):
    at = ct.load(rows, (0,), (4,))
    ct.store(out, (0, 0), ct.load_advanced_indexing(x, (at, ct.Slice(30, 16)), padding_mode=ct.PaddingMode.ZERO))
    ct.store_advanced_indexing(out, (at + 5, ct.Slice(ct.bid(0) + 2, 8)), ct.full((4, 8), 1.0, ct.float32))


@BACKENDS
def test_rows_from_anywhere(backend):
    out = np.zeros((12, 16), np.float32)
    launch(gathered, (1,), (X, np.array([3, 0, -1, 9], np.int32), out), backend)
    wanted = np.zeros((12, 16), np.float32)
    wanted[0, :10], wanted[1, :10] = X[3, 30:], X[0, 30:]
    for row in (8, 5, 4):
        wanted[row, 2:10] = 1
    np.testing.assert_array_equal(out, wanted)


@ct.kernel
def pages(x, out, COUNT: ct.Constant[int], LENGTH: ct.Constant[int]):
    """The lengths have names, which the emitted file keeps."""
    at = ct.arange(COUNT, dtype=ct.int32) * 2
    ct.store_advanced_indexing(out, (at, ct.Slice(0, LENGTH)), ct.load_advanced_indexing(x, (at, ct.Slice(4, LENGTH))))


@BACKENDS
def test_lengths_with_names(backend):
    x, out = np.arange(16 * 32, dtype="f").reshape(16, 32), np.zeros((16, 8), "f")
    ct.launch(0, (1,), pages, (x, out, 8, 8), backend=backend)
    assert (out[::2] == x[::2, 4:12]).all() and (out[1::2] == 0).all()
    assert "ct::shape{COUNT, LENGTH}" in pages.source(x, out, 8, 8)


def raw(x, out, counts):
    i = ct.arange(16, dtype=ct.int32)
    ct.store(out, (0,), x.get_raw_memory().load_offset(i * 3, mask=i < 10, padding_value=-1))
    out.get_raw_memory().store_offset(i + 20, i, mask=i % 2 == 0)
    memory = counts.get_raw_memory()
    memory.atomic_add_offset(i // 4, 1)
    memory.atomic_max_offset(8, 5)
    memory.atomic_cas_offset(i % 4 + 9, 0, 3, mask=i < 3)


@BACKENDS
def test_raw_memory(backend):
    out, counts = np.zeros(64, np.float32), np.zeros(16, np.int32)
    launch(raw, (1,), (X, out, counts), backend)
    wanted = np.zeros(64, np.float32)
    wanted[:10], wanted[10:16] = X.ravel()[:30:3], -1
    wanted[20:36:2] = np.arange(0, 16, 2)
    np.testing.assert_array_equal(out, wanted)
    np.testing.assert_array_equal(counts, [4, 4, 4, 4, 0, 0, 0, 0, 5, 3, 3, 3, 0, 0, 0, 0])


@pytest.mark.parametrize(
    "take, words",
    [
        (lambda x: x.slice(0, -4, 8), "do not count from the end"),
        (lambda x: x.slice(0, 8, 4), "stop 4 comes before start 8"),
        (lambda x: x.slice(2, 0, 4), "axis 2 does not exist"),
        (lambda x: x.tiled_view((4, 4), traversal_steps=(0, 4)), "positive"),
        (lambda x: ct.load_advanced_indexing(x, (ct.Slice(0, 4), ct.Slice(0, 4))), "exactly one index"),
        (lambda x: x.get_raw_memory().load_offset(1.5), "integer"),
    ],
)
def test_what_is_refused(take, words):
    def kernel(x):
        take(x)

    with pytest.raises(ct.TileError, match=words):
        launch(kernel, (1,), (X,), "interpret")
