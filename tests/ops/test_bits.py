"""Bitwise operations and shifts against Python's integers."""

import numpy as np
from harness import INTEGERS, any_tile, check, quick, refuses, tile_pairs, tiles
from hypothesis import given
from hypothesis import strategies as st
from test_math import elementwise

import tile2cpp.lang as ct


@quick
@given(tile_pairs(INTEGERS))
def test_bits_of_integers(pair):
    x, y = pair
    check(lambda p, q: p & q, x, y, expected=elementwise(lambda a, b: a & b, x.dtype, x, y))
    check(lambda p, q: p | q, x, y, expected=elementwise(lambda a, b: a | b, x.dtype, x, y))
    check(lambda p, q: p ^ q, x, y, expected=elementwise(lambda a, b: a ^ b, x.dtype, x, y))
    check(lambda p: ~p, x, expected=elementwise(lambda a: ~a, x.dtype, x))


@quick
@given(any_tile(INTEGERS), st.data())
def test_shifts(x, data):
    places = data.draw(tiles(x.dtype, x.shape, 0, 8 * x.dtype.itemsize - 1))
    check(lambda p, q: p << q, x, places, expected=elementwise(lambda a, b: a << b, x.dtype, x, places))
    check(lambda p, q: p >> q, x, places, expected=elementwise(lambda a, b: a >> b, x.dtype, x, places))


def test_shifts_promote():
    x, wide = np.full(4, 1, np.int8), np.full(4, 20, np.int32)
    check(lambda p, q: p << q, x, wide, expected=np.full(4, 2**20, np.int32))
    check(lambda p: 1 << p, wide, expected=np.full(4, 2**20, np.int32))


def test_bools_are_logical():
    x, y = np.array([True, True, False, False]), np.array([True, False, True, False])
    check(lambda p, q: p & q, x, y, expected=np.array([True, False, False, False]))
    check(lambda p, q: p | q, x, y, expected=np.array([True, True, True, False]))
    check(lambda p, q: p ^ q, x, y, expected=np.array([False, True, True, False]))
    check(lambda p: ~p, x, expected=~x)
    check(lambda p: p & 1, x, expected=np.array([1, 1, 0, 0], np.int32))
    check(lambda p: p & ct.bitwise_not(3 == 4), x, expected=x)


def test_what_is_refused():
    refuses(lambda p, q: p & q, np.ones(4, np.int8), np.ones(4, np.int32), words="one dtype")
    refuses(lambda p: p & 1, np.ones(4, np.float32), words="integers and bools")
    refuses(lambda p: p << 1, np.ones(4, np.float32), words="must be an integer")
