"""The dtype of a result: the table of the language, written out here a second time."""

import itertools

import numpy as np
import pytest
from harness import ARITHMETIC, INTEGERS, SIGNED, check, refuses

import tile2cpp.lang as ct

UNSIGNED = INTEGERS[4:]
FLOAT_ORDER = ("float16", "float32", "float64")


def expected_dtype(x, y):
    """The common dtype, or None where there is none."""
    if "bool" in (x, y):
        return y if x == "bool" else x
    floats = [d for d in (x, y) if d in FLOAT_ORDER]
    if floats:
        return max(floats, key=FLOAT_ORDER.index)
    if (x in SIGNED) != (y in SIGNED):
        return None
    return max(x, y, key=lambda d: np.dtype(d).itemsize)


@pytest.mark.parametrize("x, y", [*itertools.product(("bool", *ARITHMETIC), repeat=2)])
def test_two_tiles_meet_in_the_table(x, y):
    a, b = np.ones(4, x), np.ones(4, y)
    if x == y == "bool":
        refuses(lambda p, q: p + q, a, b, words="two bools have no arithmetic")
    elif expected_dtype(x, y) is None:
        refuses(lambda p, q: p + q, a, b, words=("signed", "unsigned", ".astype"))
    else:
        check(lambda p, q: p + q, a, b, expected=np.full(4, 2, expected_dtype(x, y)))


@pytest.mark.parametrize("dtype", ARITHMETIC)
def test_an_int_literal_takes_the_dtype_of_the_tile(dtype):
    check(lambda p: p + 3, np.ones(4, dtype), expected=np.full(4, 4, dtype))
    check(lambda p: 3 - p, np.ones(4, dtype), expected=np.full(4, 2, dtype))


@pytest.mark.parametrize("dtype", ARITHMETIC)
def test_a_float_literal_takes_the_dtype_of_a_float_tile_only(dtype):
    wanted = dtype if dtype in FLOAT_ORDER else "float32"
    check(lambda p: p * 2.5, np.ones(4, dtype), expected=np.full(4, 2.5, wanted))


def test_bools_with_literals():
    t = np.array([True, False, True, True])
    check(lambda p: p + 1, t, expected=np.array([2, 1, 2, 2], np.int32))
    check(lambda p: p + 1.5, t, expected=np.array([2.5, 1.5, 2.5, 2.5], np.float32))


@pytest.mark.parametrize("dtype, literal", [("int8", 300), ("uint32", -1), ("uint8", 256), ("int16", -40000)])
def test_a_literal_that_does_not_fit_is_refused(dtype, literal):
    refuses(lambda p: p + literal, np.ones(4, dtype), words=f"the constant {literal} does not fit into {dtype}", error=ct.TileValueError)


def test_a_literal_beyond_int32_widens_only_what_is_typed_by_it():
    check(lambda p: p + 2**40, np.ones(4, bool), expected=np.full(4, 2**40 + 1, np.int64))
    check(lambda p: p + 2**40, np.ones(4, np.int64), expected=np.full(4, 2**40 + 1, np.int64))


def test_float_literals_keep_double_precision_against_float64():
    check(lambda p: p + 0.1, np.ones(4), expected=np.full(4, 1.1))


def test_a_strictly_typed_scalar_is_no_literal():
    half = np.ones(4, np.float16)
    check(lambda p: p * ct.float32(2.5), half, expected=np.full(4, 2.5, np.float32))
    check(lambda p: p + ct.int64(2), half, expected=np.full(4, 3, np.float16))
    refuses(lambda p: p + ct.uint8(1), np.ones(4, np.int32), words="unsigned")


def test_numpy_scalars_are_strictly_typed():
    scale = np.float64(3)
    check(lambda p: p * scale, np.ones(4, np.float16), expected=np.full(4, 3.0))
    check(lambda p: scale * p, np.ones(4, np.float16), expected=np.full(4, 3.0))


def test_constants_fold_as_python_does():
    check(lambda p: p + (-7 // 2), np.zeros(4, np.int32), expected=np.full(4, -4, np.int32))
    check(lambda p: p + (5.0 % -3.0), np.zeros(4, np.float32), expected=np.full(4, -1, np.float32))
    check(lambda p: p + (2**100 - 2**100 + 1), np.zeros(4, np.int8), expected=np.full(4, 1, np.int8))


def test_half_and_bfloat16_do_not_mix():
    def mixed(p):
        return p + ct.zeros((4,), ct.bfloat16)

    pytest.importorskip("ml_dtypes")
    refuses(mixed, np.ones(4, np.float16), words=("float16", "bfloat16", "common dtype"))


def test_restricted_floats_have_no_arithmetic():
    refuses(lambda p: p.astype(ct.tfloat32) + 1, np.ones(4, np.float32), words=("tfloat32", "no arithmetic"))
