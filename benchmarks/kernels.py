"""The kernels that are measured, written as a user would."""

import tile2cpp.lang as ct


@ct.kernel
def vector_add(x, y, total, TILE: ct.Constant[int]):
    block = ct.bid(0)
    ct.store(total, (block,), ct.load(x, (block,), (TILE,)) + ct.load(y, (block,), (TILE,)))


@ct.kernel
def row_softmax(x, y, TILE: ct.Constant[int]):
    row = ct.bid(0)
    t = ct.load(x, (row, 0), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF).astype(ct.float32)
    e = ct.exp(t - ct.max(t, 1, keepdims=True))
    ct.store(y, (row, 0), (e / ct.sum(e, 1, keepdims=True)).astype(y.dtype))
