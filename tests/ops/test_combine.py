"""Reductions and scans with functions of the author's own, against loops over Python numbers."""

import functools
import itertools
import operator

import numpy as np
import pytest
from harness import check, refuses

import tile2cpp.lang as ct

BOTH = ("interpret", "host")
X = np.random.default_rng(7).integers(-9, 9, (4, 2, 8)).astype(np.int32)


def folded(function, x, axis):
    return np.apply_along_axis(lambda lane: functools.reduce(function, lane.tolist()), axis, x).astype(x.dtype)


def running(function, x, axis, reverse=False):
    def one(lane):
        lane = lane.tolist()[:: -1 if reverse else 1]
        return list(itertools.accumulate(lane, function))[:: -1 if reverse else 1]

    return np.apply_along_axis(one, axis, x).astype(x.dtype)


def larger(a, b):
    """A helper at the top of the file."""
    return ct.where(a > b, a, b)


@pytest.mark.parametrize("axis", (0, 1, -1))
def test_lambdas_helpers_and_operators(axis):
    check(lambda p: ct.reduce(p, axis, lambda a, b: a + b - 1, 1), X, expected=folded(lambda a, b: a + b - 1, X, axis), backends=BOTH)
    check(lambda p: ct.reduce(p, axis, larger, -100), X, expected=folded(max, X, axis))
    check(lambda p: ct.reduce(p, axis, operator.add, 0), X, expected=folded(operator.add, X, axis), backends=BOTH)
    check(lambda p: ct.reduce(p, axis, ct.minimum, 100), X, expected=folded(min, X, axis), backends=BOTH)
    check(lambda p: ct.reduce(p, axis, max, -100), X, expected=folded(max, X, axis))


@pytest.mark.parametrize("function", (operator.and_, operator.or_, operator.xor), ids=lambda f: f.__name__)
def test_bits(function):
    check(lambda p: ct.reduce(p, 2, function, 0, keepdims=True), X, expected=folded(function, X, 2)[..., None], backends=BOTH)
    flags = X > 0
    check(lambda p: ct.reduce(p, 2, function, False), flags, expected=folded(function, flags, 2), backends=BOTH)


@pytest.mark.parametrize("reverse", (False, True))
@pytest.mark.parametrize("axis", (0, 2))
def test_scans_keep_the_order(axis, reverse):
    """`a + b + a * b % 7` would show a wrong grouping; a matrix product would show a wrong order."""
    check(lambda p: ct.scan(p, axis, lambda a, b: a + b + 3, 0, reverse=reverse), X, expected=running(lambda a, b: a + b + 3, X, axis, reverse), backends=BOTH)
    check(lambda p: ct.scan(p, axis, lambda a, b: b, 0, reverse=reverse), X, expected=X, backends=BOTH)


def test_a_linear_recurrence():
    """h[i] = f[i] * h[i - 1] + x[i]: the pairs (factor, sum) do not commute."""
    x = np.arange(1, 65, dtype=np.int64).reshape(1, 64) % 5
    factor = (np.arange(64, dtype=np.int64).reshape(1, 64) % 3) - 1
    wanted, last = [], 0
    for f, v in zip(factor[0].tolist(), x[0].tolist()):
        last = f * last + v
        wanted.append(last)

    def recurrence(f, v):
        return ct.scan((f, v), 1, lambda f1, v1, f2, v2: (f1 * f2, f2 * v1 + v2), (1, 0))[1]

    check(recurrence, factor, x, expected=np.array([wanted]), backends=BOTH)


def first_largest(a, i, b, j):
    keep = (a > b) | ((a == b) & (i < j))
    return ct.where(keep, a, b), ct.where(keep, i, j)


def test_several_tiles_at_once():
    def place(p):
        return ct.reduce((p, ct.arange(8, dtype=ct.int32)), 2, first_largest, (-100, 0))[1]

    check(place, X, expected=np.argmax(X, 2).astype(np.int32), backends=BOTH)


def test_scalars_are_captured():
    check(lambda p, k: ct.reduce(p, 0, lambda a, b: a + b + k, 0), X, np.array(2, np.int32), expected=folded(lambda a, b: a + b + 2, X, 0), backends=BOTH)


def branching(a, b):
    if a > b:
        return a
    return b


def printing(a, b):
    ct.printf("%d", a)
    return a + b


def test_what_a_function_may_not_do():
    refuses(lambda p: ct.reduce(p, 0, branching, 0), X, words="truth value")
    refuses(lambda p: ct.reduce(p, 0, printing, 0), X, words="must not access memory or print")
    refuses(lambda p: ct.reduce(p, 0, lambda a, b: a + b + ct.sum(p), 0), X, words="no reduction inside")
    refuses(lambda p: ct.reduce(p, 0, lambda a, b: a + b + 0.5, 0), X, words="results keep the dtype")
    refuses(lambda p: ct.reduce((p, p), 0, lambda a, b, c, d: a + c, (0, 0)), X, words="2 values")
    refuses(lambda p: ct.reduce(p, 0, lambda a: a, 0), X, words="gets 2 elements")
    refuses(lambda p, k: ct.reduce(p, 0, lambda a, b: a + b, k), X, np.array(1, np.int32), words="known at compile time")
    refuses(lambda p: ct.reduce((p, p), 0, lambda a, b, c, d: (a, b), 0), X, words="one identity for each")
    refuses(lambda p: ct.scan(p, 3, lambda a, b: a, 0), X, words="axis 3 does not exist")
