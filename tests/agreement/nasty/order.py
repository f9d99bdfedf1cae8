"""Several effects in one expression: from left to right, each once."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


def bump(o):
    return ct.atomic_add(o, 0, 1.0)


def two(a, b):
    return a * 10 + b


def pair(o):
    a = ct.atomic_add(o, 0, 1.0)
    return a, a + 10


@case([2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def where_args(x, n, o):
    ct.scatter(o, 1, ct.where(n > 2, ct.atomic_add(o, 0, 1.0), ct.atomic_add(o, 0, 1.0) * 10))


@case([2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def helper_args(x, n, o):
    ct.scatter(o, 1, two(bump(o), bump(o)))


@case([4.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def op_args(x, n, o):
    ct.scatter(o, 1, ct.maximum(bump(o) * 10, bump(o)) + ct.minimum(bump(o), bump(o)))


@case([2.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def scatter_args(x, n, o):
    ct.scatter(o, bump(o).astype(ct.int32) + 1, bump(o) + 5)


@case([4.0, 1.0, 299.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def cat_args(x, n, o):
    a, b = ct.reshape(bump(o), (1,)), ct.full((1,), bump(o), ct.float32)
    ct.scatter(o, ct.arange(2, dtype=ct.int32) + 1, ct.cat((ct.full((1,), bump(o), ct.float32), ct.full((1,), bump(o) * 100, ct.float32)), 0) + a - b)


@case([2.0, 1021.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def pair_args(x, n, o):
    p, q = pair(o), pair(o)
    ct.scatter(o, 1, p[0] * 1000 + p[1] * 100 + q[0] * 10 + q[1])


@case([2.0, 12.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def range_args(x, n, o):
    s = 0
    for i in range(bump(o).astype(ct.int32), bump(o).astype(ct.int32) * 3):
        s = s * 10 + i
    ct.scatter(o, 1, s * 1.0)


@case([5.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def compare_args(x, n, o):
    ct.scatter(o, 1, ct.where(bump(o) < bump(o), 1.0, 2.0))
    ct.scatter(o, 2, ct.where(bump(o) < bump(o) < bump(o) * 2, 1.0, 2.0))


@case([3.0, 12.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def assign_many(x, n, o):
    a, (b, c) = bump(o), (bump(o), bump(o))
    ct.scatter(o, 1, a * 100 + b * 10 + c)


@case([4.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def aug(x, n, o):
    a = bump(o)
    a += bump(o) * 10
    a -= bump(o) * bump(o)
    ct.scatter(o, 1, a)


@case([8.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def dead_effects(x, n, o):
    a = bump(o) if n > 2 else 0.0
    b = (bump(o), bump(o))[0]
    c = bump(o) * 0
    (bump(o), n)
    two(bump(o), 1.0)
    n * 1.0 if n > 2 else bump(o)
    bump(o) if n > 2 else n * 1.0
    n > 2 or bump(o) > 1
    n > 2 and bump(o) > 1
    ct.scatter(o, 1, b)


@case([1.0, 1000.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def load_in_args_with_effect(x, n, o):
    ct.scatter(o, 1, two(ct.gather(o, 0), bump(o)) + two(ct.gather(o, 0), 0.0) * 100)


@case([3.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def loop_effects(x, n, o):
    i = 0
    while i < 3 and bump(o) < 10:
        i = i + 1
        if bump(o) > 3:
            continue
        i = i + bump(o).astype(ct.int32)
    ct.scatter(o, 1, i * 1.0)


@case([3.0, 2010.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def default_effects(x, n, o):
    def f(a, b=bump(o)):
        return a * 10 + b
    ct.scatter(o, 1, f(bump(o)) + f(bump(o)) * 100)


@case([3.0, 12.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def lambda_effects(x, n, o):
    f = lambda: bump(o)
    t = f() * 100 + f() * 10 + f()
    ct.scatter(o, 1, t)


@case([4.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def subscript_effects(x, n, o):
    t = (bump(o), bump(o))
    ct.scatter(o, 1, t[1] * 10 + t[0])
    u = (bump(o), bump(o))[1]


@case([3.0, 125.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def ret_effects(x, n, o):
    def f(k):
        if k > 2:
            return bump(o), bump(o)
        return bump(o), 5.0
    a, b = f(n)
    c, d = f(0)
    ct.scatter(o, 1, a * 1000 + b * 100 + c * 10 + d)
