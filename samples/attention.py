"""Attention, forward: softmax(Q K^T) V in one pass over K and V, never storing the scores."""

import math

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("q: f16[?,?,?], k: f16[?,?,?], v: f16[?,?,?], out: f16[?,?,?], scale: f32, TM=64, TN=64, D=64")
def attention(q, k, v, out, scale, TM: ct.Constant[int], TN: ct.Constant[int], D: ct.Constant[int]):
    head, i = ct.bid(0), ct.bid(1)
    keys = k.shape[1]
    q_tile = ct.load(q, (head, i, 0), (1, TM, D), padding_mode=ct.PaddingMode.ZERO).reshape((TM, D))

    # Largest score so far, sum of exp(score - largest), and the weighted sum of V.
    top = ct.full((TM, 1), -math.inf, ct.float32)
    total = ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    for j in range(ct.num_tiles(k, 1, (1, TN, D))):
        k_tile = ct.load(k, (head, j, 0), (1, TN, D), padding_mode=ct.PaddingMode.ZERO).reshape((TN, D))
        v_tile = ct.load(v, (head, j, 0), (1, TN, D), padding_mode=ct.PaddingMode.ZERO).reshape((TN, D))
        scores = ct.mma(q_tile, ct.transpose(k_tile), ct.zeros((TM, TN), ct.float32)) * scale

        # Keys past the end of the sequence get no weight.
        inside = j * TN + ct.arange(TN, dtype=ct.int32) < keys
        scores = ct.where(inside, scores, -math.inf)

        # A larger score than before shrinks what was summed so far.
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights = ct.exp(scores - new_top)
        shrink = ct.exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        acc = ct.mma(weights.astype(v.dtype), v_tile, acc * shrink)
        top = new_top
    ct.store(out, (head, i, 0), (acc / total).astype(out.dtype).reshape((1, TM, D)))


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    heads, queries, keys, width = 3, 100, 150, 64
    q = xp.random.randn(heads, queries, width).astype("float16")
    k, v = (xp.random.randn(heads, keys, width).astype("float16") for _ in range(2))
    out = xp.empty_like(q)
    scale = 1 / math.sqrt(width)
    attention[(heads, ct.cdiv(queries, 64))](q, k, v, out, scale, 64, 64, width)

    scores = q.astype("float32") @ k.astype("float32").transpose(0, 2, 1) * scale
    weights = xp.exp(scores - scores.max(2, keepdims=True))
    expected = weights / weights.sum(2, keepdims=True) @ v.astype("float32")
    error = float(xp.abs(out - expected).max())
    assert error < 5e-3, f"attention: off by {error}"
    print(f"attention: {heads} heads, {queries} queries, {keys} keys on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
