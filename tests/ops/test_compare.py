"""Comparison, logic and selection."""

import math

import numpy as np
from harness import ARITHMETIC, any_tile, check, quick, refuses, tile_pairs
from hypothesis import given

import tile2cpp.lang as ct


@quick
@given(tile_pairs())
def test_comparisons(pair):
    x, y = pair

    def python(compare):
        return np.array([compare(a.item(), b.item()) for a, b in zip(x.ravel(), y.ravel())], bool).reshape(x.shape)

    check(lambda p, q: p < q, x, y, expected=python(lambda a, b: a < b))
    check(lambda p, q: p <= q, x, y, expected=python(lambda a, b: a <= b))
    check(lambda p, q: p > q, x, y, expected=python(lambda a, b: a > b))
    check(lambda p, q: ct.greater_equal(p, q), x, y, expected=python(lambda a, b: a >= b))
    check(lambda p, q: p == q, x, y, expected=python(lambda a, b: a == b))
    check(lambda p, q: p != q, x, y, expected=python(lambda a, b: a != b))


@quick
@given(any_tile(("bool", *ARITHMETIC)))
def test_not_is_elementwise(x):
    check(lambda p: not p, x, expected=np.array([not v for v in x.ravel().tolist()], bool).reshape(x.shape))


@quick
@given(tile_pairs())
def test_where_selects(pair):
    x, y = pair
    mask = np.resize([True, False, False], x.shape)
    wanted = np.array([a if m else b for m, a, b in zip(mask.ravel(), x.ravel(), y.ravel())], x.dtype).reshape(x.shape)
    check(lambda m, p, q: ct.where(m, p, q), mask, x, y, expected=wanted)


def test_where_and_constants():
    mask = np.array([1, 0, 2, 0], np.int8)
    half = np.full(4, 3, np.float16)
    check(lambda m: ct.where(m, 1, 0), mask, expected=np.array([1, 0, 1, 0], np.int32))
    check(lambda m: ct.where(m, 0.0, -math.inf), mask, expected=np.array([0, -np.inf, 0, -np.inf], np.float32))
    check(lambda m, h: ct.where(m, h, 0.5), mask, half, expected=np.array([3, 0.5, 3, 0.5], np.float16))
    check(lambda m: ct.where(m, 1, 0.5), mask, expected=np.array([1, 0.5, 1, 0.5], np.float32))


def test_where_broadcasts_all_three():
    row, column = np.arange(4, dtype=np.int32), np.arange(2, dtype=np.int32).reshape(2, 1)
    wanted = np.where(row > 1, column, -1).astype(np.int32)
    check(lambda r, c: ct.where(r > 1, c, -1), row, column, expected=wanted)


def test_nan_is_not_equal_to_itself():
    t = np.array([np.nan, 1, -np.inf, 0], np.float32)
    check(lambda p: p == p, t, expected=np.array([False, True, True, True]))


def test_and_or_are_for_scalars_and_give_bools():
    x, y = np.array(3, np.int32), np.array(0, np.int32)
    check(lambda p, q: p and q, x, y, expected=np.array(False))
    check(lambda p, q: p or q, x, y, expected=np.array(True))
    check(lambda p, q: q and p // q, x, y, expected=np.array(False))  # the right side is not evaluated
    check(lambda p, q: 2 and p, x, y, expected=np.array(3, np.int32))  # a constant decides at once
    refuses(lambda p: p and p, np.ones(4, np.int32), words="one truth value")


def test_mixed_signs_do_not_compare():
    refuses(lambda p, q: p < q, np.ones(4, np.int32), np.ones(4, np.uint32), words="unsigned")


def test_choice_by_a_scalar():
    x = np.array(-7, np.int32)
    check(lambda p: p if p > 0 else 0, x, expected=np.array(0, np.int32))
    check(lambda p: (1 if p > 0 else 2) * ct.ones((4,), ct.int32), x, expected=np.full(4, 2, np.int32))
    check(lambda p: 0 < p + 8 < 2, x, expected=np.array(True))
    check(lambda p: p in (1, -7), x, expected=np.array(True))
    check(lambda p: p not in (1, -7), x, expected=np.array(False))
