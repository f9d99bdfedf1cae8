"""Small kernels for tests of launching: empty grids, threads, streams, wrong arguments."""

import tile2cpp.lang as ct

FACTOR = 2


@ct.kernel
def add_scalar(x, out, n):
    b = ct.bid(0)
    ct.store(out, (b,), ct.load(x, (b,), (4,)) + n)


@ct.kernel
def times_own_size(x, out, n: ct.Constant[int]):
    b = ct.bid(0)
    ct.store(out, (b,), ct.load(x, (b,), (n,)) * n)


@ct.kernel
def plus_one(x, out):
    b = ct.bid(0)
    ct.store(out, (b,), ct.load(x, (b,), (16,)) + 1)


@ct.kernel
def times_global(x, out):
    ct.store(out, (0,), ct.load(x, (0,), (8,)) * FACTOR)
