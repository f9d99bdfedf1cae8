"""Products of matrices whose rows begin anywhere: every size of elements, every offset, strides of all kinds, on warpgroups and warp by warp."""

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import bfloat16
from tilekit import ZERO, ConstInt, wide

import tile2cpp.lang as ct

SUMS = {"float16": "float32", "bfloat16": "float32", "float32": "float32", "int8": "int32", "float64": "float64"}


@ct.kernel
def product(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    factor = ct.tfloat32 if A.dtype == ct.float32 else A.dtype
    acc = ct.full((TM, TN), 0, C.dtype)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO).astype(factor)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO).astype(factor)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def batched(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    n, i, j = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (1, TM, TK))):
        a = ct.load(A, (n, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (n, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, b, acc)
    ct.store(C, (n, i, j), acc.reshape((1, TM, TN)))


# --- where a matrix lies ---


def as_it_is(array):
    return array


def inside(rows, columns, more=0):
    """A part of a larger array: so many rows and columns from its first element, with `more` columns behind."""

    def place(array):
        *outer, m, n = array.shape
        whole = np.full((*outer, m + rows, n + columns + more), 77, array.dtype)
        whole[..., rows:, columns:][..., :n] = array
        return whole[..., rows:, columns:][..., :n]

    return place


def turned(place=as_it_is):
    """The same with columns adjacent."""
    return lambda array: place(np.ascontiguousarray(array.swapaxes(-1, -2))).swapaxes(-1, -2)


def every_other_column(array):
    whole = np.full((array.shape[0], 2 * array.shape[1] + 1), 77, array.dtype)
    whole[:, 1::2] = array
    return whole[:, 1::2]


def one_row(array):
    """All rows are the first one."""
    return np.broadcast_to(array[:1].copy(), array.shape)


# --- cases ---


def ragged_case(name, m, n, k, tile, dtype="float16", left=as_it_is, right=as_it_is):
    def make(rng):
        low, high = (-128, 127) if dtype == "int8" else (-1, 1)
        # Few enough bits for tf32.
        factors = (fresh(rng, shape, dtype if dtype != "float32" else "float16", low, high).astype(dtype) for shape in ((m, k), (k, n)))
        a, b = (place(factor) for place, factor in zip((left, right), factors))
        return a, b, blank((m, n), SUMS[np.dtype(dtype).name]), *tile

    def expected(a, b, c, *_):
        exact = np.int64 if dtype == "int8" else np.float64
        return [(a.astype(exact) @ b.astype(exact)).astype(c.dtype)]

    return Case(name, product, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=k)


def batched_case(m, n, k, tile):
    def make(rng):
        a, b = inside(1, 3)(fresh(rng, (2, m, k), "float16", -1, 1)), inside(0, 1)(fresh(rng, (2, k, n), "float16", -1, 1))
        return a, b, blank((2, m, n)), *tile

    grid = (-(-m // tile[0]), -(-n // tile[1]), 2)
    return Case(f"batched {tile[0]}", batched, grid, make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=k)


WIDE, LOW, SMALL = (64, 64, 64), (64, 32, 32), (32, 32, 32)  # the first two on warpgroups of compute capability 9.0, the last warp by warp
CASES = [
    *(ragged_case(f"offset {n}, {tile[0]}", 67, 71, 69 + n, tile, left=inside(1, n), right=inside(2, n + 1)) for n in (1, 2, 4, 7) for tile in (WIDE, SMALL)),
    *(ragged_case(f"{dtype} {tile[0]}", 67, 71, 130, tile, dtype, inside(1, 1), inside(1, 3, 1)) for dtype, tile in (("float32", WIDE), ("float32", SMALL), ("float64", LOW), ("float64", SMALL))),
    *(ragged_case(f"int8 {tile[0]}", 67, 71, 130, tile, "int8", inside(1, 5), turned(inside(1, 3, 2))) for tile in (WIDE, SMALL)),
    ragged_case("bfloat16, both turned", 67, 129, 71, (64, 128, 32), bfloat16, turned(inside(0, 3)), turned(inside(3, 1))),
    *(ragged_case(f"rows of {k}, {tile[0]}", 65, 33, k, tile) for k in (1, 5, 9) for tile in (WIDE, SMALL)),
    ragged_case("one column", 65, 1, 70, WIDE),
    *(ragged_case(f"every other column, {tile[0]}", 65, 33, 70, tile, left=every_other_column, right=every_other_column) for tile in (LOW, SMALL)),
    ragged_case("all rows one", 65, 33, 69, WIDE, left=one_row, right=one_row),
    *(batched_case(65, 33, 69, tile) for tile in (WIDE, SMALL)),
]
