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
