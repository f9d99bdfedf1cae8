"""Products with more blocks than a GPU runs at once: each block of the launch runs many, along all axes of the grid."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstInt, wide

import tile2cpp.lang as ct


@ct.kernel
def batched(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """The grid is asked for again behind the product."""
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (1, TM, TK))):
        a = ct.load(A, (ct.bid(2), ct.bid(0), k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (ct.bid(2), k, ct.bid(1)), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, b, acc)
    acc = acc + (ct.num_blocks(0) + 100 * ct.num_blocks(1) + 10000 * ct.num_blocks(2))
    ct.store(C, (ct.bid(2), ct.bid(0), ct.bid(1)), acc.reshape((1, TM, TN)))


@ct.kernel
def normed(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Rows of the result are reduced: threads meet between the products of one block and those of the next."""
    i, j = ct.bid(1), ct.bid(0)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    acc = acc - ct.max(acc, 0, keepdims=True)
    ct.store(C, (j, i), ct.transpose(acc))


def batches(n, m, columns, depth, tile):
    def make(rng):
        return fresh(rng, (n, m, depth), "float16"), fresh(rng, (n, depth, columns), "float16"), blank((n, m, columns), "float32"), *tile

    def expected(a, b, *_):
        x, y = -(-m // tile[0]), -(-columns // tile[1])
        return [wide(a) @ wide(b) + x + 100 * y + 10000 * n]

    grid = (-(-m // tile[0]), -(-columns // tile[1]), n)
    return Case(f"{n} of {m}x{columns}x{depth} by {'x'.join(map(str, tile))}", batched, grid, make, (2,), expected, terms=depth, scale=100.0)


def norms(m, n, k, tile):
    def make(rng):
        return fresh(rng, (m, k), "float16"), fresh(rng, (k, n), "float16"), blank((n, m), "float32"), *tile

    def expected(a, b, *_):
        product = wide(a) @ wide(b)
        tiles = product.reshape(m // tile[0], tile[0], n)
        return [(tiles - tiles.max(1, keepdims=True)).reshape(m, n).T]

    return Case(f"columns of {m}x{n}x{k} by {'x'.join(map(str, tile))}", normed, (n // tile[1], m // tile[0]), make, (2,), expected, terms=k, scale=2.0)


# The last two are for GPUs: more blocks than any runs at once.
FEW = [batches(2, 130, 72, 64, (64, 64, 32)), norms(128, 192, 64, (64, 64, 32)), batches(1, 256, 256, 40, (128, 128, 32))]
CASES = [*FEW, batches(5, 700, 520, 72, (64, 64, 32)), norms(2048, 2048, 64, (64, 64, 32))]
