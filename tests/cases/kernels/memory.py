"""Public faults in memory access: edges, dead lanes, sub-tiles, strides, turned operands."""

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


@ct.kernel
def right_edge(x, out):
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (4, 8), padding_mode=ct.PaddingMode.ZERO)
    # What crosses the edge must not reach the next row.
    ct.store(out, (i, j), t + ct.sum(t))


@ct.kernel
def wild_indices(x, index, out, target):
    i = ct.load(index, (0,), (8,))
    live = (i & 1) == 0
    v = ct.gather(x, i, mask=live, padding_value=-1.0)
    ct.store(out, (0,), v)
    ct.scatter(target, i, v + 1.0, mask=live)


@ct.kernel
def sub_tiles(x, out):
    t = ct.load(x, (0, 0), (4, 16))
    ct.store(out, (0, 0), ct.extract(t, (1, 3), shape=(2, 4)))
    for j in range(4):
        ct.store(out, (1, j), ct.extract(t, (0, j), shape=(2, 4)) * 10)


@ct.kernel
def four_layouts(a, b, c, d, out):
    i = ct.bid(0)
    total = ct.load(a, (i, 0), (2, 8)) + ct.load(b, (i, 0), (2, 8))
    total = total + ct.load(c, (i, 0), (2, 8)) * 100 + ct.load(d, (0, 0), (1, 8))
    ct.store(out, (i, 0), total)


@ct.kernel
def one_layout(x, out):
    ct.store(out, (ct.bid(0),), ct.load(x, (ct.bid(0),), (8,)))


@ct.kernel
def turned_operand(a, b, product, again):
    x = ct.load(a, (0, 0), (16, 32)).astype(ct.float16)
    y = ct.load(b, (0, 0), (16, 32)).astype(ct.float16)
    ones = ct.full((16, 16), 1.0, dtype=ct.float32)
    ct.store(product, (0, 0), ct.mma(x, ct.transpose(y), ones))
    z = ct.load(b, (0, 0), (32, 16), order=(1, 0)).astype(ct.float16)
    ct.store(again, (0, 0), ct.mma(x, z, ones) - ones)


def edge_sums(x, out):
    want = np.empty_like(x)
    for i in range(0, x.shape[0], 4):
        for j in range(0, x.shape[1], 8):
            block = x[i : i + 4, j : j + 8]
            want[i : i + 4, j : j + 8] = block + block.sum()
    return [want]


def live_lanes(x, index, out, target):
    ok = (index % 2 == 0) & (index >= 0) & (index < 8)
    read = np.where(ok, x[np.where(ok, index, 0)], np.float32(-1))
    written = target.copy()
    written[index[ok]] = read[ok] + 1
    return [read, written]


def extracted(x, out):
    want = np.concatenate([np.full((2, 16), 77), x[:2] * 10]).astype(np.int32)
    want[:2, :4] = x[2:, 12:]
    return [want]


def strided(rng):
    base = rng.integers(-99, 99, 128).astype(np.int32)
    return (
        base[:32].reshape(8, 4).T,  # turned
        base.reshape(8, 16)[::2, ::2],  # every second row and column
        np.broadcast_to(base[:8], (4, 8)),  # stride 0
        np.lib.stride_tricks.as_strided(base[3:], (1, 8), (4000, 8)),  # an odd stride where it does not matter
        blank((4, 8), "int32"),
    )


WILD = np.array([0, 1999999999, 2, -2000000001, 4, 3, 8, -2], np.int32)


def small(rng, *shape):
    return rng.integers(-4, 5, shape).astype(np.float32)


CASES = [
    Case("tiles across the right edge", right_edge, (2, 2),
         lambda rng: (rng.integers(-50, 50, (7, 10)).astype(np.int32), blank((7, 10), "int32")), (1,), edge_sums),
    Case("wild indices in dead lanes", wild_indices, (1,),
         lambda rng: (np.arange(8, dtype=np.float32) + 10, WILD, blank(8), np.zeros(8, np.float32)), (2, 3),
         live_lanes),
    Case("sub-tiles by their number", sub_tiles, (1,),
         lambda rng: (rng.permutation(64).reshape(4, 16).astype(np.int32), blank((4, 16), "int32")), (1,), extracted),
    Case("four layouts", four_layouts, (2,), strided, (4,), lambda a, b, c, d, out: [a + b + c * 100 + d]),
    Case("unaligned", one_layout, (3,), lambda rng: (np.arange(25, dtype=np.int32)[1:], blank(24, "int32")), (1,),
         lambda x, out: [x]),
    Case("turned operands of a product", turned_operand, (1,),
         lambda rng: (small(rng, 16, 32), small(rng, 16, 32), blank((16, 16)), blank((16, 16))), (2, 3),
         lambda a, b, *_: [a @ b.T + 1, a @ b.T]),
]
