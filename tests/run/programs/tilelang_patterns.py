"""The patterns of thread-block languages, as tile kernels: no threads, no shared memory."""

import math

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]


@ct.kernel
def elementwise_add(A, B, C, block_m: ConstInt, block_n: ConstInt):
    bx, by = ct.bid(0), ct.bid(1)
    a = ct.load(A, (by, bx), (block_m, block_n))
    b = ct.load(B, (by, bx), (block_m, block_n))
    ct.store(C, (by, bx), a + b)


@ct.kernel
def add_one(A, B, length: ConstInt):
    ct.store(B, (0,), ct.load(A, (0,), (length,)) + 1.0)


@ct.kernel
def matmul(A, B, C, block_m: ConstInt, block_n: ConstInt, block_k: ConstInt):
    bx, by = ct.bid(0), ct.bid(1)
    c_local = ct.zeros((block_m, block_n), ct.float32)
    for ko in range(ct.cdiv(A.shape[1], block_k)):
        a = ct.load(A, (by, ko), (block_m, block_k), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (ko, bx), (block_k, block_n), padding_mode=ct.PaddingMode.ZERO)
        c_local = ct.mma(a, b, c_local)
    ct.store(C, (by, bx), c_local.astype(C.dtype))


@ct.kernel
def gemv(A, B, C, block_n: ConstInt, block_k: ConstInt):
    bn = ct.bid(0)
    c_reg = ct.zeros((block_n,), ct.float32)
    for bk in range(ct.cdiv(A.shape[0], block_k)):
        a = ct.load(A, (bk,), (block_k,), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (bn, bk), (block_n, block_k), padding_mode=ct.PaddingMode.ZERO)
        c_reg += ct.sum(a.astype(ct.float32) * b.astype(ct.float32), axis=1)
    ct.store(C, (bn,), c_reg.astype(C.dtype))


def softmax_step(scores, scores_max, logsum, scale):
    """One step of a running softmax: new weights, new maximum, new sum, and how to rescale."""
    previous = scores_max
    scores_max = ct.maximum(previous, ct.max(scores, 1, keepdims=True))
    rescale = ct.exp2(previous * scale - scores_max * scale)
    weights = ct.exp2(scores * scale - scores_max * scale)
    logsum = logsum * rescale + ct.sum(weights, 1, keepdims=True)
    return weights, scores_max, logsum, rescale


@ct.kernel
def running_softmax(S, V, out, scale, block_m: ConstInt, block_n: ConstInt, width: ConstInt):
    i = ct.bid(0)
    scores_max = ct.full((block_m, 1), -math.inf, ct.float32)
    logsum = ct.zeros((block_m, 1), ct.float32)
    acc = ct.zeros((block_m, width), ct.float32)
    for j in range(ct.num_tiles(S, 1, (block_m, block_n))):
        scores = ct.load(S, (i, j), (block_m, block_n), padding_mode=ct.PaddingMode.NEG_INF)
        values = ct.load(V, (j, 0), (block_n, width), padding_mode=ct.PaddingMode.ZERO)
        weights, scores_max, logsum, rescale = softmax_step(scores, scores_max, logsum, scale)
        acc = ct.mma(weights, values, acc * rescale)
    ct.store(out, (i, 0), acc / logsum)


@ct.kernel
def conditional(A, B, C, block: ConstInt):
    bx = ct.bid(0)
    a, b = ct.load(A, (bx,), (block,)), ct.load(B, (bx,), (block,))
    ct.store(C, (bx,), ct.where(a > 0, a + b, a - b))


@ct.kernel
def conditional_by_lane(A, B, C, n, block: ConstInt):
    idx = ct.bid(0) * block + ct.arange(block, dtype=ct.int32)
    live = idx < n
    a, b = ct.gather(A, idx, mask=live), ct.gather(B, idx, mask=live)
    ct.scatter(C, idx, ct.where(a > 0, a + b, a - b), mask=live)


@ct.kernel
def atomic_reduction(A, C, block_n: ConstInt, block_k: ConstInt):
    # Blocks along axis 1 add their part of the same rows.
    bn, bk = ct.bid(0), ct.bid(1)
    part = ct.load(A, (bn, bk), (block_n, block_k), padding_mode=ct.PaddingMode.ZERO)
    rows = bn * block_n + ct.arange(block_n, dtype=ct.int32)
    ct.atomic_add(C, rows, ct.sum(part, axis=1))


def attended(S, V, out, scale, *_):
    e = np.exp2((S.astype(np.float64) - S.max(1, keepdims=True)) * scale)
    return [(e / e.sum(1, keepdims=True)) @ V]


CASES = [
    Case("elementwise add", elementwise_add, (4, 3),
         lambda rng: (fresh(rng, (45, 100)), fresh(rng, (45, 100)), blank((45, 100)), 16, 32), (2,),
         lambda a, b, c, *_: [a + b]),
    Case("add one", add_one, (1,), lambda rng: (fresh(rng, 256), blank(256), 256), (1,), lambda a, b, n: [a + 1]),
    Case("matmul", matmul, (3, 4),
         lambda rng: (fresh(rng, (100, 70), "float16"), fresh(rng, (70, 90), "float16"), blank((100, 90), "float16"),
                      32, 32, 32), (2,),
         lambda a, b, c, *_: [a.astype(np.float32) @ b.astype(np.float32)], terms=70, scale=4.0),
    Case("gemv", gemv, (5,),
         lambda rng: (fresh(rng, 300, "float16"), fresh(rng, (70, 300), "float16"), blank(70, "float16"), 16, 64), (2,),
         lambda a, b, c, *_: [b.astype(np.float32) @ a.astype(np.float32)], terms=300, scale=4.0),
    Case("running softmax", running_softmax, (3,),
         lambda rng: (fresh(rng, (40, 75), low=-6, high=6), fresh(rng, (75, 16)), blank((40, 16)),
                      math.log2(math.e), 16, 32, 16), (2,), attended, terms=75, scale=2.0),
    Case("conditional", conditional, (5,), lambda rng: (fresh(rng, 300), fresh(rng, 300), blank(300), 64), (2,),
         lambda a, b, c, block: [np.where(a > 0, a + b, a - b)]),
    Case("conditional by lane", conditional_by_lane, (5,),
         lambda rng: (fresh(rng, 300), fresh(rng, 300), np.zeros(300, np.float32), 290, 64), (2,),
         lambda a, b, c, n, block: [np.where(np.arange(300) < n, np.where(a > 0, a + b, a - b), 0)]),
    Case("atomic reduction", atomic_reduction, (3, 4),
         lambda rng: (fresh(rng, (42, 100)), np.zeros(42, np.float32), 16, 32), (1,),
         lambda a, c, *_: [a.sum(1)], terms=100, scale=2.0),
]
