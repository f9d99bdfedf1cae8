"""Public faults in arithmetic: signs, promotion, folding, selection, scalars, broadcasting."""

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


@ct.kernel
def floor_division(x, by_constant, by_parameter, divisor):
    i = ct.bid(0)
    t = ct.load(x, (i,), (8,))
    ct.store(by_constant, (i,), t // -2)
    ct.store(by_parameter, (i,), t // divisor)


@ct.kernel
def folded_or_not(x, folded, computed):
    # The left column is known while translating, the right one is not.
    a, b = ct.load(x, (0,), ()), ct.load(x, (1,), ())
    ct.store(folded, (0,), (-5.0) % 3.0)
    ct.store(computed, (0,), a % b)
    ct.store(folded, (1,), 5.0 % (-3.0))
    ct.store(computed, (1,), (-a) % (-b))
    ct.store(folded, (2,), (-7) // 2 + 0.0)
    ct.store(computed, (2,), (a - 2.0) // (b - 1.0))


@ct.kernel
def float_remainder(x, y, quotient, remainder):
    a, b = ct.load(x, (0,), (8,)), ct.load(y, (0,), (8,))
    ct.store(quotient, (0,), a // b)
    ct.store(remainder, (0,), a % b)


@ct.kernel
def unsigned_widths(narrow, wide, total):
    a = ct.load(narrow, (0,), (4,))
    ct.store(total, (0,), a + ct.load(wide, (0,), (4,)))


@ct.kernel
def selected(x, kept, doubled, total, n):
    t = ct.load(x, (0,), (8,))
    live = ct.arange(8, dtype=ct.int32) < n
    ct.store(kept, (0,), ct.where(live, t, 0.0))
    ct.store(doubled, (0,), ct.where(live, t, -1.0) * 2.0)
    ct.store(total, (0,), ct.sum(ct.where(live, t, 0.0)))


@ct.kernel
def scalar_slots(x, factor, add_count, count, out, offset, tag: ct.Constant[int]):
    t = ct.load(x, (0,), (8,)) * factor + offset
    if add_count:
        t = t + count
    ct.store(out, (0,), t + tag)


@ct.kernel
def rows_and_columns(x, row, mixed, centred):
    t = ct.load(x, (0, 0), (8, 8))
    r = ct.load(row, (0,), (8,))
    ct.store(mixed, (0, 0), t + r * 100 - r[:, None])
    per_row = ct.sum(t, axis=1)
    ct.store(centred, (0, 0), t * 64 - per_row[:, None] + ct.max(t, axis=0, keepdims=True))


def signed_pairs(rng):
    x = np.array([5.5, -5.5, 5.5, -5.5, 9, -9, 0.75, -0.25], np.float32)
    y = np.array([2, 2, -2, -2, 3, 3, 0.5, 4], np.float32)
    return x, y, blank(8), blank(8)


def wide_values(rng):
    narrow = np.array([1, 65535, 7, 0], np.uint16)
    wide = np.array([2**40, 2**33 - 1, 2**63, 5], np.uint64)
    return narrow, wide, blank(4, "uint64")


def poisoned(rng):
    x = np.array([4, -2, 0.5, np.nan, np.inf, -np.inf, 7, np.nan], np.float32)
    return x, blank(8), blank(8), blank(1), 3


def selection(x, *_):
    live = x[:3]
    return [np.append(live, np.zeros(5)), np.append(live * 2, np.full(5, -2)), [live.sum()]]


def square(rng):
    x = rng.integers(-40, 40, (8, 8)).astype(np.int32)
    row = rng.integers(1, 9, 8).astype(np.int32)
    return x, row, blank((8, 8), "int32"), blank((8, 8), "int32")


FOLDED = [1.0, -1.0, -4.0]

CASES = [
    Case("floor division of negatives", floor_division, (2,),
         lambda rng: (np.arange(-8, 8, dtype=np.int32), blank(16, "int32"), blank(16, "int32"), 3), (1, 2),
         lambda x, *_: [x // -2, x // 3]),
    Case("floor division by a negative parameter", floor_division, (2,),
         lambda rng: (np.arange(-8, 8, dtype=np.int32), blank(16, "int32"), blank(16, "int32"), -5), (1, 2),
         lambda x, *_: [x // -2, x // -5]),
    Case("folded and computed remainders", folded_or_not, (1,),
         lambda rng: (np.array([-5, 3], np.float32), blank(3), blank(3)), (1, 2), lambda *_: [FOLDED, FOLDED]),
    Case("float floor division and remainder", float_remainder, (1,), signed_pairs, (2, 3),
         lambda x, y, *_: [np.floor(x / y), np.mod(x, y)]),
    Case("uint16 with uint64", unsigned_widths, (1,), wide_values, (2,),
         lambda narrow, wide, total: [narrow.astype(np.uint64) + wide]),
    Case("dead lanes are not computed with", selected, (1,), poisoned, (1, 2, 3), selection),
    Case("scalar parameters of all kinds", scalar_slots, (1,),
         lambda rng: (np.arange(8, dtype=np.float32), 5.0, True, -7, blank(8), 0.25, 3), (4,),
         lambda x, *_: [x * 5 - 3.75]),
    Case("scalar parameters, flag off", scalar_slots, (1,),
         lambda rng: (np.arange(8, dtype=np.float32), -0.5, False, 2**31 - 1, blank(8), 1.5, -4), (4,),
         lambda x, *_: [x * -0.5 - 2.5]),
    Case("rows, columns and scalars of a square tile", rows_and_columns, (1,), square, (2, 3),
         lambda t, r, *_: [t + r * 100 - r[:, None], t * 64 - t.sum(1)[:, None] + t.max(0, keepdims=True)]),
]
