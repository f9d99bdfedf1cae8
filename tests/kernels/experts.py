"""Mixture of experts: routing, alignment of tokens to blocks, and the product over gathered rows."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ConstBool, ConstInt, columns_of, divide, exp, np_softmax, wide

import tile2cpp.lang as ct


@ct.kernel
def route(logits, weights, ids, EXPERTS: ConstInt, TILE: ConstInt, TOP: ConstInt, NORMALISE: ConstBool):
    """Softmax over the experts of a token, then its TOP largest."""
    token = ct.bid(0)
    lanes = ct.arange(TILE, dtype=ct.int32)
    x = ct.gather(logits, (token, lanes), mask=lanes < EXPERTS, padding_value=-float("inf")).astype(ct.float32)
    e = exp(x - ct.max(x))
    p = divide(e, ct.sum(e))
    total = 0.0
    for k in range(TOP):
        best = ct.argmax(p)
        value = ct.max(p)
        ct.scatter(ids, (token, k), best)
        ct.scatter(weights, (token, k), value)
        total += value
        p = ct.where(lanes == best, -1.0, p)
    if NORMALISE:
        mine = ct.arange(4, dtype=ct.int32)
        chosen = ct.gather(weights, (token, mine), mask=mine < TOP)
        ct.scatter(weights, (token, mine), chosen / total, mask=mine < TOP)


@ct.kernel
def align_tokens(ids, sorted_rows, block_experts, EXPERTS: ConstInt, CHUNK: ConstInt, BLOCK: ConstInt):
    """Sort the rows by expert; each expert's rows begin at a multiple of BLOCK."""
    experts = ct.arange(EXPERTS, dtype=ct.int32)
    rows = ids.shape[0]
    counts = ct.zeros((EXPERTS,), ct.int32)
    for c in range(ct.cdiv(rows, CHUNK)):
        mine = ct.gather(ids, columns_of(c, CHUNK), padding_value=-1)
        counts += ct.sum((mine[:, None] == experts[None, :]).astype(ct.int32), axis=0)
    padded = ct.cdiv(counts, BLOCK) * BLOCK
    ends = ct.cumsum(padded)
    begins = ends - padded
    seen = ct.zeros((EXPERTS,), ct.int32)
    for c in range(ct.cdiv(rows, CHUNK)):
        number = columns_of(c, CHUNK)
        mine = ct.gather(ids, number, padding_value=-1)
        belongs = (mine[:, None] == experts[None, :]).astype(ct.int32)
        rank = ct.cumsum(belongs, axis=0) - belongs + (seen + begins)[None, :]
        place = ct.sum(belongs * rank, axis=1)
        ct.scatter(sorted_rows, place, number, mask=number < rows)
        seen = seen + ct.sum(belongs, axis=0)
    for b in range(block_experts.shape[0]):
        owner = ct.sum((ends <= b * BLOCK).astype(ct.int32))
        ct.scatter(block_experts, b, owner)


@ct.kernel
def expert_product(A, W, C, weights, sorted_rows, block_experts, TOP: ConstInt, EXPERTS: ConstInt, TM: ConstInt, TN: ConstInt, TK: ConstInt, WEIGHTED: ConstBool):
    block, j = ct.bid(0), ct.bid(1)
    expert = ct.load(block_experts, (block,), ())
    if expert >= EXPERTS:
        return
    rows = ct.load(sorted_rows, (block,), (TM,))
    live = rows < A.shape[0] * TOP
    tokens = rows // TOP
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[1], TK)):
        a = ct.gather(A, (tokens[:, None], columns_of(k, TK)[None, :]), mask=live[:, None])
        w = ct.load(W, (expert, j, k), (1, TN, TK), padding_mode=ct.PaddingMode.ZERO).reshape((TN, TK))
        acc = ct.mma(a, w.permute((1, 0)), acc)
    if WEIGHTED:
        acc = acc * ct.gather(weights, rows, mask=live)[:, None]
    ct.scatter(C, (rows[:, None], columns_of(j, TN)[None, :]), acc.astype(C.dtype), mask=live[:, None])


# --- the same in NumPy ---


def routed(logits, weights, ids, experts, tile, top, normalise):
    p = np_softmax(logits)
    order = np.argsort(-p, axis=1, kind="stable")[:, :top]
    chosen = np.take_along_axis(p, order, 1)
    return [chosen / chosen.sum(1, keepdims=True) if normalise else chosen, order]


def aligned(ids, sorted_rows, block_experts, experts, chunk, block):
    rows, owners = np.full_like(sorted_rows, len(ids)), np.full_like(block_experts, experts)
    at = 0
    for e in range(experts):
        mine = np.flatnonzero(ids == e)
        rows[at : at + len(mine)] = mine
        blocks = -(-len(mine) // block)
        owners[at // block : at // block + blocks] = e
        at += blocks * block
    return [rows, owners]


def expert_products(A, W, C, weights, sorted_rows, block_experts, top, experts, tm, tn, tk, weighted):
    out = wide(C)
    for b, e in enumerate(block_experts):
        rows = sorted_rows[b * tm : (b + 1) * tm]
        rows = rows[rows < len(A) * top]
        if e < experts:
            out[rows] = wide(A)[rows // top] @ wide(W)[e].T * (weights[rows, None] if weighted else 1)
    return [out]


def routing(rng, tokens, experts, top, block):
    ids = rng.integers(0, experts, tokens * top).astype("int32")
    blocks = tokens * top // block + experts
    return aligned(ids, np.empty(blocks * block, "int32"), np.empty(blocks, "int32"), experts, 0, block)


def aligned_args(rng):
    ids = rng.integers(0, 7, 70).astype("int32")  # nobody asks the last expert
    return ids, np.full(16 * 12, 70, "int32"), blank(12, "int32"), 8, 32, 16


CASES = [
    Case("route", route, (9,), lambda rng: (fresh(rng, (9, 11)), blank((9, 3)), blank((9, 3), "int32"), 11, 16, 3, False), (1, 2), routed, scale=2),
    Case("route, normalised", route, (9,), lambda rng: (fresh(rng, (9, 8)), blank((9, 2)), blank((9, 2), "int32"), 8, 8, 2, True), (1, 2), routed, scale=2),
    Case("align", align_tokens, (1,), aligned_args, (1, 2), aligned),
    Case("product", expert_product, (12, 2),
         lambda rng: (fresh(rng, (60, 40), "float16"), fresh(rng, (5, 50, 40), "float16"), np.zeros((120, 50), "float16"), fresh(rng, 120),
                      *routing(rng, 60, 5, 2, 16), 2, 5, 16, 32, 16, False),
         (2,), expert_products, terms=40, scale=4),
    Case("product, weighted", expert_product, (9, 2),
         lambda rng: (fresh(rng, (33, 40), "float16"), fresh(rng, (5, 50, 40), "float16"), np.zeros((66, 50), "float32"), fresh(rng, 66),
                      *routing(rng, 33, 5, 2, 16), 2, 5, 16, 32, 16, True),
         (2,), expert_products, terms=40, scale=8),
]  # fmt: skip
