"""Products whose factors are fetched in slices along the summed axis, because the stages hold no two whole ones: as if shared memory were small."""

import numpy as np
import pytest
from case import Case, blank, fresh, load_module

import tile2cpp.lang as ct
from tile2cpp import schedule
from tile2cpp.build import nvrtc

from .launch import TARGET, Launch
from .test_emulated import FEW, KERNELS, check, drawn, wide

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")

RAGGED = load_module(KERNELS / "ragged.py", "sliced")
TILE = (32, 32, 32)


@ct.kernel
def every_other(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    """A sum over every other tile, and over some that lie outside: the slices of the last one have numbers of more than 32 bits."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), C.dtype)
    tiles = ct.num_tiles(A, 1, (TM, TK))
    for step in range(-2, tiles + 2, 2):
        k = step if step < tiles else 1 << 30
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


def strided_case(m, n, k, dtype, out):
    def expected(a, b, *_):
        kept = np.arange(k) // TILE[2] % 2 == 0
        return [wide(a)[:, kept] @ wide(b)[kept]]

    def make(rng):
        return fresh(rng, (m, k), dtype, -1, 1), fresh(rng, (k, n), dtype, -1, 1), blank((m, n), out), *TILE

    return Case("every other tile", every_other, (-(-m // TILE[0]), -(-n // TILE[1])), make, (2,), expected, terms=k)


def ragged(dtype, **places):
    return RAGGED.ragged_case(f"{dtype} {', '.join(places)}", 35, 40, 100, TILE, dtype, **places)


COLUMNS = {"left": RAGGED.turned(), "right": RAGGED.turned()}
CASES = {
    (20, 2): [ragged("float64"), ragged("float64", **COLUMNS), ragged("float64", left=RAGGED.inside(1, 1))],
    (13, 4): [ragged("float64"), strided_case(33, 34, 200, "float64", "float64")],
    (10, 2): [ragged("float32"), ragged("float32", **COLUMNS)],
    (7, 2): [ragged("float16"), ragged("float16", **COLUMNS), RAGGED.batched_case(33, 34, 100, TILE), strided_case(33, 34, 200, "float16", "float32")],
}
EACH = [(*room, case) for room, cases in CASES.items() for case in cases]


@pytest.mark.parametrize("kib, slices, case", EACH, ids=lambda value: getattr(value, "name", str(value)))
def test_slices(kib, slices, case, monkeypatch):
    monkeypatch.setitem(schedule.SHARED_BYTES, TARGET, kib * 1024)
    launch = Launch(case.kernel, drawn(case))
    a, b = drawn(case)[:2]
    product = TILE[2] * (TILE[0] * a.itemsize + TILE[1] * b.itemsize)
    assert launch.emitted.schedule.shared % (product // slices) == 0 and launch.emitted.schedule.shared < 2 * product
    check(case, FEW, launch=launch)
