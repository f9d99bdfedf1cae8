"""Tiles along rows, in loops: accesses are as wide as the arrays allow, wherever these begin and however far apart their rows are."""

import re

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc

from . import Launch, Policy

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

SINGLE = re.compile(r"(?:ld|st)\.global(?:\.nc)?\.u16")
WIDE = re.compile(r"(?:ld|st)\.global(?:\.nc)?\.v4")


@ct.kernel
def doubled(x, y, ROWS: ct.Constant[int], TILE: ct.Constant[int]):
    i = ct.bid(0)
    for j in range(ct.cdiv(x.shape[1], TILE)):
        t = ct.load(x, (i, j), (ROWS, TILE), padding_mode=ct.PaddingMode.ZERO)
        ct.store(y, (i, j), t + t)


def inside(rows, columns, pitch, first):
    """A matrix in half precision that begins at an element of a larger array, whose first one is aligned to 32 bytes."""
    whole = np.zeros(rows * pitch + first + 16, "e")
    start = (-whole.ctypes.data % 32) // 2 + first
    return whole[start : start + rows * pitch].reshape(rows, pitch)[:, :columns]


@pytest.mark.parametrize("rows, tile", [(1, 64), (2, 32)])
@pytest.mark.parametrize("columns, pitch, first", [(160, 160, 0), (104, 104, 0), (101, 101, 0), (96, 101, 0), (96, 104, 3), (93, 101, 1), (96, 104, 8)])
def test_rows_may_lie_anywhere(rows, tile, columns, pitch, first):
    x, y = inside(5, columns, pitch, first), inside(5, columns, pitch, first)
    x[...] = np.random.default_rng(columns).standard_normal(x.shape)
    args = (x, y, rows, tile)
    Launch(doubled, args).run(args, (-(-5 // rows),), Policy.drawn(1))
    np.testing.assert_array_equal(y, x + x)


@pytest.mark.parametrize("columns", [160, 104])
def test_no_code_for_single_elements(columns):
    """What is known of extents and of the beginning holds for every tile of a loop."""
    x = inside(4, columns, columns, 0)
    seen = []
    Launch(doubled, (x, inside(4, columns, columns, 0), 1, 64), lambda text: seen.append(text) or text)
    assert (bool(WIDE.search(seen[0])), bool(SINGLE.search(seen[0]))) == (True, False)
