"""Matrix product in half precision, with blocks ordered so that neighbours share their inputs."""

import numpy as np

import tile2cpp
import tile2cpp.lang as ct


def swizzle(block, rows, columns, group):
    """Walk `group` tile rows together, so the tiles of B are read while they are in the cache."""
    blocks_in_group = group * columns
    first_row = block // blocks_in_group * group
    # The last group may be lower than the others.
    height = min(rows - first_row, group)
    return first_row + block % height, block % blocks_in_group // height


@tile2cpp.jit("A: f16[?,?], B: f16[?,?], C: f16[?,?], TM=64, TN=64, TK=32")
def matmul(A, B, C, TM: ct.Constant[int], TN: ct.Constant[int], TK: ct.Constant[int]):
    rows = ct.cdiv(A.shape[0], TM)
    columns = ct.cdiv(B.shape[1], TN)
    i, j = swizzle(ct.bid(0), rows, columns, 8)

    # Half precision products are summed in single precision.
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


def array_module():
    """CuPy where there is a GPU, NumPy elsewhere."""
    try:
        import cupy

        return cupy if cupy.cuda.runtime.getDeviceCount() else np
    except Exception:  # CuPy is missing, or finds no driver
        return np


def main():
    xp = array_module()
    m, n, k = 300, 200, 150
    a = xp.random.randn(m, k).astype("float16")
    b = xp.random.randn(k, n).astype("float16")
    c = xp.empty((m, n), dtype="float16")
    matmul[(ct.cdiv(m, 64) * ct.cdiv(n, 64),)](a, b, c, 64, 64, 32)
    expected = a.astype("float32") @ b.astype("float32")
    error = float((xp.abs(c - expected) / (1 + xp.abs(expected))).max())
    assert error < 2e-3, f"matmul: off by {error}"
    print(f"matmul: {m}x{n}x{k} on {xp.__name__}, largest relative error {error:.1e}")


if __name__ == "__main__":
    main()
