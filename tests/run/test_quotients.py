"""Floats divided by what several of them share are rounded as single ones are, whatever is among them."""

import numpy as np
import pytest

import tile2cpp.lang as ct

WIDTH = 1024
UNUSUAL = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.1754942e-38, 1.1754944e-38, 3.4e38, -3.4e38, 2.0**94, 2.0**-94, 2.0**-101]
DIVISORS = [1.0, -1.0, 3.0, -3.0, 1 / 3, 4097.0, 2.0**30, 2.0**-30, 2.0**31, 2.0**-31, 2.0**-126, 1e-40, 3e38, np.inf, np.nan, 0.0, -0.0]
ALL_ONES = [float(np.float32(2) - np.float32(2) ** -23), float(2**24 - 1), -float(2**24 - 1)]  # the mantissa that is hard to divide by


@ct.kernel
def divide(x, divisors, y, ROWS: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i, 0), ct.load(x, (i, 0), (ROWS, WIDTH)) / ct.load(divisors, (i, 0), (ROWS, 1)))


def dividends(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A row of ordinary numbers; with unusual ones among them, or nothing else; powers of two."""
    ordinary = rng.standard_normal(WIDTH) * 2.0 ** rng.integers(-60, 60, WIDTH)
    ordinary[::7] = 0.0
    if kind == "mixed":
        ordinary[: len(UNUSUAL)] = UNUSUAL
    if kind == "unusual":
        ordinary = np.resize(UNUSUAL, WIDTH)
    return (2.0 ** rng.integers(-40, 40, WIDTH) if kind == "powers" else ordinary).astype(np.float32)


@pytest.mark.parametrize("backend", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("rows", (1, 4, 16))
def test_quotients_of_rows(backend, rows):
    rng = np.random.default_rng(rows)
    kinds = ("ordinary", "mixed", "unusual", "powers")
    made = [(dividends(kind, rng), d) for kind in kinds for d in (*DIVISORS, *ALL_ONES, *rng.uniform(1, 1e6, 12))]
    x = np.stack([row for row, _ in made])
    divisors = np.array([[d] for _, d in made], np.float32)
    with np.errstate(all="ignore"):
        expected = x / divisors
    found = quotients(x, divisors, rows, backend)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    right = np.where(np.isnan(expected), np.float32(0), expected).view(np.uint32)
    np.testing.assert_array_equal(np.where(np.isnan(found), np.float32(0), found).view(np.uint32), right)


def quotients(x: np.ndarray, divisors: np.ndarray, rows: int, backend: str) -> np.ndarray:
    """What the kernel says, from arrays where the backend wants them."""
    grid, arrays = (-(-len(x) // rows),), [x, divisors, np.zeros_like(x)]
    if backend == "cuda":
        import cupy

        arrays = [cupy.asarray(a) for a in arrays]
    ct.launch(0, grid, divide, (*arrays, rows), backend=backend)
    return arrays[2].get() if backend == "cuda" else arrays[2]
