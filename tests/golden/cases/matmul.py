"""Matrix product in half precision, summed in single precision."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("A: f16[?,?], B: f16[?,?], C: f16[?,?], TM=128, TN=128, TK=64")
def matmul(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        # The last tiles along K are padded with 0, which adds nothing.
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))
