"""Matrix product whose blocks are ordered by a helper, so that neighbours share their inputs."""

import tile2cpp
import tile2cpp.lang as ct

GROUP = 8


def swizzle(block, rows, columns):
    # `GROUP` tile rows are walked together; the last group may be lower.
    in_group = GROUP * columns
    first = block // in_group * GROUP
    height = min(rows - first, GROUP)
    return first + block % height, block % in_group // height


@tile2cpp.jit("A: f16[?,?], B: f16[?,?], C: f32[?,?], TM=64, TN=64, TK=32")
def matmul_swizzle(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = swizzle(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN))
    acc = ct.full((TM, TN), 0, dtype=ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)
