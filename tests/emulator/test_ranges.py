"""Ranges of elements, whose neighbours move and are compared together: where that is known of some rows only."""

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp import launch
from tile2cpp.build import nvrtc

from . import Launch, Policy

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

ROWS, COLUMNS = 64, 64


@ct.kernel
def compare(x, long, lengths, y):
    """The threads lie along the long row, so lengths of rows have other threads than the rows."""
    total = ct.sum(ct.load(long, (0, 0), (1, 8192))).astype(ct.float16)
    columns, n = ct.arange(COLUMNS, dtype=ct.int32)[None, :], ct.load(lengths, (0,), (ROWS,))[:, None]
    kept = ct.where(columns < n, ct.load(x, (0, 0), (ROWS, COLUMNS)), 0.0)
    ct.store(y, (0, 0), ct.where((columns + n >= 40) | (columns < 8), kept, 1.0) + total)


@ct.kernel
def move(x, long, lengths, y):
    """Each row begins at another element of memory."""
    total = ct.sum(ct.load(long, (0, 0), (1, 8192))).astype(ct.float16)
    rows, columns = ct.arange(ROWS, dtype=ct.int32)[:, None], ct.arange(COLUMNS, dtype=ct.int32)[None, :]
    begins = columns + ct.load(lengths, (0,), (ROWS,))[:, None]
    found = ct.gather(x, (rows, begins), padding_value=2.0) + total
    ct.scatter(y, (rows, columns), found)


@pytest.mark.parametrize("kernel", [compare, move])
def test_rows_that_are_known_of_by_other_threads(kernel):
    rng = np.random.default_rng(0)
    x, lengths = rng.standard_normal((ROWS, COLUMNS)).astype("e"), rng.integers(0, COLUMNS + 1, ROWS).astype("i")
    lengths[::2] &= -8
    lengths[:16] &= -8
    args = (x, np.zeros((1, 8192), "e"), lengths, np.zeros_like(x))
    expected = (*args[:3], args[3].copy())
    launch(0, (1,), kernel, expected, backend="interpret")
    Launch(kernel, args).run(args, (1,), Policy.drawn(1))
    np.testing.assert_array_equal(args[3], expected[3])
