"""The grouped matrix product: sizes are module globals, helpers map one block number to a tile."""

import sys
from math import ceil

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
zero_pad = ct.PaddingMode.ZERO
GROUP_SIZE_M = 8
M, N = 256, 256  # set to the sizes of the product before each launch


def swizzle_2d_from_bid(M, N, tm, tn, GROUP_SIZE_M, bid):
    num_bid_m = ct.cdiv(M, tm)
    num_bid_n = ct.cdiv(N, tn)
    num_bid_in_group = GROUP_SIZE_M * num_bid_n
    group_id = bid // num_bid_in_group
    first_bid_m = group_id * GROUP_SIZE_M
    group_size_m = min(num_bid_m - first_bid_m, GROUP_SIZE_M)
    bid_m = first_bid_m + (bid % group_size_m)
    bid_n = (bid % num_bid_in_group) // group_size_m
    return bid_m, bid_n


def swizzle_2d(M, N, tm, tn, GROUP_SIZE_M):
    # One number per block, from 0 to the number of tiles.
    bid = ct.bid(0)
    return swizzle_2d_from_bid(M, N, tm, tn, GROUP_SIZE_M, bid)


@ct.kernel
def matmul_kernel(A, B, C, tm: ConstInt, tn: ConstInt, tk: ConstInt):
    bidx, bidy = swizzle_2d(M, N, tm, tn, GROUP_SIZE_M)

    num_tiles_k = ct.num_tiles(A, axis=1, shape=(tm, tk))

    accumulator = ct.full((tm, tn), 0, dtype=ct.float32)
    for k in range(num_tiles_k):
        a = ct.load(A, index=(bidx, k), shape=(tm, tk), padding_mode=zero_pad)
        b = ct.load(B, index=(k, bidy), shape=(tk, tn), padding_mode=zero_pad)
        accumulator = ct.mma(a, b, accumulator)

    accumulator = ct.astype(accumulator, C.dtype)
    ct.store(C, index=(bidx, bidy), tile=accumulator)


@ct.kernel
def first_listing(A, B, C, tm: ConstInt, tn: ConstInt, tk: ConstInt):
    # Without padding or conversion: whole tiles, and a result as wide as the accumulator.
    bidx, bidy = swizzle_2d(M, N, tm, tn, GROUP_SIZE_M)
    num_tiles_k = ct.num_tiles(A, axis=1, shape=(tm, tk))
    accumulator = ct.full((tm, tn), 0, dtype=ct.float32)
    for k in range(num_tiles_k):
        a = ct.load(A, index=(bidx, k), shape=(tm, tk))
        b = ct.load(B, index=(k, bidy), shape=(tk, tn))

        accumulator = ct.mma(a, b, accumulator)
    ct.store(C, index=(bidx, bidy), tile=accumulator)


@ct.kernel
def swizzle_kernel(order, rows, columns, group: ConstInt):
    i, j = swizzle_2d(rows, columns, 16, 32, group)
    ct.store(order, (i, j), ct.bid(0))


def tiles_for(dtype):
    if np.dtype(dtype).itemsize == 2:
        return 128, 256, 64
    return 32, 32, 32


def sizes(m, n):
    """Sets the globals that the kernel reads."""
    module = sys.modules[__name__]

    def apply():
        module.M, module.N = m, n

    return apply


def product(m, n, k, dtype, tiles=None, kernel=matmul_kernel, out=None):
    tm, tn, tk = tiles or tiles_for(dtype)
    out = out or dtype
    return Case(
        f"{m}x{n}x{k} {dtype} to {out} in {tm}x{tn}x{tk}", kernel, (ceil(m / tm) * ceil(n / tn), 1, 1),
        lambda rng: (fresh(rng, (m, k), dtype), fresh(rng, (k, n), dtype), blank((m, n), out), tm, tn, tk), (2,),
        lambda a, b, c, *_: [(a.astype(np.float64) @ b.astype(np.float64)).astype(out)],
        terms=k, scale=4.0, before=sizes(m, n),
    )


def swizzled(order, rows, columns, group):
    """The grouped order, written the slow way: down a group, then right, then the next group."""
    height, width = order.shape
    out = np.empty_like(order)
    number = 0
    for top in range(0, height, group):
        members = range(top, min(top + group, height))
        for j in range(width):
            start = number % len(members)
            for step in range(len(members)):
                out[members[(start + step) % len(members)], j] = number
                number += 1
    return [out]


def ordering(height, width, group):
    return Case(
        f"order {height}x{width} by {group}", swizzle_kernel, (height * width,),
        lambda rng: (blank((height, width), "int32"), height * 16 - 3, width * 32 - 5, group), (0,), swizzled,
    )


CASES = [
    product(256, 256, 128, "float16"),
    product(200, 300, 100, "float16"),
    product(128, 256, 64, "float16"),
    product(64, 96, 64, "float32"),
    product(70, 45, 37, "float32"),
    product(1, 1, 1, "float32"),
    product(600, 40, 20, "float32"),
    product(150, 150, 90, "float16", (32, 64, 16)),
    product(96, 64, 64, "float32", kernel=first_listing),
    product(256, 512, 128, "float16", kernel=first_listing, out="float32"),
    ordering(5, 7, 8),
    ordering(19, 3, 8),
    ordering(16, 4, 4),
    ordering(1, 9, 2),
]
