"""Products of few rows, whose factors a warp of its own fetches on compute capability 9.0: in all layouts, in chains, with lengths from memory."""

import math

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import bfloat16
from tilekit import ZERO, ConstInt, wide

import tile2cpp.lang as ct


@ct.kernel
def product(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        acc = ct.mma(a, ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def two_layers(x, W, V, out, TM: ConstInt, TH: ConstInt, D: ConstInt):
    """max(x @ W, 0) @ V: the rows of x stay, and what is between the products is passed from warp to warp."""
    i = ct.bid(0)
    rows = ct.load(x, (i, 0), (TM, D), padding_mode=ZERO)
    acc = ct.zeros((TM, D), ct.float32)
    for j in range(ct.cdiv(W.shape[1], TH)):
        hidden = ct.mma(rows, ct.load(W, (0, j), (D, TH), padding_mode=ZERO), ct.zeros((TM, TH), ct.float32))
        kept = ct.maximum(hidden, 0.0).astype(x.dtype)
        acc = ct.mma(kept, ct.load(V, (j, 0), (TH, D), padding_mode=ZERO), acc)
    ct.store(out, (i, 0), acc)


@ct.kernel
def decode(q, k, v, lengths, out, scale: float, ROWS: ConstInt, TN: ConstInt, D: ConstInt):
    """Attention of a few queries to as many keys as their sequence has so far."""
    batch, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (batch, head, 0, 0), (1, 1, ROWS, D), padding_mode=ZERO).reshape((ROWS, D))
    keys = ct.load(lengths, batch, ()).item()
    top, total = ct.full((ROWS, 1), -1e30, ct.float32), ct.zeros((ROWS, 1), ct.float32)
    acc = ct.zeros((ROWS, D), ct.float32)
    for j in range(ct.cdiv(keys, TN)):
        k_tile = ct.load(k, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(queries, ct.transpose(k_tile), ct.zeros((ROWS, TN), ct.float32)) * scale
        scores = ct.where(j * TN + ct.arange(TN, dtype=ct.int32)[None, :] < keys, scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights, shrink = ct.exp(scores - new_top), ct.exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        v_tile = ct.load(v, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(v.dtype), v_tile, acc * shrink)
        top = new_top
    ct.store(out, (batch, head, 0, 0), (acc / total).reshape((1, 1, ROWS, D)))


@ct.kernel
def in_place(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """A tile of C has fewer columns than the warps, so some hold the same elements, and read what others wrote."""
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc = ct.mma(ct.load(A, (0, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, 0), (TK, TN), padding_mode=ZERO), acc)
        ct.store(C, (0, 0), ct.load(C, (0, 0), (TM, 16), padding_mode=ZERO) + ct.sum(acc, 1, keepdims=True))


@ct.kernel
def latent(q, place_q, kv, place_k, out, scale: float, ROWS: ConstInt, TN: ConstInt, D: ConstInt, P: ConstInt):
    """Attention to a cache of latent vectors, which are keys and values at once, and of places: rings of one stage are all that fits."""
    batch = ct.bid(0)
    queries, query_places = ct.load(q, (batch, 0, 0), (1, ROWS, D)).reshape((ROWS, D)), ct.load(place_q, (batch, 0, 0), (1, ROWS, P)).reshape((ROWS, P))
    top, total = ct.full((ROWS, 1), -1e30, ct.float32), ct.zeros((ROWS, 1), ct.float32)
    acc = ct.zeros((ROWS, D), ct.float32)
    for j in range(ct.cdiv(kv.shape[1], TN)):
        latents = ct.load(kv, (batch, j, 0), (1, TN, D), padding_mode=ZERO).reshape((TN, D))
        places = ct.load(place_k, (batch, j, 0), (1, TN, P), padding_mode=ZERO).reshape((TN, P))
        scores = ct.mma(queries, ct.transpose(latents), ct.zeros((ROWS, TN), ct.float32))
        scores = ct.mma(query_places, ct.transpose(places), scores) * scale
        scores = ct.where(j * TN + ct.arange(TN, dtype=ct.int32)[None, :] < kv.shape[1], scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights, shrink = ct.exp(scores - new_top), ct.exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        acc = ct.mma(weights.astype(kv.dtype), latents, acc * shrink)
        top = new_top
    ct.store(out, (batch, 0, 0), (acc / total).reshape((1, ROWS, D)))


# --- cases ---


def as_it_is(array):
    return array


def turned(array):
    """The same matrix with its columns adjacent."""
    return np.ascontiguousarray(array.T).T


def product_case(name, m, n, k, tile, dtype="float16", left=as_it_is, right=as_it_is):
    def make(rng):
        return left(fresh(rng, (m, k), dtype, -1, 1)), right(fresh(rng, (k, n), dtype, -1, 1)), blank((m, n), "float32"), *tile

    return Case(f"product {name}", product, (-(-m // tile[0]), -(-n // tile[1])), make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=k)


def layers_case(name, m, hidden, d, tile, dtype="float16"):
    def make(rng):
        return fresh(rng, (m, d), dtype, -1, 1), fresh(rng, (d, hidden), dtype, -1, 1), fresh(rng, (hidden, d), dtype, -1, 1), blank((m, d), "float32"), *tile, d

    def expected(x, w, v, *_):
        return [np.maximum(wide(x) @ wide(w), 0).astype(np.float32).astype(x.dtype).astype(np.float64) @ wide(v)]

    # What lies between the products is rounded, now and then to the other neighbour.
    return Case(f"two layers {name}", two_layers, (-(-m // tile[0]),), make, (3,), expected, terms=hidden, scale=2000.0)


def decode_case(name, lengths, keys, group, d, rows, tn, dtype="float16"):
    def make(rng):
        q = fresh(rng, (len(lengths), 2, group, d), dtype, -1, 1)
        k, v = (fresh(rng, (len(lengths), 2, keys, d), dtype, -1, 1) for _ in range(2))
        return q, k, v, np.array(lengths, np.int32), blank((len(lengths), 2, group, d), "float32"), 1 / math.sqrt(d), rows, tn, d

    def expected(q, k, v, *_):
        out = np.zeros(q.shape)
        for batch, length in enumerate(lengths):
            scores = wide(q[batch]) @ wide(k[batch, :, :length]).swapaxes(1, 2) / math.sqrt(d)
            weights = np.exp(scores - scores.max(2, keepdims=True))
            out[batch] = weights / weights.sum(2, keepdims=True) @ wide(v[batch, :, :length])
        return [out]

    return Case(f"decode {name}", decode, (len(lengths), 2), make, (4,), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0)


def in_place_case(steps, tile):
    m, n, k = tile

    def make(rng):
        return fresh(rng, (m, steps * k), "float16", -1, 1), fresh(rng, (steps * k, n), "float16", -1, 1), fresh(rng, (m, 16)), *tile

    def expected(a, b, c, *_):
        sums = [wide(a)[:, : j * k] @ wide(b)[: j * k] for j in range(1, steps + 1)]
        return [wide(c) + sum(x.sum(1, keepdims=True) for x in sums)]

    return Case("results that steps add to in memory", in_place, (1,), make, (2,), expected, terms=steps * steps * k * n)


def latent_case(batch, rows, keys, width, places, tn, dtype="float16"):
    def make(rng):
        q, place_q = (fresh(rng, (batch, rows, n), dtype, -1, 1) for n in (width, places))
        kv, place_k = (fresh(rng, (batch, keys, n), dtype, -1, 1) for n in (width, places))
        return q, place_q, kv, place_k, blank((batch, rows, width), "float32"), 1 / math.sqrt(width + places), rows, tn, width, places

    def expected(q, place_q, kv, place_k, *_):
        scores = (wide(q) @ wide(kv).swapaxes(1, 2) + wide(place_q) @ wide(place_k).swapaxes(1, 2)) / math.sqrt(width + places)
        weights = np.exp(scores - scores.max(2, keepdims=True))
        return [weights / weights.sum(2, keepdims=True) @ wide(kv)]

    return Case(f"latents of width {width}", latent, (batch,), make, (4,), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0, only_target=90 if width > 256 else None)


CASES = [
    product_case("16 rows", 16, 192, 200, (16, 64, 32)),
    product_case("32 rows, ragged", 40, 144, 72, (32, 128, 16)),
    product_case("bfloat16, right factor turned", 16, 128, 96, (16, 128, 64), bfloat16, right=turned),
    product_case("both factors turned", 24, 136, 104, (16, 64, 64), left=turned, right=turned),
    product_case("rows that begin anywhere", 9, 67, 45, (16, 64, 16)),
    latent_case(2, 16, 150, 512, 64, 64, bfloat16),
    in_place_case(3, (16, 64, 64)),
    layers_case("of 64", 20, 200, 64, (16, 64)),
    layers_case("of 128, bfloat16", 16, 96, 128, (16, 64), bfloat16),
    decode_case("4 queries", (130, 64, 1), 130, 4, 64, 16, 64),
    decode_case("20 queries, bfloat16", (200, 33), 208, 20, 128, 32, 128, bfloat16),
]
