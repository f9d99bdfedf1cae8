"""Quotients of floats are those of NumPy bit by bit, however many elements share a divisor and whatever is among them."""

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


@ct.kernel
def divide_to_halves(x, divisors, y):
    i = ct.bid(0)
    ct.store(y, (i, 0), (ct.load(x, (i, 0), (1, WIDTH)) / ct.load(divisors, (i, 0), (1, 1)).item()).astype(ct.float16))


@ct.kernel
def divide_alone(x, divisors, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (64,)) / ct.load(divisors, (i,), (64,)))


def dividends(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A row of ordinary numbers; with negative zeros or unusual ones among them, or nothing else; powers of two."""
    ordinary = rng.standard_normal(WIDTH) * 2.0 ** rng.integers(-60, 60, WIDTH)
    ordinary[::7] = -0.0 if kind == "zeros" else 0.0
    if kind == "mixed":
        ordinary[: len(UNUSUAL)] = UNUSUAL
    if kind == "unusual":
        ordinary = np.resize(UNUSUAL, WIDTH)
    return (2.0 ** rng.integers(-40, 40, WIDTH) if kind == "powers" else ordinary).astype(np.float32)


def pairs(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Rows of dividends, and the divisor of each."""
    made = [(dividends(kind, rng), d) for kind in ("ordinary", "zeros", "mixed", "unusual", "powers") for d in (*DIVISORS, *ALL_ONES, *rng.uniform(1, 1e6, 12))]
    return np.stack([row for row, _ in made]), np.array([[d] for _, d in made], np.float32)


@pytest.mark.parametrize("backend", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("rows", (1, 4, 16, 0))
def test_quotients(backend, rows):
    """Of `rows` rows in a tile; 0: each of two elements in a thread has its own divisor."""
    x, divisors = pairs(np.random.default_rng(rows))
    if rows:
        check(divide, -(-len(x) // rows), x, divisors, (rows,), backend)
    else:
        check(divide_alone, x.size // 64, x.ravel(), np.repeat(divisors.ravel(), WIDTH), (), backend)


def launched(kernel, blocks: int, arrays: tuple, constants: tuple, backend: str) -> np.ndarray:
    """The last array, as the kernel leaves it."""
    if backend == "cuda":
        import cupy

        arrays = [cupy.asarray(a) for a in arrays]
    ct.launch(0, (blocks,), kernel, (*arrays, *constants), backend=backend)
    return arrays[-1].get() if backend == "cuda" else arrays[-1]


def check(kernel, blocks: int, x: np.ndarray, divisors: np.ndarray, constants: tuple, backend: str) -> None:
    with np.errstate(all="ignore"):
        expected = x / divisors
    found = launched(kernel, blocks, (x, divisors, np.zeros_like(x)), constants, backend)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    bits = [np.where(np.isnan(values), np.float32(0), values).view(np.uint32) for values in (found, expected)]
    np.testing.assert_array_equal(*bits)


@pytest.mark.parametrize("backend", ["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_quotients_stored_as_halves(backend):
    """They are those of floats, rounded: zeros, infinities and NaN too."""
    x, divisors = pairs(np.random.default_rng(7))
    more = np.random.default_rng(8)
    x = np.concatenate([x, (more.standard_normal((64, WIDTH)) * 2.0 ** more.integers(-20, 12, (64, WIDTH))).astype(np.float32)])
    divisors = np.concatenate([divisors, more.uniform(1e-3, 1e3, (64, 1)).astype(np.float32)])
    with np.errstate(all="ignore"):
        expected = (x / divisors).astype(np.float16)
    found = launched(divide_to_halves, len(x), (x, divisors, np.zeros(x.shape, np.float16)), (), backend)
    assert np.array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(*(np.where(np.isnan(values), np.float16(0), values).view(np.uint16) for values in (found, expected)))
