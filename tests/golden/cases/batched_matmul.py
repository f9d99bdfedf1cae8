"""One product per matrix of a stack, with the operator."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("a: f16[?,64,64], b: f16[?,64,64], c: f32[?,64,64]")
def batched_matmul(a, b, c):
    i = ct.bid(0)
    x = ct.load(a, (i, 0, 0), (1, 64, 64))
    y = ct.load(b, (i, 0, 0), (1, 64, 64))
    ct.store(c, (i, 0, 0), ct.mma(x, y, ct.zeros((1, 64, 64), ct.float32)))
