"""Attention, forward, in one pass over the keys; and for one query per head, with the keys split among blocks."""

import math

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]
ZERO = ct.PaddingMode.ZERO
PER_LOG_2 = 1.0 / math.log(2)


@ct.kernel
def attention(q, k, v, out, scale: float, HEADS: ConstInt, GROUP: ConstInt, TM: ConstInt, TN: ConstInt, D: ConstInt, CAUSAL: ConstBool):
    """Arrays are (batch, heads, length, D); GROUP query heads share a head of keys and values.

    The grid has blocks of queries along axis 0 and heads along axis 1. Causal attention takes some heads together, along axis 0, from their last blocks
    of queries, which see the most keys, to the first, along axis 1: so what begins last is short. Axis 2 has the groups of heads.
    """
    i, pair = ct.bid(0), ct.bid(1)
    if CAUSAL:
        i, pair = ct.num_blocks(1) - 1 - ct.bid(1), ct.bid(2) * ct.num_blocks(0) + ct.bid(0)
    batch, head = pair // HEADS, pair % HEADS
    q_tile = ct.load(q, (batch, head, i, 0), (1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    keys = k.shape[2]
    scale = scale * PER_LOG_2

    # Largest score so far (times the scale, which is positive), sum of the weights, and the weighted sum of V.
    top = ct.full((TM, 1), -math.inf, ct.float32)
    total = ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)

    # Tiles before `whole` need no mask: their keys are there, and no query comes before them.
    steps, whole = ct.cdiv(keys, TN), keys // TN
    if CAUSAL:
        steps, whole = min(steps, ct.cdiv((i + 1) * TM, TN)), min(whole, i * TM // TN)
    rows = i * TM + ct.arange(TM, dtype=ct.int32)[:, None]
    for j in range(steps):
        k_tile = ct.load(k, (batch, head // GROUP, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(q_tile, ct.transpose(k_tile), ct.zeros((TM, TN), ct.float32))
        if j >= whole:
            columns = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
            live = columns < keys
            if CAUSAL:
                live = live & (columns <= rows)
            scores = ct.where(live, scores, -math.inf)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True) * scale)
        weights = ct.exp2(scores * scale - new_top, flush_to_zero=True)
        shrink = ct.exp2(top - new_top, flush_to_zero=True)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        v_tile = ct.load(v, (batch, head // GROUP, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(v.dtype), v_tile, acc * shrink)
        top = new_top
    ct.store(out, (batch, head, i, 0), (acc / total).astype(out.dtype).reshape((1, 1, TM, D)))


@ct.kernel
def decode(q, k, v, part_out, part_log, scale: float, KV_HEADS: ConstInt, GROUP: ConstInt, ROWS: ConstInt, TN: ConstInt, D: ConstInt, SPAN: ConstInt):
    """One part of the keys, SPAN of them, for the GROUP query heads that share them; ROWS is GROUP or more."""
    pair, part = ct.bid(0), ct.bid(1)
    batch, head = pair // KV_HEADS, pair % KV_HEADS
    q_tile = ct.load(q, (batch, head, 0, 0), (1, 1, ROWS, D), padding_mode=ZERO).reshape((ROWS, D))
    keys = k.shape[2]
    scale = scale * PER_LOG_2
    top = ct.full((ROWS, 1), -1.0e30, ct.float32)
    total = ct.zeros((ROWS, 1), ct.float32)
    acc = ct.zeros((ROWS, D), ct.float32)
    first = part * SPAN // TN
    for j in range(first, min(first + SPAN // TN, ct.cdiv(keys, TN))):
        k_tile = ct.load(k, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(q_tile, ct.transpose(k_tile), ct.zeros((ROWS, TN), ct.float32))
        columns = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
        scores = ct.where(columns < keys, scores, -math.inf)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True) * scale)
        weights = ct.exp2(scores * scale - new_top, flush_to_zero=True)
        shrink = ct.exp2(top - new_top, flush_to_zero=True)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        v_tile = ct.load(v, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(v.dtype), v_tile, acc * shrink)
        top = new_top
    ct.grid_dependency_control_launch_dependents()
    # A part without keys has weight 0 in the sum of the parts.
    safe = ct.where(total > 0.0, total, 1.0)
    ct.store(part_out, (pair, part, 0, 0), (acc / safe).reshape((1, 1, ROWS, D)))
    ct.store(part_log, (pair, part, 0), (top + ct.log2(safe)).reshape((1, 1, ROWS)))


@ct.kernel
def join_parts(part_out, part_log, out, GROUP: ConstInt, PARTS: ConstInt, D: ConstInt):
    """The attention of one query head from that of its parts."""
    pair, head = ct.bid(0), ct.bid(1)
    ct.grid_dependency_control_wait()  # for all parts
    logs = ct.load(part_log, (pair, 0, head), (1, PARTS, 1), padding_mode=ct.PaddingMode.NEG_INF).reshape((PARTS, 1))
    weights = ct.exp2(logs - ct.max(logs))
    parts = ct.load(part_out, (pair, 0, head, 0), (1, PARTS, 1, D), padding_mode=ZERO).reshape((PARTS, D))
    joined = ct.sum(parts * weights, 0) / ct.sum(weights)
    ct.store(out, (pair * GROUP + head, 0), joined.astype(out.dtype).reshape((1, D)))
