"""What names hold: swaps, tuples, rebinding, branches, closures."""

# ruff: noqa
import math
import operator

from nasty_case import case

import tile2cpp.lang as ct


def k(t):
    return t + 1


def halve(t, size):
    if size == 1:
        return t
    return halve(ct.extract(t, (0,), (size // 2,)) + ct.extract(t, (1,), (size // 2,)), size // 2)


def nested_tuple(t, n):
    return (t, (n, n + 1)), 5


def swapped(a, b):
    return b, a


@case([-0.5, -1.5, -2.5, -3.5, -4.5, -5.5, -6.5, -7.5])
def swap_in_loop(x, n, o):
    a = ct.load(x, (0,), (8,))
    b = a * 2.0
    for _ in range(n):
        a, b = b, a
    ct.store(o, (0,), a - b * 3)


@case(13.0)
def fibonacci(x, n, o):
    a, b = 0, 1
    for _ in range(n + 4):
        a, b = b, a + b
    ct.store(o, (0,), ct.full((8,), a, ct.float32))


@case(534.0)
def three_way(x, n, o):
    a, b, c = n, n + 1, n + 2
    a, b, c = c, a, b
    ct.store(o, (0,), ct.full((8,), a * 100 + b * 10 + c, ct.float32))


@case(403.0)
def tuple_swap(x, n, o):
    t = (n, n + 1)
    t = (t[1], t[0])
    n = 50
    ct.store(o, (0,), ct.full((8,), t[0] * 100 + t[1], ct.float32))


@case(345.0)
def tuple_holds_old_value(x, n, o):
    a = n + 0
    t = (a, a)
    a = a + 1
    u = (a, t)
    a = a + 1
    ct.store(o, (0,), ct.full((8,), t[0] * 100 + u[0] * 10 + a, ct.float32))


@case(414.0)
def alias_old_value(x, n, o):
    a = n + 1
    b = a
    a = a + 10
    ct.store(o, (0,), ct.full((8,), b * 100 + a, ct.float32))


@case(609.0)
def alias_in_loop(x, n, o):
    prev = n
    cur = n
    for i in range(3):
        prev = cur
        cur = cur + i + 1
    ct.store(o, (0,), ct.full((8,), prev * 100 + cur, ct.float32))


@case(705.0)
def tuple_carried(x, n, o):
    p = (n, n * 2)
    for i in range(3):
        p = (p[1], p[0] + i)
    ct.store(o, (0,), ct.full((8,), p[0] * 100 + p[1], ct.float32))


@case(30805.0)
def nested_tuple_carried(x, n, o):
    s = ((n, 1), 2)
    for i in range(3):
        s = ((s[0][1], s[0][0] + s[1]), s[1] + i)
    ct.store(o, (0,), ct.full((8,), s[0][0] * 10000 + s[0][1] * 100 + s[1], ct.float32))


@case(2103.0)
def swap_in_branch(x, n, o):
    a, b = n, n * 7
    if n == 3:
        a, b = b, a
    ct.store(o, (0,), ct.full((8,), a * 100 + b, ct.float32))


@case(112.0)
def swap_constants(x, n, o):
    a, b = 1, 2
    a, b = b, a
    if n == 3:
        a, b = b, a + 10
    ct.store(o, (0,), ct.full((8,), a * 100 + b, ct.float32))


@case([-2.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0])
def swap_types(x, n, o):
    a, b = n, ct.load(x, (0,), (8,))
    a, b = b, a
    a, b = a * b, a + b
    ct.store(o, (0,), a - b)


@case([3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5])
def if_both_assign_tuple(x, n, o):
    if n > 2:
        p = (n, ct.load(x, (0,), (8,)))
    else:
        p = (0, ct.zeros((8,), ct.float32))
    ct.store(o, (0,), p[0] + p[1])


@case(753.0)
def if_in_loop_tuple(x, n, o):
    best, where = -1.0, 0
    for i in range(8):
        v = ct.gather(x, (i * 5) % 8)
        if v > best:
            best, where = v, i
    ct.store(o, (0,), ct.full((8,), best * 100, ct.float32) + where)


@case([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def branch_rebinds_type(x, n, o):
    v = n
    if n > 2:
        v = ct.load(x, (0,), (8,))
        ct.store(o, (0,), v)
    else:
        v = 3
        ct.store(o, (0,), ct.full((8,), v, ct.float32))


@case(21.0)
def branch_constant_join(x, n, o):
    v = 1
    if n > 100:
        v = 2
    w = v + 1
    ct.store(o, (0,), ct.full((8,), w * 10 + v, ct.float32))


@case([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def constant_branch_types(x, n, o):
    if x.ndim == 1:
        v = ct.load(x, (0,), (8,))
    else:
        v = ct.load(x, (0, 0), (8, 1)).nonsense()
    ct.store(o, (0,), v)


@case(10.0)
def nested_if_elif_else(x, n, o):
    r = 0
    if n > 1:
        if n > 2:
            r = 1
        else:
            r = 2
        r = r * 10
    elif n > 0:
        r = 3
    ct.store(o, (0,), ct.full((8,), r, ct.float32))


@case([2.0, 6.0, 10.0, 14.0, 18.0, 22.0, 26.0, 30.0])
def parameter_rebound(x, n, o):
    n = n + 1
    n = ct.load(x, (0,), (8,)) * n
    x = n
    ct.store(o, (0,), x)


@case([0.0, 2.0, 4.0, 6.0, 7.0, 9.0, 11.0, 13.0])
def augmented_changes_type(x, n, o):
    a = n
    a += 0.5
    a *= ct.load(x, (0,), (8,))
    a //= 2
    ct.store(o, (0,), a)


@case(485.0)
def chained_assignment(x, n, o):
    a = b = c = n + 1
    a += 1
    b *= 2
    ct.store(o, (0,), ct.full((8,), a + b * 10 + c * 100, ct.float32))


@case([1.5, 4.5, 7.5, 10.5, 13.5, 16.5, 19.5, 22.5])
def closure_late(x, n, o):
    k = 1
    f = lambda t: t * k
    k = n
    ct.store(o, (0,), f(ct.load(x, (0,), (8,))))


@case([12.0, 20.0, 28.0, 36.0, 44.0, 52.0, 60.0, 68.0])
def closure_in_loop(x, n, o):
    t = ct.load(x, (0,), (8,))
    for i in range(3):
        f = lambda v: v + i
        t = f(t) * 2
    ct.store(o, (0,), t)


@case(37.0)
def closure_nested(x, n, o):
    def outer(a):
        def inner(b):
            return a * 10 + b + n
        return inner(a + 1)
    ct.store(o, (0,), ct.full((8,), outer(n), ct.float32))


@case([1.5, 4.5, 7.5, 10.5, 13.5, 16.5, 19.5, 22.5])
def lambda_default(x, n, o):
    k = n
    f = lambda t, k=k: t * k
    k = 100
    ct.store(o, (0,), f(ct.load(x, (0,), (8,))))


@case([50.0, 151.0, 252.0, 353.0, 454.0, 555.0, 656.0, 757.0])
def method_variable(x, n, o):
    t = ct.load(x, (0,), (8,))
    f = t.astype
    t = t * 100
    ct.store(o, (0,), f(ct.int32) + t)


@case([3.5, 4.5, 5.5, 6.5, 7.5, 0.0, 0.0, 0.0])
def slice_variable(x, n, o):
    k = n
    s = x.slice(0, k, 8)
    k = 0
    ct.store(o, (0,), ct.load(s, (0,), (8,), padding_mode=ct.PaddingMode.ZERO) + k)


@case(22.0)
def star_unpack(x, n, o):
    t = (1, n, 3)
    u = (*t, 4, *t[1:])
    a, b, c, d, e, f = u
    ct.store(o, (0,), ct.full(tuple((8,)), a + b + c * d + e + f, ct.float32))


@case([0.125, 3.375, 15.625, 42.875, 91.125, 166.375, 274.625, 421.875])
def nested_def_recursive_constants(x, n, o):
    def power(t, k):
        if k == 0:
            return 1
        return t * power(t, k - 1)
    ct.store(o, (0,), power(ct.load(x, (0,), (8,)), 3))


@case(32.0)
def recursion_tiles(x, n, o):
    ct.store(o, (0,), ct.broadcast_to(halve(ct.load(x, (0,), (8,)), 8), (8,)))


@case([292.5, 301.5, 310.5, 319.5, 328.5, 337.5, 346.5, 355.5])
def dead_name_in_loop(x, n, o):
    acc = ct.load(x, (0,), (8,))
    if n > 2:
        tmp = ct.sum(acc)
        acc = acc + tmp
    for i in range(2):
        tmp = acc * 2
        acc = acc + tmp
    ct.store(o, (0,), acc)


@case([15551.0, 26653.0, 37755.0, 48857.0, 59959.0, 71061.0, 82163.0, 93265.0])
def many_names_of_one_value(x, n, o):
    t = ct.load(x, (0,), (8,))
    a = t
    b = a
    c = b
    t = t + 1
    a = a * 2
    ct.store(o, (0,), a + b * 100 + c * 1000 + t * 10000)


@case(23.0)
def scalar_aliases_in_loop(x, n, o):
    lo = 0
    hi = 8
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if ct.gather(x, mid) > n:
            hi = mid
        else:
            lo = mid
    ct.store(o, (0,), ct.full((8,), lo * 10 + hi, ct.float32))


@case(365.0)
def constants_differ_per_iteration(x, n, o):
    a = 1
    b = 2.0
    c = True
    for i in range(n):
        a = 5 if c else 7
        b = b * 2
        c = not c
    ct.store(o, (0,), ct.full((8,), a, ct.float32) + b * 10 + ct.where(c, 100, 200))


@case([78200.5, 78202.0, 78204.5, 78208.0, 78212.5, 78218.0, 78224.5, 78232.0])
def reduce_custom(x, n, o):
    t = ct.load(x, (0,), (8,))
    r = ct.reduce(t, 0, lambda a, b: a + b * 1, 0.0)
    m = ct.reduce(t, 0, max, -math.inf)
    c = ct.scan(t, 0, operator.add, 0.0)
    ct.store(o, (0,), c + r * 100 + m * 10000)


@case([739.0, 738.5, 737.0, 734.5, 731.0, 726.5, 721.0, 714.5])
def scan_and_position(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), ct.cumsum(t, reverse=True) + ct.argmax(t) * 100 + ct.argmin(-t))


@case([21.5, 24.5, 27.5, 30.5, 33.5, 36.5, 39.5, 42.5])
def helper_nested_tuple(x, n, o):
    (t, (a, b)), c = nested_tuple(ct.load(x, (0,), (8,)), n)
    ct.store(o, (0,), t * a + b * c)


@case(608.0)
def helper_tuple_swap(x, n, o):
    a, b = n, n + 5
    a, b = swapped(a, b)
    b, a = swapped(b * 2, a)
    ct.store(o, (0,), ct.full((8,), a * 100 + b, ct.float32))


@case([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def equal_constants_in_branches(x, n, o):
    if n > 100:
        v = 4
    else:
        v = 4
    ct.store(o, (0,), ct.reshape(ct.reshape(ct.load(x, (0,), (8,)), (v, 2)), (8,)))
