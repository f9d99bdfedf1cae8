"""Recurrences along a sequence: scans with functions of the kernels' own, states carried from chunk to chunk."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstInt, columns_of, exp, wide

import tile2cpp.lang as ct


def after(first, second):
    """`h -> a * h + b` done twice, as one step."""
    (a, b), (c, d) = first, second
    return a * c, b * c + d


@ct.kernel
def state_space(decay, x, gain, y, LENGTH: ConstInt, TILE: ConstInt):
    """`h[t] = decay[t] * h[t-1] + x[t]`, `y[t] = gain * h[t]` for one channel per block."""
    channel = ct.bid(0)
    g = ct.load(gain, (channel,), ())
    state = 0.0
    for j in range(ct.cdiv(LENGTH, TILE)):
        t = columns_of(j, TILE)
        a = ct.gather(decay, (channel, t), padding_value=1.0)
        b = ct.gather(x, (channel, t))
        a, b = ct.scan((a, b), 0, lambda a, b, c, d: after((a, b), (c, d)), (1.0, 0.0))
        h = a * state + b
        ct.scatter(y, (channel, t), g * h)
        state = ct.sum(ct.where(ct.arange(TILE, dtype=ct.int32) == TILE - 1, h, 0.0))


@ct.kernel
def linear_attention(q, k, v, out, states, decay: float, LENGTH: ConstInt, CHUNK: ConstInt, D: ConstInt):
    """Causal attention without softmax: what lies behind a chunk is one matrix, which decays."""
    head = ct.bid(0)
    state = ct.zeros((D, D), ct.float32)
    steps = ct.arange(CHUNK, dtype=ct.int32)
    lag = (steps[:, None] - steps[None, :]).astype(ct.float32)
    fade = ct.where(lag >= 0.0, exp(lag * decay), 0.0)
    since_start = exp((steps + 1).astype(ct.float32) * decay)[:, None]
    to_end = exp((CHUNK - 1 - steps).astype(ct.float32) * decay)[:, None]
    whole = exp(CHUNK * decay * ct.ones((1, 1), ct.float32))
    for c in range(ct.cdiv(LENGTH, CHUNK)):
        qc = ct.load(q, (head, c, 0), (1, CHUNK, D), padding_mode=ZERO).reshape((CHUNK, D))
        kc = ct.load(k, (head, c, 0), (1, CHUNK, D), padding_mode=ZERO).reshape((CHUNK, D))
        vc = ct.load(v, (head, c, 0), (1, CHUNK, D), padding_mode=ZERO).reshape((CHUNK, D))
        inside = ct.mma(qc, ct.transpose(kc), ct.zeros((CHUNK, CHUNK), ct.float32)) * fade
        o = ct.mma(inside, vc, ct.mma(qc * since_start, state, ct.zeros((CHUNK, D), ct.float32)))
        ct.store(out, (head, c, 0), o.reshape((1, CHUNK, D)))
        state = ct.mma(ct.transpose(kc * to_end), vc, state * whole)
    ct.store(states, (head, 0, 0), state.reshape((1, D, D)))


@ct.kernel
def long_cumsum(x, y, TILE: ConstInt, REVERSE: ct.Constant[bool]):
    row = ct.bid(0)
    chunks = ct.cdiv(x.shape[1], TILE)
    before = ct.zeros((1, 1), ct.float32)
    for c in range(chunks):
        j = chunks - 1 - c if REVERSE else c
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        ct.store(y, (row, j), (before + ct.cumsum(t, axis=1, reverse=REVERSE)).astype(y.dtype))
        before = before + ct.sum(t, axis=1, keepdims=True)


def add_in_segment(value, head, value2, head2):
    return ct.where(head2 != 0, value2, value + value2), head | head2


@ct.kernel
def segmented_sums(values, segments, out, TILE: ConstInt):
    """Sums of runs of equal segment numbers; runs that cross blocks meet by atomics."""
    at = columns_of(ct.bid(0), TILE)
    mine = ct.gather(segments, at, padding_value=-1)
    first = (mine != ct.gather(segments, at - 1, padding_value=-1)).astype(ct.int32)
    v = ct.gather(values, at)
    total, _ = ct.scan((v, first), 0, add_in_segment, (0.0, 0))
    following = ct.gather(segments, at + 1, padding_value=-1)
    last = (mine != following) | (ct.arange(TILE, dtype=ct.int32) == TILE - 1)
    ct.atomic_add(out, ct.where(last, mine, -1), total)


@ct.kernel
def welford(x, means, variances, TILE: ConstInt):
    """Mean and variance of a row, merged from parts as (count, mean, sum of squares)."""

    def merge(n, m, s, n2, m2, s2):
        total = n + n2
        share = ct.where(total > 0.0, n2 / ct.maximum(total, 1.0), 0.0)
        gap = m2 - m
        return total, m + gap * share, s + s2 + gap * gap * n * share

    row = ct.bid(0)
    n, m, s = 0.0, 0.0, 0.0
    for j in range(ct.cdiv(x.shape[1], TILE)):
        at = columns_of(j, TILE)
        t = ct.gather(x, (row, at))
        live = (at < x.shape[1]).astype(ct.float32)
        parts = ct.reduce((live, t, ct.zeros((TILE,), ct.float32)), 0, merge, (0.0, 0.0, 0.0))
        n, m, s = merge(n, m, s, *parts)
    ct.store(means, (row,), m)
    ct.store(variances, (row,), s / n)


# --- the same in NumPy ---


def states(decay, x, gain, y, *_):
    h, out = np.zeros(len(x)), np.empty(x.shape)
    for t in range(x.shape[1]):
        h = wide(decay)[:, t] * h + x[:, t]
        out[:, t] = gain * h
    return [out]


def linearly_attended(q, k, v, out, last, decay, length, *_):
    lag = np.arange(length)[:, None] - np.arange(length)
    fade = np.where(lag >= 0, np.exp(decay * np.maximum(lag, 0)), 0)
    weights = np.exp(decay * np.arange(length)[::-1])[:, None]
    return [(wide(q) @ wide(k).swapaxes(1, 2) * fade) @ wide(v), (wide(k) * weights).swapaxes(1, 2) @ wide(v)]


def summed(x, y, tile, reverse):
    return [wide(x)[:, ::-1].cumsum(1)[:, ::-1] if reverse else wide(x).cumsum(1)]


def segments(rng):
    return fresh(rng, 300), np.sort(rng.integers(0, 20, 300)).astype("int32"), np.zeros(20, "float32"), 64


CASES = [
    Case("state space", state_space, (3,), lambda rng: (fresh(rng, (3, 150), low=0.5, high=1), fresh(rng, (3, 150)), fresh(rng, 3), blank((3, 150)), 150, 64),
         (3,), states, terms=50, scale=4),
    Case("linear attention", linear_attention, (2,),
         lambda rng: (*(fresh(rng, (2, 64, 16), low=-1, high=1) for _ in range(3)), blank((2, 64, 16)), blank((2, 16, 16)), -0.05, 64, 16, 16),
         (3, 4), linearly_attended, terms=200, scale=4),
    Case("cumsum", long_cumsum, (3,), lambda rng: (fresh(rng, (3, 300), "float16"), blank((3, 300)), 64, False), (1,), summed, terms=300, scale=2),
    Case("cumsum, reversed", long_cumsum, (3,), lambda rng: (fresh(rng, (3, 300)), blank((3, 300)), 64, True), (1,), summed, terms=300, scale=2),
    Case("segmented sums", segmented_sums, (5,), segments, (2,),
         lambda v, s, out, tile: [np.bincount(s, wide(v), 20)], terms=30, scale=2),
    Case("welford", welford, (4,), lambda rng: (fresh(rng, (4, 150)), blank(4), blank(4), 64), (1, 2),
         lambda x, *_: [wide(x).mean(1), wide(x).var(1)], terms=20, scale=2),
]  # fmt: skip
