"""Online softmax between two products: the core of attention."""

import math

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("q: f16[?,64], k: f16[?,64], v: f16[?,64], out: f16[?,64], scale: f32, TM=64, TN=64")
def attention(q, k, v, out, scale, TM: ct.Constant[int], TN: ct.Constant[int]):
    i = ct.bid(0)
    q_tile = ct.load(q, (i, 0), (TM, 64), padding_mode=ct.PaddingMode.ZERO)
    top = ct.full((TM, 1), -math.inf, ct.float32)
    total = ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, 64), ct.float32)
    for j in range(ct.num_tiles(k, 0, (TN, 64))):
        k_tile = ct.load(k, (j, 0), (TN, 64), padding_mode=ct.PaddingMode.ZERO)
        scores = ct.mma(q_tile, ct.transpose(k_tile), ct.zeros((TM, TN), ct.float32)) * scale
        # Keys past the end get no weight.
        scores = ct.where(j * TN + ct.arange(TN, dtype=ct.int32) < k.shape[0], scores, -math.inf)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights = ct.exp(scores - new_top)
        shrink = ct.exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        v_tile = ct.load(v, (j, 0), (TN, 64), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(weights.astype(v.dtype), v_tile, acc * shrink)
        top = new_top
    ct.store(out, (i, 0), (acc / total).astype(out.dtype))
