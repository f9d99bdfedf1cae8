"""Conversions between dtypes, and strictly typed scalars."""

import struct

import numpy as np
import pytest
from harness import ARITHMETIC, FLOATS, INTEGERS, any_tile, check, quick, refuses
from hypothesis import given
from hypothesis import strategies as st
from test_math import elementwise

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME


@quick
@given(any_tile(INTEGERS), st.sampled_from(INTEGERS))
def test_integers_wrap_into_integers(x, target):
    dtype = BY_NAME[target]
    check(lambda p: p.astype(dtype), x, expected=elementwise(lambda a: a, target, x))


@quick
@given(any_tile(FLOATS, low=-120, high=120), st.sampled_from(INTEGERS))
def test_floats_truncate_into_integers(x, target):
    x = np.abs(x) if target.startswith("u") else x
    dtype = BY_NAME[target]
    check(lambda p: ct.astype(p, dtype), x, expected=elementwise(int, target, x))


@quick
@given(any_tile(FLOATS))
def test_float64_rounds_to_nearest_even(x):
    def to_single(v):
        try:
            return struct.unpack("f", struct.pack("f", v))[0]
        except OverflowError:  # struct refuses what rounds to infinity
            return float("inf") if v > 0 else float("-inf")

    check(lambda p: p.astype(ct.float32), x, expected=np.array([to_single(v.item()) for v in x.ravel()], np.float32).reshape(x.shape))


@quick
@given(any_tile(("bool", *ARITHMETIC), low=-100, high=100))
def test_to_and_from_bool(x):
    check(lambda p: p.astype(ct.bool_), x, expected=np.array([bool(v) for v in x.ravel().tolist()]).reshape(x.shape))
    flags = x.astype(bool)
    check(lambda p: p.astype(ct.float32) + p.astype(ct.float32), flags, expected=np.where(flags, 2, 0).astype(np.float32))


@pytest.mark.parametrize("name, code", [("float32", "f"), ("int32", "i"), ("uint32", "I")])
def test_bitcast_keeps_the_bits(name, code):
    x = np.array([0, 1, -1, 2**31 - 1], np.int32)
    raw = struct.pack("4i", *x.tolist())
    dtype = BY_NAME[name]
    check(lambda p: ct.bitcast(p, dtype), x, expected=np.array(struct.unpack("4" + code, raw), name))
    check(lambda p: p.bitcast(dtype).bitcast(ct.int32), x, expected=x)


def test_tf32_keeps_ten_bits_of_mantissa():
    x = np.array([1 + 2**-10, 1 + 2**-11, 1 + 3 * 2**-11, np.inf], np.float32)
    rounded = np.array([1 + 2**-10, 1, 1 + 2**-9, np.inf], np.float32)
    check(lambda p: p.astype(ct.tfloat32).astype(ct.float32), x, expected=rounded)


def test_strictly_typed_scalars():
    check(lambda: ct.int8(300), expected=np.array(44, np.int8))
    check(lambda: ct.float16(0.1), expected=np.array(0.1, np.float16))
    check(lambda p: ct.float16(p), np.array(7, np.int32), expected=np.array(7, np.float16))
    check(lambda: ct.bool_(3), expected=np.array(True))
    refuses(lambda p: ct.float16(p), np.ones(4, np.int32), words="takes a scalar")
    with pytest.raises(RuntimeError, match="inside a kernel"):
        ct.float16(1)


def test_what_is_refused():
    t = np.ones(4, np.float32)
    refuses(lambda p: p.astype(3), t, words="must be a dtype")
    refuses(lambda p: p.astype(ct.int32, rounding_mode=ct.RoundingMode.RZ), t, words="float to float")
    refuses(lambda p: p.bitcast(ct.float64), t, words="64")
    refuses(lambda p: p.bitcast(ct.bool_), t, words="bool has no bits")


def test_numpy_dtypes_name_dtypes():
    check(lambda p: p.astype(np.float64), np.ones(4, np.int8), expected=np.ones(4))
    short = np.dtype("int16")
    check(lambda p: p.astype(short), np.ones(4, np.int8), expected=np.ones(4, np.int16))
