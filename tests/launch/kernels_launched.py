"""Kernels for the tests of launches."""

import tile2cpp
import tile2cpp.lang as ct

FACTOR = 3


@tile2cpp.jit("T=16, x: f32[?], s: f32, y: f32[?]")
def scaled(T: ct.Constant[int], x, s, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (T,)) * s)


@ct.kernel
def times_factor(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)) * FACTOR)


@ct.kernel(occupancy=ct.ByTarget(default=2, sm_90=4))
def by_constant(y, value: "ct.Constant"):
    ct.store(y, (ct.bid(0),), ct.full((8,), value, ct.float32))


@ct.kernel
def wide_rows(x, y, N: ct.Constant[int]):
    t = ct.load(x, (0, 0), (1, N))
    ct.store(y, (0, 0), t - ct.max(t, 1, keepdims=True))


@ct.kernel
def write(x, y):
    ct.store(y, (0,), ct.load(x, (0,), (16,)) + 1)


@ct.kernel
def stat(x, y):
    ct.store(y, (0,), ct.load(x, (0,), (16,)) + 1)


@ct.kernel
def generator(x):
    yield ct.bid(0)


@ct.kernel
async def coroutine(x):
    ct.store(x, (0,), 1.0)


@ct.kernel
def product(x, y, z, T: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.zeros((T, T), ct.float32)
    for k in range(ct.num_tiles(x, 1, (T, T))):
        total = ct.mma(ct.load(x, (i, k), (T, T)), ct.load(y, (k, j), (T, T)), total)
    ct.store(z, (i, j), total.astype(z.dtype))
