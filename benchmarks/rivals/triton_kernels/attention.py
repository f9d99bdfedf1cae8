"""Attention in Triton, in the manner of its tutorial: one loop over whole tiles of keys, one over those on the diagonal."""

import triton
import triton.language as tl


@triton.jit
def part(acc, total, top, q, k_ptr, v_ptr, first, last, keys, rows, scale, D: tl.constexpr, TN: tl.constexpr, MASKED: tl.constexpr, CAUSAL: tl.constexpr):
    lanes, width = tl.arange(0, TN), tl.arange(0, D)
    for start in tl.range(first, last, TN):
        columns = start + lanes
        k_at = k_ptr + columns[None, :] * D + width[:, None]
        k = tl.load(k_at, mask=columns[None, :] < keys, other=0.0) if MASKED else tl.load(k_at)
        scores = tl.dot(q, k) * scale
        if MASKED:
            live = columns[None, :] < keys
            if CAUSAL:
                live = live & (columns[None, :] <= rows[:, None])
            scores = tl.where(live, scores, -1.0e30)
        new_top = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp2(scores - new_top[:, None])
        shrink = tl.exp2(top - new_top)
        total = total * shrink + tl.sum(weights, 1)
        v_at = v_ptr + columns[:, None] * D + width[None, :]
        v = tl.load(v_at, mask=columns[:, None] < keys, other=0.0) if MASKED else tl.load(v_at)
        acc = tl.dot(weights.to(v.dtype), v, acc * shrink[:, None])
        top = new_top
    return acc, total, top


@triton.jit
def attention(
    q_ptr, k_ptr, v_ptr, out_ptr, queries, keys, scale,
    HEADS: tl.constexpr, GROUP: tl.constexpr, D: tl.constexpr, TM: tl.constexpr, TN: tl.constexpr, CAUSAL: tl.constexpr,
):  # fmt: skip
    """Contiguous arrays (batch, heads, length, D)."""
    i, pair = tl.program_id(0), tl.program_id(1).to(tl.int64)
    shared = pair // HEADS * (HEADS // GROUP) + pair % HEADS // GROUP
    rows, width = i * TM + tl.arange(0, TM), tl.arange(0, D)
    place = pair * queries * D + rows[:, None] * D + width[None, :]
    q = tl.load(q_ptr + place, mask=rows[:, None] < queries, other=0.0)
    top = tl.full((TM,), -1.0e30, tl.float32)
    total = tl.zeros((TM,), tl.float32)
    acc = tl.zeros((TM, D), tl.float32)
    k_ptr += shared * keys * D
    v_ptr += shared * keys * D
    scale = scale * 1.4426950408889634
    whole, end = keys // TN * TN, keys
    if CAUSAL:
        whole, end = min(whole, i * TM // TN * TN), min(keys, (i + 1) * TM)
    acc, total, top = part(acc, total, top, q, k_ptr, v_ptr, 0, whole, keys, rows, scale, D, TN, False, CAUSAL)
    # The second loop is empty where every tile is whole.
    acc, total, top = part(acc, total, top, q, k_ptr, v_ptr, whole, end, keys, rows, scale, D, TN, True, CAUSAL)
    tl.store(out_ptr + place, (acc / total[:, None]).to(out_ptr.dtype.element_ty), mask=rows[:, None] < queries)
