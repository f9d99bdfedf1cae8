"""Softmax and its losses over rows that no tile holds."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ConstBool, ConstFloat, ConstInt, columns_of, exp, np_softmax, wide

import tile2cpp.lang as ct

IGNORED = -100


def running(x, row, COLUMNS: ConstInt, TILE: ConstInt):
    """Largest value of a row, and the sum of exponentials below it, in one pass."""
    top = ct.full((TILE,), -1.0e30, ct.float32)
    total = ct.zeros((TILE,), ct.float32)
    for j in range(ct.cdiv(COLUMNS, TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF, latency=4).reshape((TILE,)).astype(ct.float32)
        new = ct.maximum(top, t)
        total = total * exp(top - new) + exp(t - new)
        top = new
    highest = ct.max(top)
    return highest, ct.sum(total * exp(top - highest))


@ct.kernel(occupancy=ct.ByTarget(default=2, sm_90=4))
def softmax_two_pass(x, y, COLUMNS: ConstInt, TILE: ConstInt):
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        top, total = running(x, row, COLUMNS, TILE)
        for j in range(ct.cdiv(COLUMNS, TILE)):
            t = ct.load(x, (row, j), (1, TILE)).astype(ct.float32)
            ct.store(y, (row, j), (exp(t - top) / total).astype(y.dtype))


@ct.kernel
def cross_entropy(logits, targets, loss, COLUMNS: ConstInt, TILE: ConstInt, smoothing: ConstFloat, BACKWARD: ConstBool):
    """Loss of a row; the gradient takes the place of the logits."""
    row = ct.bid(0)
    target = ct.load(targets, row, shape=())
    if target == IGNORED:
        ct.store(loss, (row,), 0.0)
        if BACKWARD:
            for j in range(ct.cdiv(COLUMNS, TILE)):
                ct.store(logits, (row, j), ct.zeros((1, TILE), logits.dtype))
        return
    top, total = running(logits, row, COLUMNS, TILE)
    lse = ct.log(total) + top
    value = (1.0 - smoothing) * (lse - ct.gather(logits, (row, target)).astype(ct.float32))
    if smoothing > 0.0:
        mean = 0.0
        for j in range(ct.cdiv(COLUMNS, TILE)):
            mean += ct.sum(ct.gather(logits, (row, columns_of(j, TILE))).astype(ct.float32))
        value += smoothing * (lse - mean / COLUMNS)
    ct.store(loss, (row,), value)
    if BACKWARD:
        for j in range(ct.cdiv(COLUMNS, TILE)):
            columns = columns_of(j, TILE)
            p = exp(ct.gather(logits, (row, columns)).astype(ct.float32) - lse)
            wanted = ct.where(columns == target, 1.0 - smoothing, 0.0) + smoothing / COLUMNS
            ct.scatter(logits, (row, columns), (p - wanted).astype(logits.dtype))


@ct.kernel
def softmax_backward(y, dy, dx, COLUMNS: ConstInt, TILE: ConstInt):
    row = ct.bid(0)
    shared = ct.zeros((1, 1), ct.float32)
    for j in range(ct.cdiv(COLUMNS, TILE)):
        part = ct.load(y, (row, j), (1, TILE), padding_mode=ct.PaddingMode.ZERO) * ct.load(dy, (row, j), (1, TILE), padding_mode=ct.PaddingMode.ZERO)
        shared += ct.sum(part, axis=-1, keepdims=True)
    for j in range(ct.cdiv(COLUMNS, TILE)):
        ct.store(dx, (row, j), ct.load(y, (row, j), (1, TILE)) * (ct.load(dy, (row, j), (1, TILE)) - shared))


@ct.kernel
def kl_divergence(p, log_q, out, n: int, TILE: ConstInt):
    """The sum over all elements, by one atomic addition of each block."""
    total = 0.0
    for j in range(ct.bid(0), ct.cdiv(n, TILE), ct.num_blocks(0)):
        at = columns_of(j, TILE)
        a, b = ct.gather(p, at), ct.gather(log_q, at)
        total += ct.sum(ct.where((at < n) & (a > 0.0), a * (ct.log(ct.where(a > 0.0, a, 1.0)) - b), 0.0))
    ct.atomic_add(out, 0, total)


# --- the same in NumPy ---


def losses(logits, targets, loss, columns, tile, smoothing, backward):
    p = np_softmax(logits)
    live = targets != IGNORED
    wanted = np.zeros(logits.shape)
    wanted[live, targets[live]] = 1 - smoothing
    wanted[live] += smoothing / columns
    value = np.where(live, -(wanted * np.log(p)).sum(1), 0)
    return [np.where(live[:, None], p - wanted, 0), value] if backward else [value]


def softmax_gradient(y, dy, *_):
    return [wide(y) * (dy - (wide(y) * dy).sum(1, keepdims=True))]


def divergence(p, log_q, out, n, tile):
    safe = np.where(p > 0, p, 1)
    return [np.array([np.where(p > 0, p * (np.log(wide(safe)) - log_q), 0).sum()])]


def logits(rng, dtype="float32"):
    return fresh(rng, (6, 300), dtype, -8, 8), np.array([3, 299, IGNORED, 0, 128, IGNORED], np.int64), blank(6)


CASES = [
    Case("softmax, two passes", softmax_two_pass, (2,), lambda rng: (fresh(rng, (5, 300), "float16", -9, 9), blank((5, 300), "float16"), 300, 128), (1,),
         lambda x, *_: [np_softmax(x)], terms=8),
    Case("softmax, backward", softmax_backward, (5,),
         lambda rng: (np_softmax(fresh(rng, (5, 300))).astype("float32"), fresh(rng, (5, 300)), blank((5, 300)), 300, 128), (2,), softmax_gradient, terms=300),
    Case("cross-entropy", cross_entropy, (6,), lambda rng: (*logits(rng), 300, 128, 0.0, False), (2,), losses, terms=300),
    Case("cross-entropy, backward", cross_entropy, (6,), lambda rng: (*logits(rng, "float16"), 300, 128, 0.0, True), (0, 2), losses, terms=300),
    Case("cross-entropy, smoothed", cross_entropy, (6,), lambda rng: (*logits(rng), 300, 64, 0.1, True), (0, 2), losses, terms=300, scale=4),
    Case("divergence", kl_divergence, (3,), lambda rng: (np.maximum(fresh(rng, 900), 0), fresh(rng, 900), np.zeros(1, "float32"), 900, 128), (2,),
         divergence, terms=900, scale=2),
]  # fmt: skip
