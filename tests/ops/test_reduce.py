"""Reductions and scans against loops over Python numbers."""

import functools
import itertools
import math

import numpy as np
import pytest
from harness import ARITHMETIC, FLOATS, INTEGERS, any_tile, check, quick, refuses, tiles
from hypothesis import assume, given
from hypothesis import strategies as st

import tile2cpp.lang as ct

SHAPES = ((4,), (2, 8), (2, 2, 4))
AXES = (0, -1, None)


def lanes(x, axis):
    """The elements that meet, as lists, in row-major order of what is left."""
    if axis is None:
        return [x.ravel().tolist()], ()
    moved = np.moveaxis(x, axis, -1)
    return [lane.tolist() for lane in moved.reshape(-1, moved.shape[-1])], moved.shape[:-1]


def reduced(function, x, axis, dtype=None):
    found, shape = lanes(x, axis)
    values = np.array([function(lane) for lane in found], object)
    return _typed(values, dtype or x.dtype).reshape(shape)


def _typed(values, dtype):
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        values = [v % 2**bits for v in values]
        values = [v - 2**bits if dtype.kind == "i" and v >= 2 ** (bits - 1) else v for v in values]
    return np.array(list(values), dtype)


@pytest.mark.parametrize("axis", AXES)
@quick
@given(x=any_tile(INTEGERS, SHAPES))
def test_integer_sums_and_products_wrap(x, axis):
    check(lambda p: ct.sum(p, axis), x, expected=reduced(sum, x, axis))
    check(lambda p: ct.prod(p, axis), x, expected=reduced(math.prod, x, axis))


@pytest.mark.parametrize("axis", AXES)
@quick
@given(x=any_tile(FLOATS, SHAPES, low=0.5, high=2))
def test_float_sums_keep_their_dtype(x, axis):
    eps = 16 * float(np.finfo(x.dtype).eps)
    check(lambda p: ct.sum(p, axis), x, expected=reduced(math.fsum, x, axis), rtol=eps)
    check(lambda p: ct.prod(p, axis), x, expected=reduced(math.prod, x, axis), rtol=eps)


@pytest.mark.parametrize("axis", AXES)
@quick
@given(x=any_tile(ARITHMETIC, SHAPES))
def test_extremes_ignore_nan(x, axis):
    def known(choose):
        return lambda lane: choose([v for v in lane if v == v] or lane)

    check(lambda p: ct.max(p, axis), x, expected=reduced(known(max), x, axis))
    check(lambda p: ct.min(p, axis), x, expected=reduced(known(min), x, axis))
    if x.dtype.kind == "f":
        check(lambda p: ct.max(p, axis, propagate_nan=True), x, expected=reduced(lambda lane: max(lane) if all(v == v for v in lane) else math.nan, x, axis))


@pytest.mark.parametrize("axis", AXES)
@quick
@given(x=any_tile(ARITHMETIC, SHAPES))
def test_positions_are_the_first(x, axis):
    def first(choose):
        return lambda lane: lane.index(choose(v for v in lane if v == v))

    assume(not any(all(v != v for v in lane) for lane in lanes(x, axis)[0]))  # the position among NaNs alone is unspecified
    check(lambda p: ct.argmax(p, axis), x, expected=reduced(first(max), x, axis, np.int32))
    check(lambda p: ct.argmin(p, axis), x, expected=reduced(first(min), x, axis, np.int32))


def test_positions_of_nan():
    x = np.array([1, np.nan, 5, np.nan], np.float32)
    check(lambda p: ct.argmax(p), x, expected=np.array(2, np.int32))
    check(lambda p: ct.argmin(p, propagate_nan=True), x, expected=np.array(1, np.int32))
    check(lambda p: ct.argmin(p, 0, keepdims=True), x, expected=np.array([0], np.int32))


def test_bools_count():
    x = np.array([[True, False, True, True], [False, False, True, False]])
    check(lambda p: ct.sum(p, 1), x, expected=np.array([3, 1], np.int32))
    check(lambda p: ct.max(p), x, expected=np.array(1, np.int32))
    check(lambda p: ct.cumsum(p, 1), x, expected=np.array([[1, 1, 2, 3], [0, 0, 1, 1]], np.int32))


@pytest.mark.parametrize("axes", [(0, 2), (2, 0), (-1, 1), (0, 1, 2), ()])
def test_several_axes(axes):
    x = np.arange(16, dtype=np.int32).reshape(2, 2, 4)
    gone = {a % 3 for a in axes}
    shape = tuple(e for i, e in enumerate(x.shape) if i not in gone)
    wanted = np.zeros(shape, np.int32)
    for place in itertools.product(*map(range, x.shape)):
        wanted[tuple(p for i, p in enumerate(place) if i not in gone)] += x[place]
    check(lambda p: ct.sum(p, axes), x, expected=wanted)
    kept = tuple(1 if i in gone else e for i, e in enumerate(x.shape))
    check(lambda p: ct.sum(p, axes, keepdims=True), x, expected=wanted.reshape(kept))


@pytest.mark.parametrize("reverse", [False, True])
@quick
@given(data=st.data(), dtype=st.sampled_from(INTEGERS))
def test_scans(data, dtype, reverse):
    x = data.draw(tiles(dtype, (2, 8)))

    def running(function):
        rows = []
        for row in x.tolist():
            row = row[::-1] if reverse else row
            found = list(itertools.accumulate(row, function))
            rows.append(found[::-1] if reverse else found)
        return _typed(np.array(rows, object).ravel(), x.dtype).reshape(x.shape)

    check(lambda p: ct.cumsum(p, 1, reverse=reverse), x, expected=running(lambda a, b: a + b))
    check(lambda p: ct.cumprod(p, -1, reverse=reverse), x, expected=running(lambda a, b: a * b))


def test_half_sums_are_rounded_once():
    x = np.array([2048, 1, 1, 1], np.float16)
    check(lambda p: ct.sum(p), x, expected=np.array(functools.reduce(lambda a, b: a + b, [2048.0, 1, 1, 1]), np.float16), rtol=1e-3)


def test_what_is_refused():
    x = np.ones((2, 4), np.float32)
    refuses(lambda p: ct.sum(p, 2), x, words="axis 2 does not exist")
    refuses(lambda p: ct.sum(p, (0, -2)), x, words="twice")
    refuses(lambda p, k: ct.sum(p, k), x, np.array(1, np.int32), words="known at compile time")
    refuses(lambda p: ct.argmax(p, (0, 1)), x, words="one axis")
    refuses(lambda p: ct.sum(p.astype(ct.tfloat32)), x, words="no arithmetic")
