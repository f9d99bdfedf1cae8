"""Products that stand in helper functions: with loops of their own, called from several places, given tiles or arrays."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstBool, ConstInt, exp, wide

import tile2cpp.lang as ct


def dot(x, y, i, j, first, last, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """One tile of a product, from step `first` up to `last` along K."""
    total = ct.zeros((TM, TN), ct.float32)
    for k in range(first, last):
        a = ct.load(x, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(y, (k, j), (TK, TN), padding_mode=ZERO)
        total = ct.mma(a, b, total)
    return total


@ct.kernel
def persistent(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Several tiles by each block; the loop along K is a helper's, and is called from two places in turn."""
    columns = ct.cdiv(B.shape[1], TN)
    tiles, steps = ct.cdiv(A.shape[0], TM) * columns, ct.num_tiles(A, 1, (TM, TK))
    for tile in range(ct.bid(0), tiles, ct.num_blocks(0)):
        i, j = tile // columns, tile % columns
        result = dot(A, B, i, j, 0, steps // 2, TM, TN, TK)
        result = result * 2.0
        ct.store(C, (i, j), (result + dot(A, B, i, j, steps // 2, steps, TM, TN, TK)).astype(C.dtype))


def multiplied(a, b, acc):
    return ct.mma(a, b, acc)


def both(a, b, gate, up):
    """Two products of one left factor, by a helper that multiplies."""
    up = multiplied(a, ct.transpose(b), up)
    return multiplied(a, b, gate), up * 0.5


@ct.kernel
def given_tiles(A, B, C, D, TM: ConstInt, TK: ConstInt):
    """Loaded tiles and sums go through two levels of helpers, which give back several results."""
    i = ct.bid(0)
    gate, up = ct.zeros((TM, TK), ct.float32), ct.zeros((TM, TK), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        gate, up = both(a, ct.load(B, (k, 0), (TK, TK), padding_mode=ZERO), gate, up)
    ct.store(C, (i, 0), gate)
    ct.store(D, (i, 0), up)


def step(x, y, i, j, k, acc, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """One step, which the caller's loop repeats."""
    a = ct.load(x, (i, k), (TM, TK), padding_mode=ZERO)
    return ct.mma(a, ct.load(y, (k, j), (TK, TN), padding_mode=ZERO), acc)


def more_steps(x, y, i, j, first, last, acc, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """It begins with sums of the caller's."""
    for k in range(first, last):
        acc = step(x, y, i, j, k, acc, TM, TN, TK)
    return acc


@ct.kernel
def stepwise(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums go in and out of helpers while products run."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    steps = ct.num_tiles(A, 1, (TM, TK))
    for k in range(steps // 2):
        acc = step(A, B, i, j, k, acc, TM, TN, TK)
    acc = more_steps(A, B, i, j, steps // 2, steps, acc, TM, TN, TK)
    ct.store(C, (i, j), acc)


@ct.kernel
def begun_with_a_load(A, B, C, D, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """The sums begin with a tile of an array."""
    i, j = ct.bid(0), ct.bid(1)
    begin = ct.load(C, (i, j), (TM, TN), padding_mode=ZERO)
    ct.store(D, (i, j), more_steps(A, B, i, j, 0, ct.num_tiles(A, 1, (TM, TK)), begin, TM, TN, TK))


def choose(x, y, i, k, odd, TM: ConstInt, TK: ConstInt):
    """Branches around a product, and arguments that take other values."""
    i = i + 0 * k
    acc = ct.zeros((TM, TM), ct.float32)
    if odd:
        k = k + 1
        acc = ct.mma(ct.load(x, (i, k), (TM, TK), padding_mode=ZERO), ct.load(y, (k, i), (TK, TM), padding_mode=ZERO), acc)
    else:
        acc = ct.mma(ct.load(y, (i, k), (TM, TK), padding_mode=ZERO), ct.load(x, (k, i), (TK, TM), padding_mode=ZERO), acc)
    return acc


def stored(x, y, out, i, TM: ConstInt, TK: ConstInt):
    """It is called for what it stores."""
    for k in range(0, ct.num_tiles(x, 1, (TM, TK)), 2):
        acc = choose(x, y, i, k, k % 4 == 2, TM, TK)
        ct.store(out, (i, k // 2), acc)


@ct.kernel
def by_effects(A, B, C, TM: ConstInt, TK: ConstInt):
    stored(A, B, C, ct.bid(0), TM, TK)


def scores_of(queries, keys, scale):
    """A product and what is done with every element of it."""
    return ct.mma(queries, ct.transpose(keys), ct.zeros((queries.shape[0], keys.shape[0]), ct.float32)) * scale


def softened(scores, top, total):
    """Weights, and what goes on to the next step."""
    new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
    weights, shrink = exp(scores - new_top), exp(top - new_top)
    return weights, new_top, total * shrink + ct.sum(weights, 1, keepdims=True), shrink


def accumulated(weights, values, acc, shrink):
    # The weights are narrow for the product.
    narrow = weights.astype(values.dtype)
    return ct.mma(narrow, values, acc * shrink)


@ct.kernel
def attention(q, k, v, out, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    """Both products are helpers', and so is what stands between them."""
    i = ct.bid(0)
    queries = ct.load(q, (i, 0), (TM, D), padding_mode=ZERO)
    columns = ct.arange(TN, dtype=ct.int32)[None, :]
    top, total = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    for j in range(ct.cdiv(k.shape[0], TN)):
        # All keys of a step at once.
        scores = scores_of(queries, ct.load(k, (j, 0), (TN, D), padding_mode=ZERO), scale)
        scores = ct.where(j * TN + columns < k.shape[0], scores, -1e30)
        weights, top, total, shrink = softened(scores, top, total)
        values = ct.load(v, (j, 0), (TN, D), padding_mode=ZERO)
        acc = accumulated(weights, values, acc, shrink)
    ct.store(out, (i, 0), (acc / total).astype(out.dtype))


def absorbed(scores, v, j, top, total, acc, TN: ConstInt, D: ConstInt):
    """The second product with all that goes with it: parameters change, and sums come back among other results."""
    weights, top, total, shrink = softened(scores, top, total)
    acc = acc * shrink
    values = ct.load(v, (j, 0), (TN, D), padding_mode=ZERO)
    return top, total, ct.mma(weights.astype(v.dtype), values, acc)


@ct.kernel
def attention_in_two_loops(q, k, v, out, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    """Whole tiles of keys, then the one that is cut; old and new sums swap through a result of several members."""
    i = ct.bid(0)
    queries = ct.load(q, (i, 0), (TM, D), padding_mode=ZERO)
    top, total = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    whole = k.shape[0] // TN
    for j in range(whole):
        scores = scores_of(queries, ct.load(k, (j, 0), (TN, D), padding_mode=ZERO), scale)
        top, total, acc = absorbed(scores, v, j, top, total, acc, TN, D)
    columns = ct.arange(TN, dtype=ct.int32)[None, :]
    for j in range(whole, ct.cdiv(k.shape[0], TN)):
        scores = scores_of(queries, ct.load(k, (j, 0), (TN, D), padding_mode=ZERO), scale)
        scores = ct.where(j * TN + columns < k.shape[0], scores, -1e30)
        top, total, acc = absorbed(scores, v, j, top, total, acc, TN, D)
    ct.store(out, (i, 0), (acc / total).astype(out.dtype))


# --- cases ---


def part_of(x, i, k, TM: ConstInt, TK: ConstInt):
    return ct.load(x, (i, k), (TM, TK), padding_mode=ZERO)


def right_part(y, k, j, TK: ConstInt, TN: ConstInt, TURNED: ConstBool):
    # It may lie turned round.
    if TURNED:
        return ct.transpose(part_of(y, j, k, TN, TK))
    return part_of(y, k, j, TK, TN)


def both_parts(x, y, i, j, k, TM: ConstInt, TN: ConstInt, TK: ConstInt, TURNED: ConstBool):
    left = part_of(x, i, k, TM, TK)
    return left, right_part(y, k, j, TK, TN, TURNED)


def positive(x):
    return ct.maximum(x, 0)


def loading_step(x, y, i, j, k, acc, TM: ConstInt, TN: ConstInt, TK: ConstInt, TURNED: ConstBool):
    return ct.mma(part_of(x, i, k, TM, TK), right_part(y, k, j, TK, TN, TURNED), acc)


@ct.kernel
def loaded_by_helpers(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, TURNED: ConstBool):
    """Factors that helpers load: one by one, two together, and for a helper that multiplies."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a, b = both_parts(A, B, i, j, k, TM, TN, TK, TURNED)
        acc = ct.mma(a, b, acc)
        acc = loading_step(A, B, i, j, k, acc, TM, TN, TK, TURNED)
        again = positive(part_of(A, i, k, TM, TK))
        acc = ct.mma(again, right_part(B, k, j, TK, TN, TURNED), acc)
    ct.store(C, (i, j), acc)


def persistent_case(m, n, k, count, tile):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), *tile

    def expected(a, b, *_):
        half = -(-k // tile[2]) // 2 * tile[2]
        return [2 * wide(a)[:, :half] @ wide(b)[:half] + wide(a)[:, half:] @ wide(b)[half:]]

    return Case(f"a loop in a helper, {'x'.join(map(str, tile))}", persistent, (count,), make, (2,), expected, terms=2 * k)


def stepwise_case(m, n, k, tile, kernel=stepwise):
    def make(rng):
        begin = [fresh(rng, (m, n))] if kernel is begun_with_a_load else []
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), *begin, blank((m, n)), *tile

    def expected(a, b, c, *_):
        return [wide(a) @ wide(b) + (wide(c) if kernel is begun_with_a_load else 0)]

    return Case(f"{kernel.__wrapped__.__name__}, {m}x{n}x{k}", kernel, (-(-m // tile[0]), -(-n // tile[1])), make, (3 if kernel is begun_with_a_load else 2,), expected, terms=k)


def loaded_case(m, n, k, tile, turned):
    def make(rng):
        b = fresh(rng, (n, k) if turned else (k, n), "float16", -1, 1)
        return fresh(rng, (m, k), "float16", -1, 1), b, blank((m, n)), *tile, turned

    def expected(a, b, *_):
        right = wide(b).T if turned else wide(b)
        return [(2 * wide(a) + np.maximum(wide(a), 0)) @ right]

    name = f"factors loaded by helpers{', turned' if turned else ''}"
    return Case(name, loaded_by_helpers, (-(-m // tile[0]), -(-n // tile[1])), make, (2,), expected, terms=3 * k)


def given_case(m, k, tile):
    def make(rng):
        width = tile[1]
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, width), "float16", -1, 1), blank((m, width)), blank((m, width)), *tile

    def expected(a, b, *_):
        width = tile[1]
        gate, up = 0, 0
        for n in range(k // width):
            x, y = wide(a)[:, n * width : (n + 1) * width], wide(b)[n * width : (n + 1) * width]
            gate, up = gate + x @ y, (up + x @ y.T) * 0.5
        return [gate, up]

    return Case(f"tiles given to helpers, {tile[0]}x{tile[1]}", given_tiles, (m // tile[0],), make, (2, 3), expected, terms=2 * k)


def effects_case(m, k, tile):
    def make(rng):
        size = max(m, k)
        steps = k // tile[1]
        return fresh(rng, (size, size), "float16", -1, 1), fresh(rng, (size, size), "float16", -1, 1), blank((m, -(-steps // 2) * tile[0])), *tile

    def expected(a, b, c, *_):
        out = np.zeros(c.shape)
        rows, width = tile
        for i in range(m // rows):
            for k in range(0, a.shape[1] // width, 2):
                x, y, n = (a, b, k + 1) if k % 4 == 2 else (b, a, k)
                part = wide(x)[i * rows : (i + 1) * rows, n * width : (n + 1) * width] @ wide(y)[n * width : (n + 1) * width, i * rows : (i + 1) * rows]
                out[i * rows : (i + 1) * rows, k // 2 * rows : (k // 2 + 1) * rows] = part
        return [out]

    return Case("helpers that are called for their stores", by_effects, (m // tile[0],), make, (2,), expected, terms=tile[1])


def attention_case(queries, keys, tile, width, kernel=attention, words=""):
    def make(rng):
        q, k, v = (fresh(rng, (rows, width), "float16", -1, 1) for rows in (queries, keys, keys))
        return q, k, v, blank(q.shape, "float32"), 1 / np.sqrt(width), *tile, width

    def expected(q, k, v, *_):
        scores = wide(q) @ wide(k).T / np.sqrt(width)
        weights = np.exp(scores - scores.max(1, keepdims=True))
        return [weights / weights.sum(1, keepdims=True) @ wide(v)]

    return Case(f"attention by helpers {words}{queries}x{keys}x{width}", kernel, (-(-queries // tile[0]),), make, (3,), expected, terms=keys, scale=300.0)


CASES = [
    attention_case(160, 208, (64, 64), 64),
    attention_case(128, 384, (128, 128), 64),
    attention_case(160, 424, (128, 128), 64, attention_in_two_loops, "in two loops "),
    attention_case(128, 100, (64, 64), 64, attention_in_two_loops, "in two loops "),
    persistent_case(208, 144, 200, 2, (64, 64, 32)),
    persistent_case(200, 256, 200, 3, (64, 128, 32)),
    stepwise_case(144, 80, 200, (64, 64, 32)),
    stepwise_case(144, 80, 72, (64, 64, 32), begun_with_a_load),
    given_case(128, 256, (64, 64)),
    loaded_case(144, 80, 200, (64, 64, 32), False),
    loaded_case(144, 80, 72, (64, 64, 64), True),
    effects_case(128, 256, (64, 32)),
]
