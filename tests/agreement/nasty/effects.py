"""What is evaluated, in which order, and how often."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


def ratio(a, b):
    return a // b, a % b


def k(t):
    return t + 1


def effect(o, i):
    ct.atomic_add(o, i, 1.0)
    return i + 1


def loop_return(x, n):
    for i in range(8):
        if ct.gather(x, i) > 3.0:
            return i
    return n


def while_return(n):
    k = 0
    while True:
        k = k + 1
        if k * k > n + 20:
            return k, k * k


@case([0.0, 0.0, 5.0, 1.0, 0.0, 1.0, 1.0, 0.0])
def short_circuit_atomics(x, n, o):
    c = n > 100 and ct.atomic_add(o, 0, 5.0) > 0
    d = n > 0 or ct.atomic_add(o, 1, 5.0) > 0
    e = n > 0 and ct.atomic_add(o, 2, 5.0) >= 0
    ct.atomic_add(o, 3, 1.0)
    if c:
        ct.atomic_add(o, 4, 1.0)
    if d:
        ct.atomic_add(o, 5, 1.0)
    if e:
        ct.atomic_add(o, 6, 1.0)


@case([0.0, 2.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def ifexp_atomics(x, n, o):
    r = ct.atomic_add(o, 0, 1.0) if n > 100 else ct.atomic_add(o, 1, 2.0)
    ct.atomic_add(o, 2, r + 7)


@case([1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def chained_compare_atomic_once(x, n, o):
    c = -1.0 < ct.atomic_add(o, 0, 1.0) < 5.0
    d = n > 100 > ct.atomic_add(o, 1, 1)
    if c:
        ct.atomic_add(o, 2, 1.0)


@case([2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def order_of_effects(x, n, o):
    a = ct.atomic_add(o, 0, 1.0) * 10 + ct.atomic_add(o, 0, 1.0)
    ct.atomic_add(o, 1, a)


@case([1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0])
def load_before_store(x, n, o):
    a = ct.load(x, (0,), (8,))
    ct.store(o, (0,), a)
    b = ct.load(o, (0,), (8,))
    ct.store(o, (0,), b * 0)
    ct.store(o, (0,), b + a)


@case(32.0)
def unused_load_kept_order(x, n, o):
    ct.store(o, (0,), ct.load(x, (0,), (8,)))
    s = ct.sum(ct.load(o, (0,), (8,)))
    ct.store(o, (0,), ct.zeros((8,), ct.float32))
    ct.store(o, (0,), s + ct.load(o, (0,), (8,)))


@case(119.0)
def guarded_division(x, n, o):
    z = n - 3
    a = z != 0 and 5 < 10 // z < 20
    b = 7 // z if z != 0 else -1
    c = z == 0 or 10 % z == 1
    ct.store(o, (0,), ct.full((8,), b, ct.float32) + ct.where(a, 10, 20) + ct.where(c, 100, 200))


@case(125.0)
def guarded_helper(x, n, o):
    z = n - 3
    a = ratio(7, z)[0] if z != 0 else 5
    b = z != 0 and ratio(7, z)[1] == 1
    c = z == 0 or ratio(n, z)[0] > ratio(n, z)[1]
    ct.store(o, (0,), ct.full((8,), a, ct.float32) + ct.where(b, 10, 20) + ct.where(c, 100, 200))


@case(22.0)
def while_guarded_helper(x, n, o):
    z = n
    s = 0
    while z != 0 and ratio(12, z)[0] < 100:
        s = s + ratio(12, z)[0]
        z = z - 1
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case([2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def expression_statement(x, n, o):
    n + 1
    ct.load(x, (0,), (8,))
    "text"
    ...
    ct.atomic_add(o, 0, 1.0)
    k(ct.load(x, (0,), (8,)))
    ct.atomic_add(o, 0, 1.0) + 5


@case([1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
def helper_effects_in_order(x, n, o):
    a = effect(o, 0) + effect(o, 1) * effect(o, 2)
    effect(o, a)
    b = effect(o, 4) if n > 2 else effect(o, 5)
    c = n > 2 or effect(o, 6) > 0
    if c and effect(o, 6) > 0:
        effect(o, b)


@case([1.0, 3.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def index_of_effects(x, n, o):
    ct.scatter(o, effect(o, 0), ct.gather(x, effect(o, 2)))


@case(3.0)
def chained_compare(x, n, o):
    a = 1 < n < 5
    b = 1 < n > 2 == 2
    c = 0 <= n - 3 < 1 != 5
    r = 0
    if a and b:
        r = 1
    if c:
        r = r + 2
    ct.store(o, (0,), ct.full((8,), r, ct.float32))


@case([35.5, 36.5, 37.5, 38.5, 39.5, 40.5, 41.5, 42.5])
def ifexp_nested(x, n, o):
    a = 1 if n > 5 else 2 if n > 2 else 3
    b = (1.5 if n == 3 else 2.5) * (10 if n != 3 else 20)
    c = ct.load(x, (0,), (8,)) if n > 2 else ct.zeros((8,), ct.float32)
    d = n if n else 5
    ct.store(o, (0,), c + a + b + d)


@case(1211.0)
def and_or_values(x, n, o):
    a = n and 5
    b = n - 3 or n
    c = not (n > 2 and n < 2 or n == 3)
    d = (n > 2) == (n < 5) != (n == 4)
    ct.store(o, (0,), ct.where(a, 1.0, 2.0) + ct.where(b, 10, 20) + ct.where(c, 100, 200) + ct.where(d, 1000, 2000) + ct.zeros((8,), ct.float32))


@case(5.0)
def in_operator(x, n, o):
    r = 0
    if n in (1, 3, 5):
        r = 1
    if n not in (3, 4):
        r = r + 2
    if x.dtype in (ct.float32, ct.float16):
        r = r + 4
    ct.store(o, (0,), ct.full((8,), r, ct.float32))


@case([1.0, 100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def operand_order_with_effects(x, n, o):
    def bump():
        return ct.atomic_add(o, 0, 1.0)
    r = ct.gather(o, 0) + bump() * 10 + ct.gather(o, 0) * 100
    ct.scatter(o, 1, r)


@case([2.0, 5.0, 5.0, 4.0, 0.0, 0.0, 0.0, 0.0])
def atomic_in_condition(x, n, o):
    if ct.atomic_add(o, 0, 1.0) == 0 and ct.atomic_add(o, 0, 1.0) == 1:
        ct.atomic_add(o, 1, 5.0)
    while ct.atomic_add(o, 2, 1.0) < 4:
        ct.atomic_add(o, 3, 1.0)


@case([3.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def atomic_range_bound(x, n, o):
    s = 0
    for i in range(ct.atomic_add(o, 0, 3.0).astype(ct.int32) + 3):
        s = s + 1
    ct.scatter(o, 1, s * 1.0)


@case([2.0, 7.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0])
def atomic_index_once(x, n, o):
    ct.atomic_add(o, ct.atomic_add(o, 0, 1.0).astype(ct.int32) + 1, 7.0)
    ct.store(o, (ct.atomic_add(o, 0, 1.0).astype(ct.int32) + 2,), 3.0)


@case([3.0, 1.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def compare_effects(x, n, o):
    v = ct.atomic_add(o, 0, 1.0)
    a = v < 5
    b = v == 0
    ct.scatter(o, 1, ct.where(a & b, 1.0, 2.0) + v)
    u = ct.atomic_add(o, 0, 1.0)
    ct.atomic_add(o, 0, 1.0)
    ct.scatter(o, 2, u * 10)


@case([1.0, 1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def unused_atomic_result(x, n, o):
    v = ct.atomic_add(o, 0, 1.0)
    w = ct.atomic_add(o, 1, 1.0) * 2
    for i in range(3):
        w = ct.atomic_add(o, 2, 1.0)


@case(3.0)
def helper_loop_return(x, n, o):
    ct.store(o, (0,), ct.full((8,), loop_return(x, n), ct.float32))


@case(525.0)
def helper_while_return(x, n, o):
    a, b = while_return(n)
    ct.store(o, (0,), ct.full((8,), a * 100 + b, ct.float32))
