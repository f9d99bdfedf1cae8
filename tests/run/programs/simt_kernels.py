"""Hand-tiled thread kernels, as tile kernels: two float32 products and a transpose."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct

BM, BN, BK = 32, 32, 16


@ct.kernel
def tiled_product(A, B, C):
    # Staging in shared memory, and waiting for it, is what a tile load means.
    by, bx = ct.bid(1), ct.bid(0)
    total = ct.zeros((BM, BN), ct.float32)
    for t in range(ct.cdiv(A.shape[1], BK)):
        a = ct.load(A, (by, t), (BM, BK), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, (t, bx), (BK, BN), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(a, b, total)
    ct.store(C, (by, bx), total)


@ct.kernel
def register_tiled_product(A, B, C, M, N, K):
    # 64x64 of C per block; 4x4 per thread is the translator's business.
    by, bx = ct.bid(1), ct.bid(0)
    acc = ct.zeros((64, 64), ct.float32)
    rows = by * 64 + ct.arange(64, dtype=ct.int32)
    columns = bx * 64 + ct.arange(64, dtype=ct.int32)
    for kt in range(0, K, 16):
        k = kt + ct.arange(16, dtype=ct.int32)
        a = ct.gather(A, (rows[:, None], k[None, :]), mask=(rows[:, None] < M) & (k[None, :] < K))
        b = ct.gather(B, (k[:, None], columns[None, :]), mask=(k[:, None] < K) & (columns[None, :] < N))
        acc = ct.mma(a, b, acc)
    ct.scatter(C, (rows[:, None], columns[None, :]), acc)


@ct.kernel
def transpose(src, dst, TILE: ct.Constant[int]):
    bx, by = ct.bid(0), ct.bid(1)
    tile = ct.load(src, (by, bx), (TILE, TILE))
    ct.store(dst, (bx, by), ct.transpose(tile))


def product(name, kernel, m, n, k, size, *, extents=False):
    return Case(
        f"{name} {m}x{n}x{k}", kernel, (ct.cdiv(n, size), ct.cdiv(m, size)),
        lambda rng: (fresh(rng, (m, k)), fresh(rng, (k, n)), blank((m, n)), *((m, n, k) if extents else ())), (2,),
        lambda a, b, c, *_: [a.astype(np.float64) @ b], terms=k, scale=4.0,
    )


CASES = [
    product("tiled", tiled_product, 64, 64, 64, 32),
    product("tiled", tiled_product, 45, 70, 100, 32),
    product("tiled", tiled_product, 1, 33, 17, 32),
    product("register tiled", register_tiled_product, 128, 64, 48, 64, extents=True),
    product("register tiled", register_tiled_product, 100, 130, 41, 64, extents=True),
    *(Case(f"transpose {rows}x{columns}", transpose, (ct.cdiv(columns, 32), ct.cdiv(rows, 32)),
           lambda rng, shape=(rows, columns): (fresh(rng, shape), blank(shape[::-1]), 32), (1,),
           lambda src, dst, tile: [src.T]) for rows, columns in ((64, 96), (100, 37))),
]
