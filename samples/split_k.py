"""A product whose K is split among blocks, which add their parts in turn behind a lock."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct
from tile2cpp.lang import MemoryOrder


@tile2cpp.jit("A: f16[?,?], B: f16[?,?], C: f32[?,?], locks: i32[?], counts: i32[?], TM=32, TN=32, TK=32, SPLITS=4")
def split_k(
    A, B, C, locks, counts,
    TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int], SPLITS: ct.Constant[int],
):  # fmt: skip
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    steps = ct.cdiv(A.shape[1], TK * SPLITS)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(part * steps, (part + 1) * steps):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    # One block at a time holds the lock of this tile; the first writes, the others add.
    tile = i * ct.cdiv(C.shape[1], TN) + j
    while ct.atomic_cas(locks, tile, 0, 1, memory_order=MemoryOrder.ACQUIRE) == 1:
        pass
    count = ct.gather(counts, tile)
    if count > 0:
        acc += ct.load(C, (i, j), (TM, TN))
    ct.store(C, (i, j), acc)
    ct.scatter(counts, tile, (count + 1) % SPLITS)
    ct.atomic_xchg(locks, tile, 0, memory_order=MemoryOrder.RELEASE)


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    a, b = xp.random.randn(90, 1000).astype("float16"), xp.random.randn(1000, 70).astype("float16")
    c = xp.empty((90, 70), dtype="float32")
    rows, columns = ct.cdiv(90, 32), ct.cdiv(70, 32)
    locks, counts = xp.zeros(rows * columns, dtype="int32"), xp.zeros(rows * columns, dtype="int32")
    split_k[(rows, columns, 4)](a, b, c, locks, counts, 32, 32, 32, 4)
    error = float(xp.abs(c - a.astype("float64") @ b.astype("float64")).max())
    assert error < 1e-2, f"split_k: off by {error}"
    print(f"split_k: {c.shape[0]}x{c.shape[1]}, K {a.shape[1]} in 4 parts, on {xp.__name__}, largest error {error:.1e}")


if __name__ == "__main__":
    main()
