"""Layers of language models: the row kernels, rotations, products and attention that real programs use."""

import math

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]
INV_LOG_2 = 1.0 / math.log(2)


@ct.kernel(occupancy=4)
def rms_norm(x, w, out, N: ConstInt, eps: ct.Constant[float], TILE: ConstInt, GEMMA: ConstBool):
    row = ct.bid(0)
    squares = ct.full((TILE,), 0.0, dtype=ct.float32)
    for j in range(ct.cdiv(N, TILE)):
        columns = j * TILE + ct.arange(TILE, dtype=ct.int32)
        t = ct.astype(ct.gather(x, (row, columns), latency=1), ct.float32)
        squares += t * t
    scale = ct.rsqrt(ct.sum(squares, axis=0, keepdims=False) / N + eps)
    for j in range(ct.cdiv(N, TILE)):
        columns = j * TILE + ct.arange(TILE, dtype=ct.int32)
        weight = ct.astype(ct.gather(w, columns), ct.float32)
        if GEMMA:
            weight = weight + 1.0
        t = ct.astype(ct.gather(x, (row, columns)), ct.float32)
        ct.scatter(out, (row, columns), ct.astype(t * scale * weight, out.dtype))


def sigmoid(v):
    return ct.truediv(1.0, 1.0 + ct.exp(-v), flush_to_zero=True)


@ct.kernel
def silu_and_mul(x, out, WIDTH: ConstInt, TILE: ConstInt):
    row, part = ct.bid(0), ct.bid(1)
    columns = part * TILE + ct.arange(TILE, dtype=ct.int32)
    live = columns < WIDTH
    gate = ct.gather(x, (row, columns), mask=live, padding_value=0.0).astype(ct.float32)
    up = ct.gather(x, (row, columns + WIDTH), mask=live).astype(ct.float32)
    ct.scatter(out, (row, columns), (gate * sigmoid(gate) * up).astype(out.dtype), mask=live)


@ct.kernel
def rotate_pairs(q, cos, sin, HALF: ConstInt):
    head, position = ct.bid(0), ct.bid(1)
    c = ct.load(cos, (position, 0), (1, HALF)).reshape((1, 1, HALF))
    s = ct.load(sin, (position, 0), (1, HALF)).reshape((1, 1, HALF))
    a = ct.load(q, (head, position, 0), (1, 1, HALF)).astype(ct.float32)
    b = ct.load(q, (head, position, 1), (1, 1, HALF)).astype(ct.float32)
    # In place: both halves are read before either is written.
    ct.store(q, (head, position, 0), (a * c - b * s).astype(q.dtype))
    ct.store(q, (head, position, 1), (b * c + a * s).astype(q.dtype))


@ct.kernel
def cross_entropy(logits, target, loss, COLUMNS: ConstInt, TILE: ConstInt):
    row = ct.bid(0)
    wanted = ct.load(target, (row,), ())
    top = -math.inf
    total = 0.0
    for j in range(ct.cdiv(COLUMNS, TILE)):
        t = ct.load(logits, (row, j), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
        new_top = max(top, ct.max(t))
        total = total * ct.exp(top - new_top) + ct.sum(ct.exp(t - new_top))
        top = new_top
    if wanted >= 0:
        ct.store(loss, (row,), ct.log(total) + top - ct.gather(logits, (row, wanted)))
    else:
        ct.store(loss, (row,), 0.0)  # ignored rows


@ct.kernel
def persistent_matmul(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, TURNED: ConstBool):
    rows, columns = ct.cdiv(A.shape[0], TM), ct.cdiv(C.shape[1], TN)
    for tile in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        i, j = tile // columns, tile % columns
        acc = ct.full((TM, TN), 0.0, dtype=ct.float32)
        for k in range(ct.num_tiles(A, axis=1, shape=(TM, TK))):
            a = ct.load(A, index=(i, k), shape=(TM, TK), padding_mode=ct.PaddingMode.ZERO)
            if TURNED:
                b = ct.load(B, index=(j, k), shape=(TN, TK), padding_mode=ct.PaddingMode.ZERO)
                b = ct.transpose(b)
            else:
                b = ct.load(B, index=(k, j), shape=(TK, TN), padding_mode=ct.PaddingMode.ZERO)
            acc = ct.mma(a, b, acc)
        ct.store(C, index=(i, j), tile=ct.astype(acc, C.dtype))


@ct.kernel
def causal_attention(Q, K, V, out, scale: float, TM: ConstInt, TN: ConstInt, D: ConstInt, GROUP: ConstInt):
    i, head = ct.bid(0), ct.bid(1)
    scale = scale * INV_LOG_2
    rows = i * TM + ct.arange(TM, dtype=ct.int32)[:, None]
    m_i = ct.full((TM, 1), -np.inf, dtype=ct.float32)
    l_i = ct.full((TM, 1), 0.0, dtype=ct.float32)
    acc = ct.full((TM, D), 0.0, dtype=ct.float32)
    q = ct.load(Q, (head, i, 0), (1, TM, D), padding_mode=ct.PaddingMode.ZERO).reshape((TM, D))
    keys = K.shape[1]
    last = min((i + 1) * TM, keys)
    for j in range(0, ct.cdiv(last, TN)):
        # Several heads of Q share one of K and V.
        k = ct.load(K, (head // GROUP, 0, j), (1, D, TN), order=(0, 2, 1), padding_mode=ct.PaddingMode.ZERO, latency=2)
        qk = ct.mma(q, k.reshape((D, TN)), ct.full((TM, TN), 0.0, dtype=ct.float32))
        columns = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
        if (j + 1) * TN > i * TM or (j + 1) * TN > keys:
            live = (columns < keys) & (rows >= columns)
            qk = qk + ct.where(live, 0.0, -math.inf)
        m_ij = max(m_i, ct.max(qk, axis=-1, keepdims=True) * scale)
        p = ct.exp2(qk * scale - m_ij, flush_to_zero=True)
        alpha = ct.exp2(m_i - m_ij, flush_to_zero=True)
        l_i = l_i * alpha + ct.sum(p, axis=-1, keepdims=True)
        v = ct.load(V, (head // GROUP, j, 0), (1, TN, D), padding_mode=ct.PaddingMode.ZERO).reshape((TN, D))
        acc = ct.mma(p.astype(Q.dtype), v, acc * alpha)
        m_i = m_ij
    acc = ct.truediv(acc, l_i, flush_to_zero=True, rounding_mode=ct.RoundingMode.APPROX)
    ct.store(out, (head, i, 0), acc.reshape((1, TM, D)).astype(out.dtype))


def rms(x, w, out, n, eps, tile, gemma):
    wide = x.astype(np.float64)
    normed = wide / np.sqrt((wide * wide).mean(1, keepdims=True) + eps)
    return [(normed * (w.astype(np.float64) + gemma)).astype(out.dtype)]


def silu(x, out, width, tile):
    gate, up = np.split(x.astype(np.float64), 2, axis=1)
    return [(gate / (1 + np.exp(-gate)) * up).astype(out.dtype)]


def rotated(q, cos, sin, half):
    a, b = q[..., :half].astype(np.float32), q[..., half:].astype(np.float32)
    return [np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=2).astype(q.dtype)]


def entropies(logits, target, loss, *_):
    wide = logits.astype(np.float64)
    picked = np.take_along_axis(wide, np.maximum(target, 0)[:, None], 1)[:, 0]
    return [np.where(target < 0, 0, np.log(np.exp(wide).sum(1)) - picked).astype(np.float32)]


def attended(Q, K, V, out, scale, tm, tn, d, group):
    k, v = (np.repeat(t.astype(np.float64), group, axis=0) for t in (K, V))
    scores = Q.astype(np.float64) @ k.transpose(0, 2, 1) * scale
    seen = np.arange(K.shape[1]) <= np.arange(Q.shape[1])[:, None]
    e = np.where(seen, np.exp(scores - scores.max(2, keepdims=True)), 0)
    return [(e / e.sum(2, keepdims=True) @ v).astype(out.dtype)]


def product(a, b, c, tm, tn, tk, turned):
    return [(a.astype(np.float64) @ (b.T if turned else b)).astype(c.dtype)]


CASES = [
    *(Case(f"rms norm {dtype}{' gemma' if gemma else ''}", rms_norm, (6,),
           lambda rng, dtype=dtype, gemma=gemma: (fresh(rng, (6, 300), dtype), fresh(rng, 300, dtype),
                                                  blank((6, 300), dtype), 300, 1e-6, 128, gemma), (2,), rms, terms=8)
      for dtype in ("float16", "float32") for gemma in (False, True)),
    Case("silu and mul", silu_and_mul, (5, 2), lambda rng: (fresh(rng, (5, 200), "float16"), blank((5, 100), "float16"),
                                                            100, 64), (1,), silu),
    Case("rotate pairs", rotate_pairs, (3, 7),
         lambda rng: (fresh(rng, (3, 7, 64), "float16"), fresh(rng, (7, 32)), fresh(rng, (7, 32)), 32), (0,), rotated,
         scale=4.0),
    Case("cross entropy", cross_entropy, (6,),
         lambda rng: (fresh(rng, (6, 150), low=-5, high=5), np.array([0, 149, -1, 64, 5, -1], np.int32), blank(6), 150,
                      64), (2,), entropies, terms=16),
    *(Case(f"persistent matmul{', turned' if turned else ''}", persistent_matmul, (3,),
           lambda rng, turned=turned: (fresh(rng, (100, 60), "float16"),
                                       fresh(rng, (90, 60) if turned else (60, 90), "float16"),
                                       blank((100, 90), "float16"), 32, 64, 32, turned), (2,), product, terms=60,
           scale=4.0) for turned in (False, True)),
    Case("causal attention", causal_attention, (3, 4),
         lambda rng: (fresh(rng, (4, 90, 32), "float16"), fresh(rng, (2, 90, 32), "float16"),
                      fresh(rng, (2, 90, 32), "float16"), blank((4, 90, 32), "float16"), 0.2, 32, 16, 32, 2), (3,),
         attended, terms=90, scale=4.0),
]
