"""Loops: indices, bounds, carried values, jumps."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


def k(t):
    return t + 1


@case(934.0)
def for_index_read_next_round(x, n, o):
    i = 7
    total = 0
    for j in range(3):
        total = total * 10 + i
        for i in range(n - 1):
            total = total + 1
    ct.store(o, (0,), ct.full((8,), total + i, ct.float32))


@case(21.0)
def nested_same_index(x, n, o):
    t = 0
    for i in range(3):
        for i in range(2):
            t = t + i
        t = t * 2 + i
    ct.store(o, (0,), ct.full((8,), t, ct.float32))


@case(60.0)
def rebind_index(x, n, o):
    t = 0
    for i in range(4):
        i = i * 10
        t = t + i
    ct.store(o, (0,), ct.full((8,), t, ct.float32))


@case(2.0)
def index_after_loop(x, n, o):
    i = 100
    for i in range(n):
        pass
    ct.store(o, (0,), ct.full((8,), i, ct.float32))


@case(100.0)
def index_after_empty_loop(x, n, o):
    i = 100
    for i in range(n, 0):
        pass
    ct.store(o, (0,), ct.full((8,), i, ct.float32))


@case(102.0)
def index_rebound_then_read_after(x, n, o):
    i = 0
    for i in range(n):
        i = i + 100
    ct.store(o, (0,), ct.full((8,), i, ct.float32))


@case(39.0)
def bounds_rebound_in_body(x, n, o):
    m = n
    t = 0
    for i in range(m):
        m = m + 5
        t = t + m
    ct.store(o, (0,), ct.full((8,), t, ct.float32))


@case(5.0)
def while_gather(x, n, o):
    i = 0
    while ct.gather(x, i) < 5.0:
        i = i + 1
    ct.store(o, (0,), ct.full((8,), i, ct.float32))


@case(8.0)
def while_and_gather(x, n, o):
    i = 0
    while i < 8 and ct.gather(x, i) < 50.0:
        i += 1
        if i == 6:
            continue
    ct.store(o, (0,), ct.full((8,), i, ct.float32))


@case(25.0)
def while_continue(x, n, o):
    i = 0
    s = 0
    while i < 10:
        i = i + 1
        if i % 2 == 0:
            continue
        s = s + i
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case(33.0)
def for_continue_break(x, n, o):
    s = 0
    for i in range(10):
        if i == 2:
            continue
        if i == n + 3:
            break
        s = s * 2 + i
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def empty_loops(x, n, o):
    t = ct.load(x, (0,), (8,))
    for i in range(0):
        t = t + 1
    for i in range(5, 5):
        t = t + 2
    for i in range(n, n - 5):
        t = t + 4
    while False:
        t = t + 8
    for i in range(3):
        pass
    ct.store(o, (0,), t)


@case([4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5])
def constant_in_loop(x, n, o):
    step = 2
    t = ct.load(x, (0,), (8,))
    for i in range(2):
        u = ct.reshape(t, (step * 2, 2))
        t = ct.reshape(u + step, (8,))
    ct.store(o, (0,), t)


@case(6.0)
def parameter_rebound_in_loop(x, n, o):
    s = 0
    while n > 0:
        s = s + n
        n = n - 1
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case(106.0)
def range_variable(x, n, o):
    k = n
    r = range(k)
    k = 100
    s = 0
    for i in r:
        s = s + i + 1
    ct.store(o, (0,), ct.full((8,), s + k, ct.float32))


@case(6.0)
def loop_index_collides_with_constant(x, n, o):
    i = 5
    t = ct.zeros((8,), ct.float32)
    for j in range(i):
        for i in range(2):
            t = t + i
    ct.store(o, (0,), t + i)


@case([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5])
def index_name_reused_other_type(x, n, o):
    for i in range(3):
        pass
    i = ct.load(x, (0,), (8,))
    for j in range(2):
        i = i + j
    ct.store(o, (0,), i)


@case([0.0, 0.0, 0.0, 3.5, 4.5, 5.5, 6.5, 7.5])
def tile_then_index(x, n, o):
    i = ct.load(x, (0,), (8,))
    ct.store(o, (0,), i)
    for i in range(3):
        ct.scatter(o, i, 0.0)


@case(33.0)
def loop_with_break_values(x, n, o):
    last = -1
    count = 0
    for i in range(8):
        last = i
        if ct.gather(x, i) > n:
            break
        count += 1
    ct.store(o, (0,), ct.full((8,), last * 10 + count, ct.float32))


@case(2538.0)
def continue_keeps_carried(x, n, o):
    a = 1
    b = 2
    for i in range(6):
        a, b = b, a + b
        if i % 2 == 0:
            continue
        a = a + 1
    ct.store(o, (0,), ct.full((8,), a * 100 + b, ct.float32))


@case(31.0)
def while_nested_break(x, n, o):
    s = 0
    while True:
        t = 0
        while True:
            t += 1
            if t > s:
                break
        s += t
        if s > 20:
            break
    ct.store(o, (0,), ct.full((8,), s, ct.float32))


@case(3.0)
def dead_code(x, n, o):
    ct.store(o, (0,), ct.full((8,), n, ct.float32))
    for i in range(3):
        break
        n = n + ct.load(x, (0,), (8,))
    return
    n = undefined_name + 1


@case(3.0)
def return_in_loop(x, n, o):
    for i in range(5):
        ct.store(o, (0,), ct.full((8,), i, ct.float32))
        if i == n:
            return
    ct.store(o, (0,), ct.full((8,), 99, ct.float32))


@case([32.0, 42.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def shadowed_loop_in_helper(x, n, o):
    def f(i):
        s = i
        for i in range(3):
            s = s + i
        return s * 10 + i
    for i in range(2):
        ct.scatter(o, i, f(i) * 1.0)


@case(4.0)
def define_in_both_read_in_loop(x, n, o):
    s = 0.0
    for i in range(3):
        if i > n - 3:
            w = 2.0
        else:
            w = i * 0.5
        s = s + w
    ct.store(o, (0,), ct.full((8,), s, ct.float32))
