"""Arithmetic and elementary functions against Python's integers and the `math` module."""

import math

import numpy as np
import pytest
from harness import FLOATS, INTEGERS, SIGNED, any_tile, check, quick, refuses, tile_pairs
from hypothesis import given

import tile2cpp.lang as ct


def elementwise(function, dtype, *arrays):
    """`function` of Python numbers; integers wrap into `dtype`."""
    dtype = np.dtype(dtype)
    flat = [function(*(v.item() for v in values)) for values in zip(*(a.ravel() for a in arrays))]
    if dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        flat = [v % 2**bits for v in flat]
        flat = [v - 2**bits if dtype.kind == "i" and v >= 2 ** (bits - 1) else v for v in flat]
    return np.array(flat, dtype).reshape(arrays[0].shape)


@quick
@given(tile_pairs(INTEGERS))
def test_integers_wrap(pair):
    x, y = pair
    check(lambda p, q: p + q, x, y, expected=elementwise(lambda a, b: a + b, x.dtype, x, y))
    check(lambda p, q: p - q, x, y, expected=elementwise(lambda a, b: a - b, x.dtype, x, y))
    check(lambda p, q: p * q, x, y, expected=elementwise(lambda a, b: a * b, x.dtype, x, y))
    check(lambda p: -p, x, expected=elementwise(lambda a: -a, x.dtype, x))


@quick
@given(tile_pairs(INTEGERS))
def test_integer_division_and_remainder_floor(pair):
    x, y = pair
    y = np.where(y == 0, 1, y).astype(y.dtype)
    if x.dtype.kind == "i":  # the one quotient that does not fit is undefined
        y = np.where((x == np.iinfo(x.dtype).min) & (y == -1), 1, y).astype(y.dtype)
    check(lambda p, q: p // q, x, y, expected=elementwise(lambda a, b: a // b, x.dtype, x, y))
    check(lambda p, q: p % q, x, y, expected=elementwise(lambda a, b: a % b, x.dtype, x, y))
    check(lambda p, q: ct.cdiv(p, q), x, y, expected=elementwise(lambda a, b: -(-a // b), x.dtype, x, y))


@quick
@given(tile_pairs(("float32", "float64"), -1e6, 1e6))
def test_float_division_floors_too(pair):
    x, y = pair
    y = np.where(np.abs(y) < 1e-3, 1, y).astype(y.dtype)
    check(lambda p, q: p // q, x, y, expected=np.array([math.floor(v) for v in (x / y).ravel()], x.dtype).reshape(x.shape))
    check(lambda p, q: p % q, x, y, expected=elementwise(lambda a, b: math.fmod(a, b) if a * b >= 0 or math.fmod(a, b) == 0 else math.fmod(a, b) + b, x.dtype, x, y), rtol=1e-5)


@quick
@given(tile_pairs(INTEGERS, -1000, 1000))
def test_integers_divide_as_float32(pair):
    x, y = pair
    y = np.where(y == 0, 1, y).astype(y.dtype)
    check(lambda p, q: p / q, x, y, expected=(x.astype(np.float32) / y.astype(np.float32)))


@quick
@given(tile_pairs(FLOATS, -100, 100))
def test_floats_keep_their_dtype(pair):
    x, y = pair
    y = np.where(np.abs(y) < 1e-2, 1, y).astype(y.dtype)
    eps = float(np.finfo(x.dtype).eps)
    wide = [a.astype(np.float64) for a in (x, y)]
    check(lambda p, q: p / q, x, y, expected=(wide[0] / wide[1]).astype(x.dtype), rtol=eps)
    check(lambda p, q: p * q, x, y, expected=(wide[0] * wide[1]).astype(x.dtype), rtol=eps)


@quick
@given(tile_pairs(FLOATS))
def test_minimum_and_maximum_ignore_a_nan(pair):
    def pick(choose):
        return lambda a, b: b if math.isnan(a) else a if math.isnan(b) else choose(a, b)

    x, y = pair
    check(lambda p, q: max(p, q), x, y, expected=elementwise(pick(max), x.dtype, x, y))
    check(lambda p, q: ct.minimum(p, q), x, y, expected=elementwise(pick(min), x.dtype, x, y))
    nan = np.isnan(x) | np.isnan(y)
    wanted = np.where(nan, np.nan, np.where(x > y, x, y)).astype(x.dtype)
    check(lambda p, q: ct.maximum(p, q, propagate_nan=True), x, y, expected=wanted)


FUNCTIONS = {
    "exp": math.exp, "exp2": lambda v: 2.0**v, "log": math.log, "log2": math.log2, "sqrt": math.sqrt, "rsqrt": lambda v: v**-0.5,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
@quick
@given(x=any_tile((*FLOATS, "int32", "uint8", "bool"), low=0.125, high=1.25))
def test_elementary_functions(name, x):
    """Floats keep their dtype; integers and bools become float32."""
    x = np.where(x == 0, 1, x).astype(x.dtype)
    op = getattr(ct, name)
    dtype = x.dtype if x.dtype.kind == "f" else np.float32
    wanted = elementwise(FUNCTIONS[name], dtype, x.astype(np.float64))
    check(lambda p: op(p), x, expected=wanted, rtol=4 * float(np.finfo(dtype).eps))


@quick
@given(any_tile(FLOATS))
def test_floor_ceil_and_isnan(x):
    finite = np.where(np.isfinite(x), x, 0).astype(x.dtype)
    check(lambda p: ct.floor(p), finite, expected=elementwise(math.floor, x.dtype, finite))
    check(lambda p: ct.ceil(p), finite, expected=elementwise(math.ceil, x.dtype, finite))
    check(lambda p: ct.isnan(p), x, expected=elementwise(math.isnan, bool, x))


@quick
@given(tile_pairs(("float32", "float64"), -3, 3))
def test_atan2_and_pow(pair):
    x, y = pair
    eps = 4 * float(np.finfo(x.dtype).eps)
    check(lambda p, q: ct.atan2(p, q), x, y, expected=elementwise(math.atan2, x.dtype, x, y), rtol=eps)
    base = np.abs(x) + 0.5
    check(lambda p, q: p**q, base, y, expected=elementwise(math.pow, x.dtype, base, y), rtol=eps)
    check(lambda p: p**2, base, expected=elementwise(lambda a: a * a, x.dtype, base), rtol=eps)


def test_signs():
    check(lambda p: -p, np.array([True, False, True, True]), expected=np.array([-1, 0, -1, -1], np.int32))
    check(lambda p: +p, np.array([True, False, True, True]), expected=np.array([1, 0, 1, 1], np.int32))
    check(lambda p: abs(p), np.array([-3, 3, 0, -1], np.int8), expected=np.array([3, 3, 0, 1], np.int8))
    check(lambda p: ct.abs(p), np.array([-0.0, -1.5, 2, -np.inf], np.float16), expected=np.array([0, 1.5, 2, np.inf], np.float16))


def test_assume_divisible_by_changes_nothing():
    check(lambda p: ct.assume_divisible_by(p, 8), np.array([8, 16, 0, -8], np.int32), expected=np.array([8, 16, 0, -8], np.int32))
    check(lambda p: ct.assume_divisible_by(p, 12) + ct.assume_divisible_by(p, 1) + ct.assume_divisible_by(p, 3), np.array([12, 24, 0, -36], np.int64), expected=3 * np.array([12, 24, 0, -36], np.int64))


@pytest.mark.parametrize("dtype", SIGNED)
def test_what_arithmetic_refuses(dtype):
    t = np.ones(4, dtype)
    refuses(lambda p: ct.floor(p), t, words="must be a float")
    refuses(lambda p: p**2, t, words="only floats have powers")
    refuses(lambda p: ct.exp(p, rounding_mode=ct.RoundingMode.RN), t, words="rounding mode RN")
    refuses(lambda p: ct.add(p, 1, flush_to_zero=True), t, words="float32 only")
    refuses(lambda p: p + ct.zeros((8,), ct.int64), t, words="do not broadcast")
    refuses(lambda p: p + "text", t, words="must be a tile or a number")


def test_options_of_arithmetic_keep_the_value():
    x, y = np.full(4, 7, np.float32), np.full(4, 2, np.float32)
    check(lambda p, q: ct.truediv(p, q, rounding_mode=ct.RoundingMode.APPROX, flush_to_zero=True), x, y, expected=np.full(4, 3.5, np.float32), rtol=1e-6)
    check(lambda p, q: ct.mul(p, q, rounding_mode=ct.RoundingMode.RZ), x, y, expected=np.full(4, 14, np.float32))
    check(lambda p, q: ct.sub(p, q, flush_to_zero=True), x, y, expected=np.full(4, 5, np.float32))
