"""Public faults in reductions: order of axes, width, NaN, identities, combiners."""

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


@ct.kernel
def any_order_of_axes(x, total, high, low):
    t = ct.load(x, (0, 0, 0), (2, 4, 8))
    ct.store(total, (0,), ct.sum(t, axis=(2, 0)))
    ct.store(high, (0, 0, 0), ct.max(t, axis=(1, 0), keepdims=True))
    ct.store(low, (0,), ct.min(t, axis=(-1, -3)))


@ct.kernel
def sixty_four_bits(signed, unsigned, out, unsigned_out):
    s = ct.load(signed, (0,), (128,))
    u = ct.load(unsigned, (0,), (128,))
    ct.store(out, (0,), ct.sum(s))
    ct.store(out, (1,), ct.max(s))
    ct.store(out, (2,), ct.min(s))
    ct.store(unsigned_out, (0,), ct.sum(u))
    ct.store(unsigned_out, (1,), ct.max(u))


@ct.kernel
def with_nans(x, y, highs, lows, higher, lower):
    a, b = ct.load(x, (0, 0), (4, 8)), ct.load(y, (0, 0), (4, 8))
    ct.store(highs, (0,), ct.max(a, axis=1))
    ct.store(lows, (0,), ct.min(a, axis=1))
    ct.store(higher, (0, 0), max(a, b))
    ct.store(lower, (0, 0), ct.minimum(a, b))


@ct.kernel
def identities(x, f, out, float_out):
    t, v = ct.load(x, (0,), (8,)), ct.load(f, (0,), (8,))
    ct.store(out, (0,), ct.max(t))
    ct.store(out, (1,), ct.min(-t))
    ct.store(out, (2,), ct.prod(t))
    ct.store(float_out, (0,), ct.max(v))
    ct.store(float_out, (1,), ct.min(-v))


@ct.kernel
def own_combiner(x, out):
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), ct.reduce(t, 0, lambda a, b: max(a, b), -2147483648))


def nans(rng):
    n = np.nan
    row = np.array([3, -2, 7, n, 0.5, n, -9, 1], np.float32)
    x = np.stack([np.roll(row, shift) for shift in range(4)])
    y = np.full((4, 8), 0.25, np.float32)
    y[2] = n
    return x, y, blank(4), blank(4), blank((4, 8)), blank((4, 8))


def wide(rng):
    signed = (np.arange(128, dtype=np.int64) - 40) * 3000000007
    unsigned = rng.permutation(np.arange(128, dtype=np.uint64)) + np.uint64(2**63)
    return rng.permutation(signed), unsigned, blank(3, "int64"), blank(2, "uint64")


NEGATIVE = np.array([-3, -1, -2, -5, -1, -1, -2, -1], np.int32)

CASES = [
    Case("axes in any order", any_order_of_axes, (1,),
         lambda rng: (rng.permutation(64).reshape(2, 4, 8).astype(np.int32) - 30, blank(4, "int32"),
                      blank((1, 1, 8), "int32"), blank(4, "int32")), (1, 2, 3),
         lambda x, *_: [x.sum((0, 2)), x.max((0, 1), keepdims=True), x.min((0, 2))]),
    Case("64-bit reductions", sixty_four_bits, (1,), wide, (2, 3),
         lambda s, u, *_: [np.array([s.sum(), s.max(), s.min()]), np.array([u.sum(), u.max()])]),
    Case("NaN loses against numbers", with_nans, (1,), nans, (2, 3, 4, 5),
         lambda x, y, *_: [np.nanmax(x, 1), np.nanmin(x, 1), np.fmax(x, y), np.fmin(x, y)]),
    Case("identities", identities, (1,),
         lambda rng: (NEGATIVE, NEGATIVE.astype(np.float32) * 1e30, blank(3, "int32"), blank(2)), (2, 3),
         lambda x, f, *_: [[-1, 1, x.prod()], [f.max(), (-f).min()]]),
    Case("own combiner", own_combiner, (1,), lambda rng: (NEGATIVE, blank(1, "int32")), (1,), lambda *_: [[-1]]),
]
