"""Matrix products against sums of products."""

import numpy as np
import pytest
from harness import check, quick, refuses, tiles
from hypothesis import given
from hypothesis import strategies as st

import tile2cpp.lang as ct
from tile2cpp.dtypes import BY_NAME

PAIRS = [("float16", "float32"), ("float16", "float16"), ("float32", "float32"), ("float64", "float64"), ("int8", "int32"), ("uint8", "int32")]


def product(x, y):
    """`x @ y` in Python numbers."""
    rows = [[sum(a * b for a, b in zip(row, column)) for column in zip(*y.tolist())] for row in x.tolist()]
    return np.array(rows)


@pytest.mark.parametrize("dtype, acc", PAIRS)
@quick
@given(data=st.data())
def test_mma(dtype, acc, data):
    x, y = data.draw(tiles(dtype, (4, 8), 0, 7)), data.draw(tiles(dtype, (8, 2), 0, 7))
    start = data.draw(tiles(acc, (4, 2), 0, 7))
    rtol = 0 if acc == "int32" else 8 * float(np.finfo(acc).eps)
    check(lambda p, q, r: ct.mma(p, q, r), x, y, start, expected=(product(x, y) + start).astype(acc), rtol=rtol)


def test_int8_times_uint8():
    x, y = np.full((2, 4), -3, np.int8), np.full((4, 2), 200, np.uint8)
    check(lambda p, q: ct.mma(p, q, ct.zeros((2, 2), ct.int32)), x, y, expected=np.full((2, 2), -2400, np.int32))


def test_batches():
    x = np.arange(16, dtype=np.float32).reshape(2, 2, 4)
    y = np.arange(8, dtype=np.float32).reshape(4, 2)
    wanted = np.stack([product(x[0], y), product(x[1], y)]).astype(np.float32)
    check(lambda p, q: ct.mma(p, q, ct.zeros((2, 2, 2), ct.float32)), x, y, expected=wanted)
    check(lambda p, q: p @ q, x, y, expected=wanted)


@pytest.mark.parametrize("x, y, result", [("float16", "float16", "float16"), ("float32", "float16", "float32"), ("int8", "int8", "int8"), ("float64", "int32", "float64")])
def test_matmul_promotes_and_keeps(x, y, result):
    a, b = np.arange(8).reshape(2, 4).astype(x), np.arange(8).reshape(4, 2).astype(y)
    if result == "int8":
        wanted = ((product(a, b) + 128) % 256 - 128).astype(result)
    else:
        wanted = product(a, b).astype(result)
    check(lambda p, q: ct.matmul(p, q), a, b, expected=wanted)


def test_vectors():
    row, matrix = np.arange(4, dtype=np.float32), np.arange(8, dtype=np.float32).reshape(4, 2)
    check(lambda p, q: p @ q, row, matrix, expected=product(row[None], matrix)[0].astype(np.float32))
    check(lambda p, q: q.transpose() @ p, row, matrix, expected=product(matrix.T, row[:, None])[:, 0].astype(np.float32))
    check(lambda p: p @ p, row, expected=np.array(14, np.float32))


def test_tf32_factors_are_rounded():
    x = np.full((2, 2), 1 + 2**-12, np.float32)
    kind = BY_NAME["tfloat32"]
    check(lambda p: ct.mma(p.astype(kind), p.astype(kind), ct.zeros((2, 2), ct.float32)), x, expected=np.full((2, 2), 2, np.float32))


def test_scaled_products_of_a_matrix_and_a_batch():
    def scaled(p, q):
        left, right = p.astype(ct.float8_e4m3fn), q.astype(ct.float8_e4m3fn)
        halves = ct.full((2, 1), 0.5, ct.float8_e8m0fnu)
        doubles = ct.full((2, 1, 4), 2.0, ct.float8_e8m0fnu)
        return ct.mma_scaled(left, halves, right, doubles, ct.ones((2, 2, 4), ct.float32))

    x, y = np.arange(64).reshape(2, 32) % 5 - 2, np.arange(256).reshape(2, 32, 4) % 7 - 3
    wanted = np.stack([product(x, part) for part in y]) + 1
    check(scaled, x.astype("f4"), y.astype("f4"), expected=wanted.astype("f4"))


def test_what_is_refused():
    x, y = np.ones((2, 4), np.float16), np.ones((4, 2), np.float32)
    refuses(lambda p, q: ct.mma(p, q, ct.zeros((2, 2), ct.float32)), x, y, words="one dtype")
    refuses(lambda p: ct.mma(p, p, ct.zeros((2, 2), ct.float32)), x, words=("2 rows", "4 columns"))
    refuses(lambda p: ct.mma(p, p.transpose(), ct.zeros((2, 4), ct.float32)), x, words="`acc` is")
    refuses(lambda p: ct.mma(p, p.transpose(), ct.zeros((2, 2), ct.float64)), x, words="summed in float16 or float32")
    refuses(lambda p: ct.mma(p.astype(ct.int32), p.astype(ct.int32), 0), x, words="no matrix products of int32")
