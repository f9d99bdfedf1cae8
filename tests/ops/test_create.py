"""Tiles made from nothing, and where a block is in its grid."""

import numpy as np
import pytest
from harness import ARITHMETIC, BACKENDS, check, launch, quick, refuses
from hypothesis import given
from hypothesis import strategies as st

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME


@pytest.mark.parametrize("dtype", ("bool", *ARITHMETIC))
@pytest.mark.parametrize("shape", [(), (4,), (2, 1, 8)])
def test_factories(dtype, shape):
    kind = BY_NAME[dtype]
    check(lambda: ct.zeros(shape, kind), expected=np.array([0] * int(np.prod(shape)), dtype).reshape(shape))
    check(lambda: ct.ones(shape, kind), expected=np.array([1] * int(np.prod(shape)), dtype).reshape(shape))
    check(lambda: ct.full(shape, 1, kind), expected=np.array([1] * int(np.prod(shape)), dtype).reshape(shape))


@pytest.mark.parametrize("dtype", ("bool", "int8", "float32"))
def test_a_dtype_called_without_a_number_is_zero(dtype):
    named, numpys = BY_NAME[dtype], np.dtype(dtype).type
    for kind in (named, numpys):
        check(lambda: ct.full((4,), 1, named) + kind() if dtype != "bool" else ct.full((4,), kind(), named), expected=np.array([dtype != "bool"] * 4, dtype))


def test_fill_values_convert_like_astype():
    check(lambda: ct.full((4,), 2.75, ct.int32), expected=np.array([2] * 4, np.int32))
    check(lambda: ct.full((4,), 300, ct.int8), expected=np.array([44] * 4, np.int8))
    check(lambda: ct.full((4,), 0.1, ct.float64), expected=np.array([0.1] * 4))
    check(lambda: ct.full((4,), 5, ct.bool_), expected=np.array([True] * 4))
    check(lambda p: ct.full(4, p, ct.float16), np.array(7, np.int32), expected=np.array([7] * 4, np.float16))
    refuses(lambda p: ct.full((4,), p, ct.float16), np.ones(4), words="must be a scalar")


@quick
@given(start=st.integers(-50, 50), step=st.integers(-5, 5), size=st.sampled_from([1, 2, 8]), dtype=st.sampled_from(("int8", "int32", "int64", "float32", "float64")))
def test_arange(start, step, size, dtype):
    kind = BY_NAME[dtype]
    check(lambda: ct.arange(size, dtype=kind, start=start, step=step), expected=np.array([start + step * i for i in range(size)], dtype))
    check(lambda p: ct.arange(size, dtype=kind, start=p), np.array(start, np.int32), expected=np.array([start + i for i in range(size)], dtype))


def test_arange_of_floats():
    check(lambda: ct.arange(4, dtype=ct.float32, start=0.5, step=0.25), expected=np.array([0.5, 0.75, 1, 1.25], np.float32))
    check(lambda: ct.arange(4, dtype=ct.int32, start=2.5, step=1.5), expected=np.array([2, 3, 4, 5], np.int32))
    refuses(lambda: ct.arange(3, dtype=ct.int32), words="powers of two")


@pytest.mark.parametrize("backend", BACKENDS)
def test_blocks_know_where_they_are(backend):
    def mark(out):
        x, y, z = ct.bid(0), ct.bid(1), ct.bid(2)
        ct.store(out, (z, y, x), x + 10 * y + 100 * z + 1000 * ct.num_blocks(0) * ct.num_blocks(1) * ct.num_blocks(2))

    out = np.zeros((2, 3, 4), np.int32)
    launch(mark, (4, 3, 2), (out,), backend)
    z, y, x = np.indices(out.shape)
    np.testing.assert_array_equal(out, x + 10 * y + 100 * z + 24000)


@quick
@given(st.integers(-(10**6), 10**6), st.integers(1, 1000))
def test_cdiv_on_the_host(x, y):
    quotient = ct.cdiv(x, y)
    assert y * quotient >= x > y * (quotient - 1)


def test_grid_arguments():
    refuses(lambda: ct.bid(3), words="0, 1 or 2")
    refuses(lambda p: ct.bid(p), np.array(0, np.int32), words="known at compile time")
    refuses(lambda p: ct.cdiv(p, 2), np.ones(4), words="must be an integer")
