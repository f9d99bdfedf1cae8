"""Public faults of atomics: signs, bounds, and elements narrower or wider than 32 bits."""

import numpy as np
from case import Case

import tile2cpp.lang as ct


@ct.kernel
def signs_and_bounds(signed, unsigned, sums, bits):
    b = ct.bid(0)
    ct.atomic_max(signed, 0, -b - 1)
    ct.atomic_min(signed, 1, b - 4)
    large = ct.full((), 4000000000, dtype=ct.uint32)
    ct.atomic_max(unsigned, 0, large + b.astype(ct.uint32))
    ct.atomic_min(unsigned, 1, ct.full((), 3000000000, dtype=ct.uint32) - b.astype(ct.uint32))
    # Some of these point before the array, some past it.
    ct.atomic_add(sums, b - 2, 1)
    ct.atomic_add(sums, ct.arange(8, dtype=ct.int32) * 2, 10)
    ct.atomic_xor(bits, b % 2, 1 << b)


@ct.kernel
def half_precision(values):
    b = ct.bid(0)
    ct.atomic_add(values, 1, ct.float16(0.5))
    ct.atomic_add(values, 2 + (b & 1), ct.float16(2.0))


@ct.kernel
def wide_sums(values):
    ct.atomic_add(values, 0, ct.bid(0).astype(ct.int64) * 3000000000)


@ct.kernel
def float_lanes(values):
    ct.atomic_add(values, ct.arange(4, dtype=ct.int32), 0.25)


def extremes(rng):
    return (
        np.array([-100, 100], np.int32),
        np.array([1, 4294967295], np.uint32),
        np.zeros(4, np.int32),
        np.zeros(2, np.int32),
    )


def extreme_results(*_):
    return [[-1, -4], [4000000005, 2999999995], [61, 1, 61, 1], [1 | 4 | 16, 2 | 8 | 32]]


CASES = [
    Case("signs and bounds", signs_and_bounds, (6,), extremes, (0, 1, 2, 3), extreme_results),
    Case("half precision keeps its neighbour", half_precision, (16,),
         lambda rng: (np.array([7, 0, 1, -1, 9], np.float16),), (0,), lambda h: [[7, 8, 17, 15, 9]]),
    Case("64-bit sums", wide_sums, (16,), lambda rng: (np.array([5, -5], np.int64),), (0,),
         lambda w: [[5 + 120 * 3000000000, -5]]),
    Case("float lanes", float_lanes, (16,), lambda rng: (np.zeros(4, np.float32),), (0,), lambda f: [[4] * 4]),
]
