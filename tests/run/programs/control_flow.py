"""Loops, branches, early returns, and values that live across them."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def tile_sum(arr, out, TILE: ct.Constant[int], N_TILES: ct.Constant[int]):
    # One block adds up all tiles of `arr`.
    acc = ct.zeros((TILE,), dtype=ct.float32)
    for k in range(N_TILES):
        tile = ct.load(arr, index=(k,), shape=(TILE,))
        acc = acc + tile
    ct.store(out, index=(0,), tile=acc)


@ct.kernel
def conditional_load(arr, out, TILE: ct.Constant[int]):
    bid = ct.bid(0)
    if bid < ct.num_blocks(0) - 1:
        tile = ct.load(arr, index=(bid,), shape=(TILE,))
    else:
        tile = ct.zeros((TILE,), dtype=ct.float32)  # the last block writes 0
    ct.store(out, index=(bid,), tile=tile)


@ct.kernel
def persistent_rows(x, out, rows):
    # Fewer blocks than rows: each block takes every n-th row.
    for row in range(ct.bid(0), rows, ct.num_blocks(0)):
        t = ct.load(x, (row, 0), (1, 16), padding_mode=ct.PaddingMode.ZERO)
        ct.store(out, (row,), ct.sum(t))


@ct.kernel
def halvings(x, out):
    i = ct.bid(0)
    n = ct.load(x, (i,), ())
    steps = 0
    while n > 1:
        n = n // 2
        steps += 1
    ct.store(out, (i,), steps)


@ct.kernel
def first_large(x, out, limit):
    row = ct.bid(0)
    found = -1
    for j in range(x.shape[1]):
        value = ct.load(x, (row, j), ())
        if value < 0:
            continue
        if value > limit:
            found = j
            break
    ct.store(out, (row,), found)


@ct.kernel
def return_early(x, out, n):
    i = ct.bid(0)
    if i >= n:
        return
    ct.store(out, (i,), ct.load(x, (i,), (4,)) * 2)


@ct.kernel
def chain_of_branches(x, out):
    i = ct.bid(0)
    kind = i % 4
    t = ct.load(x, (i,), (8,))
    if kind == 0:
        t = t + 1
    elif kind == 1:
        t = t * t
    elif kind == 2 and i > 4:
        t = ct.zeros((8,), ct.float32)
    else:
        t = -t
    ct.store(out, (i,), t)


@ct.kernel
def nested_loops(out, n):
    total = 0
    for i in range(n):
        for j in range(i):
            if (i + j) % 2 == 0 or not j < 3:
                total += i * j
    ct.store(out, (0,), total)


def clamp(v, low, high):
    if v < low:
        return low
    if v > high:
        return high
    return v


@ct.kernel
def early_return_in_helper(x, out):
    i = ct.bid(0)
    ct.store(out, (i,), clamp(ct.load(x, (i,), ()), -10, 10))


@ct.kernel
def constant_branch(x, out, DOUBLE: ct.Constant[bool]):
    t = ct.load(x, (ct.bid(0),), (8,))
    if DOUBLE:
        t = t * 2
    if x.dtype == ct.float32:
        t = t + 1
    else:
        t = t.no_such_method()  # never looked at for a float32 array
    ct.store(out, (ct.bid(0),), t)


@ct.kernel
def choice(x, out, limit):
    i = ct.bid(0)
    v = ct.load(x, (i,), ())
    ct.store(out, (i,), v if v < limit else limit)


@ct.kernel
def several_carried(x, out, n):
    low = ct.load(x, (0,), (8,))
    high = low
    count = 0
    for k in range(1, n):
        t = ct.load(x, (k,), (8,))
        low, high = ct.minimum(low, t), ct.maximum(high, t)
        count += 1
    ct.store(out, (0,), high - low)
    ct.store(out, (1,), ct.full((8,), count, ct.float32))


def first_over(x, limit):
    rows = []
    for row in x:
        hits = np.flatnonzero(row > limit)
        rows.append(hits[0] if hits.size else -1)
    return [np.array(rows)]


def branches(x, out):
    rows = x.reshape(-1, 8).copy()
    for i, t in enumerate(rows):
        rows[i] = (t + 1, t * t, 0 * t if i > 4 else -t, -t)[i % 4]
    return [rows.reshape(-1)]


def pairs(out, n):
    return [[sum(i * j for i in range(n) for j in range(i) if (i + j) % 2 == 0 or not j < 3)]]


def several(x, out, n):
    rows = x.reshape(-1, 8)[:n]
    return [np.concatenate([rows.max(0) - rows.min(0), np.full(8, n - 1)])]


CASES = [
    Case("tile sum", tile_sum, (1,), lambda rng: (fresh(rng, 8 * 13), blank(8), 8, 13), (1,),
         lambda x, out, tile, n: [x.reshape(n, tile).sum(0)], terms=13),
    Case("conditional load", conditional_load, (4,), lambda rng: (fresh(rng, 30), blank(30), 8), (1,),
         lambda x, out, tile: [np.append(x[:24], np.zeros(6))]),
    Case("persistent rows", persistent_rows, (3,), lambda rng: (fresh(rng, (11, 13), "int32"), blank(11, "int32"), 11),
         (1,), lambda x, out, rows: [x.sum(1)]),
    Case("while", halvings, (9,), lambda rng: (fresh(rng, 9, "int32", 1, 10**9), blank(9, "int32")), (1,),
         lambda x, out: [np.array([int(v).bit_length() - 1 for v in x])]),
    Case("break and continue", first_large, (7,),
         lambda rng: (fresh(rng, (7, 12), "int32", -9, 9), blank(7, "int32"), 6), (1,),
         lambda x, out, limit: first_over(x, limit)),
    Case("return early", return_early, (6,), lambda rng: (fresh(rng, 24), np.zeros(24, np.float32), 4), (1,),
         lambda x, out, n: [np.append(x[:16] * 2, np.zeros(8))]),
    Case("branches", chain_of_branches, (9,), lambda rng: (fresh(rng, 72), blank(72)), (1,), branches),
    Case("nested loops", nested_loops, (1,), lambda rng: (blank(1, "int32"), 9), (0,), pairs),
    Case("nested loops, none", nested_loops, (1,), lambda rng: (blank(1, "int32"), 0), (0,), pairs),
    Case("return from a helper", early_return_in_helper, (20,),
         lambda rng: (fresh(rng, 20, "int32", -30, 30), blank(20, "int32")), (1,),
         lambda x, out: [np.clip(x, -10, 10)]),
    Case("constant branch", constant_branch, (2,), lambda rng: (fresh(rng, 16), blank(16), True), (1,),
         lambda x, out, double: [x * 2 + 1]),
    Case("constant branch, not taken", constant_branch, (2,), lambda rng: (fresh(rng, 16), blank(16), False), (1,),
         lambda x, out, double: [x + 1]),
    Case("choice", choice, (8,), lambda rng: (fresh(rng, 8, "int32", -9, 9), blank(8, "int32"), 2), (1,),
         lambda x, out, limit: [np.minimum(x, limit)]),
    Case("several carried", several_carried, (1,), lambda rng: (fresh(rng, 56), blank(16), 7), (1,), several),
]
