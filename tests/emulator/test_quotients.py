"""Quotients of rows as GPUs compute them, bit by bit: of all numbers of a thread at once, where they are usual."""

import numpy as np
import pytest

import tile2cpp.lang as ct
from tile2cpp.build import nvrtc

from . import Launch, Policy

pytestmark = pytest.mark.skipif(nvrtc.find() is None, reason="NVRTC is not installed")


@ct.kernel
def divide(x, divisors, y, ROWS: ct.Constant[int], WIDTH: ct.Constant[int]):
    ct.store(y, (0, 0), ct.load(x, (0, 0), (ROWS, WIDTH)) / ct.load(divisors, (0, 0), (ROWS, 1)))


@pytest.mark.parametrize("rows, width", [(1, 1024), (64, 64)])
@pytest.mark.parametrize("among", [1.5, 0.0, -0.0, 1e-40, np.inf, np.nan])
@pytest.mark.parametrize("sign", [1, -1])
def test_rows_with(rows, width, among, sign):
    rng = np.random.default_rng(rows)
    x = rng.standard_normal((rows, width)).astype(np.float32)
    x[:, ::9] = among
    divisors, y = (sign * rng.uniform(1, 9, (rows, 1))).astype(np.float32), np.zeros_like(x)
    args = (x, divisors, y, rows, width)
    Launch(divide, args).run(args, (1,), Policy.drawn(0))
    np.testing.assert_array_equal(*(np.nan_to_num(values, nan=7.0, posinf=np.inf, neginf=-np.inf).view(np.uint32) for values in (y, x / divisors)))


@ct.kernel
def divide_to_halves(x, divisors, y, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    ct.store(y, (row, 0), (ct.load(x, (row, 0), (1, WIDTH)) / ct.load(divisors, (row, 0), (1, 1)).item()).astype(ct.float16))


def test_rows_that_become_halves():
    """The quotients of floats, rounded, among them those near to what is rounded to even, and the smallest halves."""
    rng = np.random.default_rng(3)
    hard = np.float32(2) - np.float32(2) ** -23
    divisors = np.concatenate([rng.uniform(1e-3, 1e3, 20), [1, -1, 3, -3, 2.0**30, 2.0**-30, 2.0**31, 1e-40, np.inf, np.nan, 0.0, hard, -hard, 2**24 - 1]])
    x = rng.standard_normal((len(divisors), 512)) * 2.0 ** rng.integers(-26, 14, (len(divisors), 512))
    x[:, :64] = 2.0 ** rng.integers(-30, 30, 64)
    x[:, 64:72] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3e38]
    x, divisors, y = x.astype("f"), divisors.astype("f")[:, None], np.zeros(x.shape, "e")
    args = (x, divisors, y, 512)
    Launch(divide_to_halves, args).run(args, (len(x),), Policy.drawn(0))
    with np.errstate(all="ignore"):
        expected = (x / divisors).astype("e")
    np.testing.assert_array_equal(*(np.where(np.isnan(values), np.float16(7), values).view(np.uint16) for values in (y, expected)))
