"""Attention: plain, causal, grouped heads, sink tokens, a sliding window, and decoding over a split cache."""

import math

import numpy as np
from case import Case, blank, fresh
from tilekit import INV_LOG_2, ZERO, ConstBool, ConstInt, divide, np_softmax, wide

import tile2cpp.lang as ct
from tile2cpp.lang import PaddingMode

SINK_TILE = 16


def scaled_scores(q, K, place, scale, D: ConstInt, TN: ConstInt):
    """Scores of a tile of queries against one tile of keys, in base 2."""
    batch, head, j = place
    k = ct.load(K, (batch, head, 0, j), (1, 1, D, TN), order=(0, 1, 3, 2), padding_mode=ZERO, latency=2)
    scores = ct.mma(q, k.reshape((D, TN)), ct.zeros((q.shape[0], TN), ct.float32))
    return scores * scale


def online_softmax(scores, m, l):
    """Weights of new scores, the new running maximum and sum, and the factor for what was summed before."""
    m_new = ct.maximum(m, ct.max(scores, axis=-1, keepdims=True))
    p = ct.exp2(scores - m_new, flush_to_zero=True)
    alpha = ct.exp2(m - m_new, flush_to_zero=True)
    return p, m_new, l * alpha + ct.sum(p, axis=-1, keepdims=True), alpha


@ct.kernel(occupancy=ct.ByTarget(sm_90=2, sm_100=1, default=1))
def attention(
    Q, K, V, Out, LSE, scale: float, past: int,
    D: ConstInt, HEADS: ConstInt, TM: ConstInt, TN: ConstInt, GROUP: ConstInt, CAUSAL: ConstBool, EVEN_K: ConstBool,
):  # fmt: skip
    i, pair = ct.bid(0), ct.bid(1)
    batch, head = pair // HEADS, pair % HEADS
    scale = scale * INV_LOG_2
    rows = i * TM + past + ct.arange(TM, dtype=ct.int32)[:, None]
    m = ct.full((TM, 1), -math.inf, dtype=ct.float32)
    l = ct.full((TM, 1), 0.0, dtype=ct.float32)
    acc = ct.full((TM, D), 0.0, dtype=ct.float32)
    q = ct.load(Q, index=(batch, head, i, 0), shape=(1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    keys = K.shape[2]
    if CAUSAL:
        last = ct.cdiv(min((i + 1) * TM + past, keys), TN)
        unmasked = (i * TM + past) // TN
        if not EVEN_K:
            unmasked = min(unmasked, keys // TN)
    else:
        last = ct.cdiv(keys, TN)
        unmasked = keys // TN
    for j in range(0, last):
        scores = scaled_scores(q, K, (batch, head // GROUP, j), scale, D, TN)
        if (CAUSAL or not EVEN_K) and j >= unmasked:
            columns = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
            live = ct.full((TM, TN), True, dtype=ct.bool_)
            if not EVEN_K:
                live = live & (columns < keys)
            if CAUSAL:
                live = live & (rows >= columns)
            scores = ct.where(live, scores, -math.inf)
        p, m, l, alpha = online_softmax(scores, m, l)
        v = ct.load(V, (batch, head // GROUP, j, 0), (1, 1, TN, D), padding_mode=ZERO, latency=4).reshape((TN, D))
        acc = ct.mma(p.astype(Q.dtype), v, acc * alpha)
    acc = divide(acc, l)
    ct.store(Out, index=(batch, head, i, 0), tile=acc.reshape((1, 1, TM, D)).astype(Out.dtype))
    ct.store(LSE, (batch, head, i), ((m + ct.log2(l)) / INV_LOG_2).reshape((1, 1, TM)))


@ct.kernel
def attention_with_sinks(Q, K, V, sinks, Out, scale: float, D: ConstInt, TM: ConstInt, TN: ConstInt):
    """Each head has a logit of its own that takes part in the softmax and has no value."""
    i, head = ct.bid(0), ct.bid(1)
    sink = ct.load(sinks, (head,), ()).astype(ct.float32) * INV_LOG_2
    rows = i * TM + ct.arange(TM, dtype=ct.int32)[:, None]
    m = ct.full((TM, 1), sink, ct.float32)
    l = ct.ones((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    q = ct.load(Q, (0, head, i, 0), (1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    for j in range(ct.cdiv(min((i + 1) * TM, K.shape[2]), TN)):
        scores = scaled_scores(q, K, (0, head, j), scale * INV_LOG_2, D, TN)
        columns = j * TN + ct.arange(TN, dtype=ct.int32)
        scores += ct.where(rows >= columns[None, :], 0.0, -math.inf)
        p, m, l, alpha = online_softmax(scores, m, l)
        v = ct.load(V, (0, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(p.astype(v.dtype), v, acc * alpha)
    ct.store(Out, (0, head, i, 0), divide(acc, l).astype(Out.dtype).reshape((1, 1, TM, D)))


@ct.kernel
def attention_window(Q, K, V, Out, scale: float, WINDOW: ConstInt, D: ConstInt, TM: ConstInt, TN: ConstInt):
    """Every query sees the WINDOW keys that end with its own."""
    i, head = ct.bid(0), ct.bid(1)
    rows = i * TM + ct.arange(TM, dtype=ct.int32)
    m = ct.full((TM, 1), -1.0e30, ct.float32)
    l = ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    q = ct.load(Q, (0, head, i, 0), (1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    first = max(i * TM - WINDOW + 1, 0) // TN
    for j in range(first, ct.cdiv(min((i + 1) * TM, K.shape[2]), TN)):
        scores = scaled_scores(q, K, (0, head, j), scale * INV_LOG_2, D, TN)
        distance = rows[:, None] - (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]
        live = (distance >= 0) & (distance < WINDOW)
        scores = ct.where(live, scores, -math.inf)
        p, m, l, alpha = online_softmax(scores, m, l)
        v = ct.load(V, (0, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(p.astype(v.dtype), v, acc * alpha)
    ct.store(Out, (0, head, i, 0), divide(acc, l).astype(Out.dtype).reshape((1, 1, TM, D)))


@ct.kernel(occupancy=2)
def decode_part(
    Q, K, V, lengths, part_out, part_lse, scale: float, D: ConstInt, KV_HEADS: ConstInt, GROUP: ConstInt, TN: ConstInt, SPLIT: ConstInt
):
    """One part of the cache for all query heads that share it."""
    pair, part = ct.bid(0), ct.bid(1)
    batch, head = pair // KV_HEADS, pair % KV_HEADS
    length = ct.load(lengths, (batch,), ())
    q = ct.load(Q, (batch, head, 0), (1, GROUP, D)).reshape((GROUP, D))
    m = ct.full((GROUP, 1), -1.0e30, ct.float32)
    l = ct.zeros((GROUP, 1), ct.float32)
    acc = ct.zeros((GROUP, D), ct.float32)
    start = part * SPLIT
    stop = min(start + SPLIT, length)
    for j in range(start // TN, ct.cdiv(stop, TN)):
        scores = scaled_scores(q, K, (batch, head, j), scale * INV_LOG_2, D, TN)
        columns = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
        scores = ct.where(columns < length, scores, -math.inf)
        p, m, l, alpha = online_softmax(scores, m, l)
        v = ct.load(V, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(p.astype(v.dtype), v, acc * alpha)
    # A part behind the end of the sequence has weight 0 in the reduction.
    safe = ct.where(l > 0.0, l, 1.0)
    ct.store(part_out, (batch, head, part, 0), (acc / safe).reshape((1, GROUP, 1, D)))
    lse = ct.where(l > 0.0, m + ct.log2(safe), -1.0e30)
    ct.store(part_lse, (batch, head, part), lse.reshape((1, GROUP, 1)))


@ct.kernel
def decode_reduce(part_out, part_lse, Out, PARTS: ConstInt, D: ConstInt):
    batch, head = ct.bid(0), ct.bid(1)
    lse = ct.load(part_lse, (batch, head, 0), (1, 1, PARTS), padding_mode=PaddingMode.NEG_INF).reshape((PARTS,))
    weights = ct.exp2(lse - ct.max(lse, 0), flush_to_zero=True)
    parts = ct.load(part_out, (batch, head, 0, 0), (1, 1, PARTS, D), padding_mode=ZERO).reshape((PARTS, D))
    out = ct.sum(parts * weights[:, None], axis=0) / ct.sum(weights)
    ct.store(Out, (batch, head, 0), out.astype(Out.dtype).reshape((1, 1, D)))


# --- the same in NumPy ---


def scores_of(Q, K, scale):
    group = Q.shape[1] // K.shape[1]
    return wide(Q) @ np.repeat(wide(K), group, axis=1).swapaxes(2, 3) * scale


def attended(Q, K, V, Out, LSE, scale, past, d, heads, tm, tn, group, causal, even):
    scores = scores_of(Q, K, scale)
    if causal:
        seen = np.arange(K.shape[2]) <= np.arange(Q.shape[2])[:, None] + past
        scores = np.where(seen, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    lse = np.log(np.exp(scores - top).sum(-1)) + top[..., 0]
    return [np_softmax(scores) @ np.repeat(wide(V), group, axis=1), lse]


def attended_with_sinks(Q, K, V, sinks, Out, scale, *_):
    scores = scores_of(Q, K, scale)
    seen = np.arange(K.shape[2]) <= np.arange(Q.shape[2])[:, None]
    scores = np.where(seen, scores, -np.inf)
    sink = np.broadcast_to(wide(sinks)[None, :, None, None], (*scores.shape[:3], 1))
    return [np_softmax(np.concatenate([scores, sink], 3))[..., :-1] @ wide(V)]


def attended_in_window(Q, K, V, Out, scale, window, *_):
    distance = np.arange(Q.shape[2])[:, None] - np.arange(K.shape[2])
    scores = np.where((distance >= 0) & (distance < window), scores_of(Q, K, scale), -np.inf)
    return [np_softmax(scores) @ wide(V)]


def decoded(Q, K, V, lengths, part_out, part_lse, scale, d, kv, group, tn, split):
    outs, lses = np.zeros(part_out.shape), np.full(part_lse.shape, -1.0e30)
    scores = scores_of(Q[:, :, None], K, scale / math.log(2))[:, :, 0]
    values = np.repeat(wide(V), group, axis=1)
    for b, part in np.ndindex(len(lengths), part_out.shape[2]):
        start, stop = part * split, min((part + 1) * split, lengths[b])
        if stop > start:
            s = scores[b, :, start:stop]
            weights = np.exp2(s - s.max(-1, keepdims=True))
            outs[b, :, part] = np.einsum("hk,hkd->hd", weights / weights.sum(-1, keepdims=True), values[b, :, start:stop])
            lses[b, :, part] = np.log2(weights.sum(-1)) + s.max(-1)
    return [outs, lses]


def reduced(part_out, part_lse, Out, *_):
    weights = np.exp2(wide(part_lse) - part_lse.max(-1, keepdims=True))
    return [(wide(part_out) * weights[..., None]).sum(2) / weights.sum(-1)[..., None]]


def attention_case(name, batch, heads, kv_heads, queries, keys, causal, even=False, d=32, tm=32, tn=32, past=0):
    def make(rng):
        q = fresh(rng, (batch, heads, queries, d), "float16")
        k, v = (fresh(rng, (batch, kv_heads, keys, d), "float16") for _ in range(2))
        out, lse = blank(q.shape, "float16"), blank(q.shape[:3])
        return q, k, v, out, lse, 1 / math.sqrt(d), past, d, heads, tm, tn, heads // kv_heads, causal, even

    return Case(name, attention, (-(-queries // tm), batch * heads), make, (3, 4), attended, terms=8, scale=4)


def three(rng, heads, length, d):
    return tuple(fresh(rng, (1, heads, length, d), "float16") for _ in range(3))


CASES = [
    attention_case("plain", 1, 2, 2, 64, 128, causal=False, even=True),
    attention_case("ragged", 2, 1, 1, 40, 75, causal=False),
    attention_case("causal", 1, 2, 2, 96, 96, causal=True, even=True),
    attention_case("causal, grouped heads, ragged", 1, 4, 2, 70, 70, causal=True, tm=16),
    attention_case("causal after a cache", 1, 2, 1, 20, 90, causal=True, past=70, tm=16),
    Case("sinks", attention_with_sinks, (3, 2),
         lambda rng: (*three(rng, 2, 70, 32), fresh(rng, 2, "float16"), blank((1, 2, 70, 32), "float16"), 0.2, 32, 32, 16),
         (4,), attended_with_sinks, terms=8, scale=4),
    Case("sliding window", attention_window, (3, 2),
         lambda rng: (*three(rng, 2, 90, 32), blank((1, 2, 90, 32), "float16"), 0.2, 24, 32, 32, 16),
         (3,), attended_in_window, terms=8, scale=4),
    Case("decode, parts", decode_part, (2 * 2, 3),
         lambda rng: (fresh(rng, (2, 8, 32), "float16"), fresh(rng, (2, 2, 96, 32), "float16"), fresh(rng, (2, 2, 96, 32), "float16"),
                      np.array([90, 21], np.int32), blank((2, 8, 3, 32)), blank((2, 8, 3)), 0.2, 32, 2, 4, 16, 32),
         (4, 5), decoded, scale=5000),
    Case("decode, reduction", decode_reduce, (2, 8),
         lambda rng: (fresh(rng, (2, 8, 3, 32)), fresh(rng, (2, 8, 3), low=-9, high=9), blank((2, 8, 32), "float16"), 4, 32),
         (2,), reduced, terms=4, scale=2),
]  # fmt: skip
