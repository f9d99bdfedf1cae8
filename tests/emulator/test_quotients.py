"""Quotients of rows as GPUs compute them, bit by bit: of all numbers of a thread at once, where they are usual."""

import itertools

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


def same_halves(found, expected):
    """Bit by bit, but for what stands in a NaN."""
    np.testing.assert_array_equal(*(np.where(np.isnan(values), np.float16(7), values).view(np.uint16) for values in (found, expected)))


@ct.kernel
def divide_tiles_to_halves(x, divisors, y, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, (i,), (ct.load(x, (i,), (TILE,)) / ct.load(divisors, (i,), (TILE,))).astype(ct.float16))


@pytest.mark.parametrize("signs", [(1,), (-1,), (1, -1)])
def test_tiles_by_tiles_that_become_halves(signs):
    """Each with a divisor of its own, unusual ones among them in some tiles, and dividends whose quotients have to be looked at."""
    rng = np.random.default_rng(5)
    x = rng.standard_normal(64 * 1024) * 2.0 ** rng.integers(-26, 14, 64 * 1024)
    divisors = rng.uniform(1e-3, 1e3, len(x)) * rng.choice(signs, len(x))
    x[: 16 * 1024 : 257] = np.resize([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3e38], 64)
    x[16 * 1024 : 32 * 1024 : 129] = np.resize([0.0, -0.0, 1e-45, -1e-40], 128)
    divisors[8 * 1024 : 16 * 1024 : 64] = np.resize([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 2.0**127, 3e38, 2.0**-61, 2.0**61], 128)
    x, divisors, y = x.astype("f"), divisors.astype("f"), np.zeros(x.shape, "e")
    args = (x, divisors, y, 1024)
    Launch(divide_tiles_to_halves, args).run(args, (64,), Policy.drawn(0))
    with np.errstate(all="ignore"):
        same_halves(y, (x / divisors).astype("e"))


@ct.kernel
def weigh(x, y, exact, TILE: ct.Constant[int]):
    i = ct.bid(0)
    t = ct.load(x, (i,), (TILE,)).astype(ct.float32)
    quotient = t / (1.0 + ct.exp(-t))
    ct.store(y, (i,), quotient.astype(y.dtype))
    ct.store(exact, (i,), quotient)


def test_all_halves_weighed():
    """Sigmoid linear units: as the quotients that are right to the last bit, rounded."""
    x = np.arange(65536, dtype=np.uint16).view(np.float16)
    y, exact = np.zeros_like(x), np.zeros(x.shape, "f")
    args = (x, y, exact, 1024)
    Launch(weigh, args).run(args, (64,), Policy.drawn(0))
    with np.errstate(all="ignore"):
        t = x.astype("f")
        same_halves(y, exact.astype("e"))
        np.testing.assert_allclose(exact, t / (1 + np.exp(-t)), rtol=1e-6)


@ct.kernel
def divide_and_scale(x, divisors, gains, shifts, y, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    quotient = ct.load(x, (row, 0), (1, WIDTH)) / ct.load(divisors, (row, 0), (1, 1)).item()
    scaled = quotient * ct.load(gains, (0, 0), (1, WIDTH))
    ct.store(y, (row, 0), (scaled + ct.load(shifts, (0, 0), (1, WIDTH))).astype(ct.float16))


def test_scaled_quotients_that_become_halves():
    """With small numbers, which round nowhere."""
    rng = np.random.default_rng(7)
    x, divisors = rng.integers(-9, 9, (32, 512)).astype("f"), rng.choice([1.0, 2.0, -4.0, 8.0, np.inf], (32, 1)).astype("f")
    x[:, :5] = [0.0, -0.0, np.inf, -np.inf, np.nan]
    gains, shifts = (rng.integers(-9, 9, (1, 512)).astype("f") for _ in range(2))
    y = np.zeros(x.shape, "e")
    args = (x, divisors, gains, shifts, y, 512)
    Launch(divide_and_scale, args).run(args, (32,), Policy.drawn(0))
    with np.errstate(all="ignore"):
        same_halves(y, (x / divisors * gains + shifts).astype("e"))


@ct.kernel
def divide_and_take(x, divisors, y, z, WIDTH: ct.Constant[int]):
    row = ct.bid(0)
    quotient = ct.load(x, (row, 0), (1, WIDTH)) / ct.load(divisors, (row, 0), (1, 1)).item()
    ct.store(z, (row, 0), (quotient - ct.load(y, (row, 0), (1, WIDTH))).astype(ct.float16))


def test_what_is_left_of_a_quotient():
    """A sum with the quotient itself asks for all of its bits."""
    rng = np.random.default_rng(9)
    x, divisors = rng.uniform(1, 2, (64, 1024)).astype("f"), rng.uniform(1, 2, (64, 1)).astype("f")
    y = x / divisors
    z = np.ones(x.shape, "e")
    args = (x, divisors, y, z, 1024)
    Launch(divide_and_take, args).run(args, (64,), Policy.drawn(0))
    same_halves(z, np.zeros_like(z))


def near_ties(deepest):
    """Dividends and divisors whose quotients lie 2^-48 or so from the middle between a tie of halves and the float beside it, where a float may be
    rounded either way, or from that float: a * 2^k = number * b + rest."""
    for tie in range(2049, 4096, 2):
        for bits, side, rest in itertools.product((13, 12), (-1, 1), range(-deepest, deepest + 1)):
            number = tie * 2**bits + side
            for k in (bits + 11, bits + 12):
                b = -rest * pow(number, -1, 2**k) % 2**k
                a = (number * b + rest) >> k
                if 2**23 <= a < 2**24 and 2**23 <= b < 2**24:
                    yield a, b


@pytest.mark.parametrize("kernel", [divide_to_halves, divide_tiles_to_halves])
def test_quotients_beside_ties(kernel):
    """Of the middle both halves are as far away, but for half a unit of a float; of the float beside the tie only one is right."""
    pairs = list(near_ties(3))
    pairs += [(2**23, 2**24 - 1)] * (-len(pairs) % 512)
    x, divisors = (np.array(side, "f") for side in zip(*pairs))
    if kernel is divide_to_halves:
        x, divisors = np.repeat(x[::7, None], 512, axis=1), divisors[::7, None]
    y = np.zeros(x.shape, "e")
    args = (x, divisors, y, 512)
    Launch(kernel, args).run(args, (len(x) if kernel is divide_to_halves else len(x) // 512,), Policy.drawn(0))
    exact = x.astype("d") / divisors
    assert (np.abs(y - exact) <= (0.5 + 0.75 * 2.0**-13) * np.spacing(exact.astype("e")).astype("d")).all()


@ct.kernel
def divide_scale_and_shift(x, divisors, gains, shifts, halves, exact, TILE: ct.Constant[int]):
    i, blocks = ct.bid(0), ct.num_blocks(0)
    gain = ct.load(gains, (i,), (TILE,))
    quotient = ct.load(x, (i,), (TILE,)) / ct.load(divisors, (i,), (TILE,))
    scaled = quotient * gain
    made = (quotient, scaled, scaled + ct.load(shifts, (i,), (TILE,)), (gain * quotient) * quotient - scaled)
    for number in ct.static_iter(range(4)):
        ct.store(halves, (i + number * blocks,), made[number].astype(ct.float16))
        ct.store(exact, (i + number * blocks,), made[number])


@pytest.mark.parametrize("unusual", [0.5, 0.02, 0.002])
def test_any_floats_divided_scaled_and_shifted(unusual):
    """Halves as of the numbers that are right to the last bit, with everything unusual at any place."""
    rng = np.random.default_rng(11)
    size = (16 * 1024,)
    special = np.array([0, 1e-45, 1e-40, 2.0**-126, 1e-30, 2.0**-61, 2.0**-60, 1, 65504, 65520, 2.0**60, 2.0**61, 1e30, 2.0**127, 3.4028235e38, np.inf, np.nan], "f")
    drawn = (rng.standard_normal(size) * 2.0 ** rng.integers(-14, 14, size) for _ in range(4))
    x, divisors, gains, shifts = (np.where(rng.random(size) < unusual, rng.choice([1, -1], size) * rng.choice(special, size), side).astype("f") for side in drawn)
    halves, exact = np.zeros(4 * size[0], "e"), np.zeros(4 * size[0], "f")
    args = (x, divisors, gains, shifts, halves, exact, 1024)
    with np.errstate(all="ignore"):
        Launch(divide_scale_and_shift, args).run(args, (16,), Policy.drawn(0))
        same_halves(halves[: size[0]], (x / divisors).astype("e"))
        same_halves(halves, exact.astype("e"))
