"""Frozen dataclasses as values: operators, comparisons, items, copies; constants with the attributes of scalars; symbolic values."""

import dataclasses

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct
from tile2cpp.directives import static_def


@dataclasses.dataclass(frozen=True)
class Money:
    amount: object

    def __add__(self, other):
        if other.dtype == ct.float32:
            return NotImplemented
        return Money(self.amount + other)

    def __divmod__(self, other):
        return self.amount // other, self.amount % other

    def __eq__(self, other):
        return self.amount == other.amount


@dataclasses.dataclass(frozen=True)
class Added:
    base: object

    def __radd__(self, other):
        return other.amount * 10 + self.base

    @property
    def dtype(self):
        return ct.float32


@dataclasses.dataclass(frozen=True, order=True)
class Version:
    major: object
    minor: object


@dataclasses.dataclass(frozen=True)
class Cells:
    array: ct.Array
    first: object = 0

    def __post_init__(self):
        ct.scatter(self.array, self.first, -1)

    def __getitem__(self, i):
        return ct.gather(self.array, i)

    def __setitem__(self, i, value):
        ct.scatter(self.array, i, value)


@dataclasses.dataclass(frozen=True)
class Split:
    """Computed by Python where it is made, and where it is asked."""

    low: object
    high: object

    @static_def
    def __init__(self, number, base=10):
        digits = []
        while number:
            digits.append(number % base)
            number //= base
        object.__setattr__(self, "low", digits[0])
        object.__setattr__(self, "high", digits[-1])

    @static_def
    def __call__(self, *others):
        return sorted([self.low, self.high, *others])[-1]

    @static_def
    def scaled(self, t):
        return t * self.low if t.shape == (4,) else None


@static_def
def widest(*tiles, **named):
    return max([*tiles, *named.values()], key=lambda t: t.shape[0])


@ct.kernel
def by_python(x, out):
    split = Split(375)
    ct.scatter(out, 0, split.low * 10 + split.high)
    ct.scatter(out, 1, split(4, 6))
    ct.scatter(out, 2, Split(6, base=2).high)
    t = ct.load(x, (0,), (4,))
    one = ct.load(x, (0,), (1,))
    ct.scatter(out, 3, ct.sum(split.scaled(widest(one, other=t))))


@ct.kernel
def operators(out, n):
    money = Money(n) + ct.int32(2)
    ct.scatter(out, 0, money.amount)
    ct.scatter(out, 1, money + Added(5))
    quotient, rest = divmod(money, 3)
    ct.scatter(out, 2, quotient * 10 + rest)
    ct.scatter(out, 3, Money(n) != Money(n + 1))
    ct.scatter(out, 4, Money(n) != Money(n))


@ct.kernel
def comparisons(out, a, b, c, d):
    x, y = Version(a, b), Version(c, d)
    all_of_them = x == y, x != y, x < y, x <= y, x > y, x >= y, (a, b) == (c, d), (a, 3) != (c, 4)
    for i, found in ct.static_iter(enumerate(all_of_them)):
        ct.scatter(out, i, found)
    ct.static_assert(Version(1, 2) < Version(1, 3) and Version(2, 0) != Version(1, 9))


def comparisons_expected(out, a, b, c, d):
    x, y = Version(a, b), Version(c, d)
    return [np.array([x == y, x != y, x < y, x <= y, x > y, x >= y, (a, b) == (c, d), True], np.int32)]


@ct.kernel
def items(out):
    cells = Cells(out)
    cells[2] = 5
    cells[2] += cells[2] * 2
    moved = dataclasses.replace(cells, first=1)
    ct.static_assert(moved.first == 1)
    ct.scatter(out, 3, moved[2] + cells.first)


@ct.kernel
def symbols(x, out):
    t = ct.load(x, (0,), (4,))
    pair = ct.static_eval(Version(t, t.shape[0]))
    ct.store(out, (0,), ct.static_eval(ct.minimum(pair.major, 2) if t.ndim == 1 else t))
    ct.scatter(out, 3, pair.minor)
    method = ct.static_eval(x.slice)
    ct.scatter(out, 0, ct.gather(method(0, 1, 3), 0))
    three, half = (3).dtype, (0.5).astype(ct.float16)
    ct.static_assert(three == ct.int32 and half.dtype == ct.float16)
    ct.scatter(out, 1, ct.float32("-inf") < 0.0)


def versions(*numbers):
    return lambda rng: (blank(8, "int32"), *numbers)


CASES = [
    Case("operators", operators, (1,), lambda rng: (blank(5, "int32"), 9), (0,), lambda out, n: [np.array([11, 115, 32, 1, 0], np.int32)]),
    *(Case(f"comparisons of {numbers}", comparisons, (1,), versions(*numbers), (0,), comparisons_expected) for numbers in ((3, 5, 3, 5), (3, 5, 3, 7), (5, 3, 3, 7), (3, 7, 5, 3))),
    Case("items", items, (1,), lambda rng: (blank(4, "int32"),), (0,), lambda out: [np.array([-1, -1, 15, 15], np.int32)]),
    Case("by Python", by_python, (1,), lambda rng: (np.arange(4, dtype=np.int32), blank(4, "int32")), (1,), lambda x, out: [np.array([53, 6, 1, 30], np.int32)]),
    Case("symbols", symbols, (1,), lambda rng: (np.arange(4, dtype=np.int32), blank(4, "int32")), (1,), lambda x, out: [np.array([1, 1, 2, 4], np.int32)]),
]
