"""Public faults in control flow: loops in loops, early returns, steps, and branch-local values."""

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


@ct.kernel
def loops_in_loops(x, out, rows, chunks):
    r = ct.bid(0)
    while r < rows:
        c = 0
        total = 0
        while c < chunks:
            total = total + ct.sum(ct.load(x, (r, c), (1, 4)))
            c += 1
        ct.store(out, (r,), total * 100 + c)
        r += ct.num_blocks(0)


@ct.kernel
def some_blocks_return(x, out, limit):
    b = ct.bid(0)
    if b >= limit:
        return
    if b % 2 == 1:
        ct.store(out, (b,), ct.full((4,), -1, dtype=ct.int32))
        return
    ct.store(out, (b,), ct.load(x, (b,), (4,)))
    return


def collatz_steps(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps = steps + 1
    return steps


def next_multiple(n, divisor):
    while True:
        if n % divisor == 0:
            break
        n = n + 1
    return n


def next_multiple_by_return(n, divisor):
    while True:
        if n % divisor == 0:
            return n
        n = n + 1


@ct.kernel
def helpers_with_loops(out):
    b = ct.bid(0)
    ct.store(out, (b,), collatz_steps(b + 1) * 1000 + next_multiple(b, 7))


@ct.kernel
def helper_returns_from_a_loop(out):
    b = ct.bid(0)
    ct.store(out, (b,), next_multiple_by_return(b, 5))


@ct.kernel
def steps_and_continue(out, low, high):
    code = 0
    for i in range(1, 14, 3):
        if i == 7:
            continue
        code = code * 20 + i
    ct.store(out, (0,), code)
    total = 0
    for i in range(low, high, 4):
        for j in range(i, i + 2):
            if j % 3 == 0:
                continue
            total = total + j
    ct.store(out, (1,), total)


@ct.kernel
def unrolled_steps(out):
    for k in ct.static_iter(range(2, 8, 2)):
        ct.store(out, (k,), k * 11)


@ct.kernel
def branch_values(x, out, log, n):
    b = ct.bid(0)
    place = b
    if b < n:
        value = ct.load(x, (b,), ())
        if value > 50:
            place = b * 2
            ct.store(log, (b,), value)
        else:
            place = b + 10
    else:
        value = ct.int32(-5)
    ct.store(out, (b, 0), value)
    ct.store(out, (b, 1), place)


def returned(x, out, limit):
    want = x.reshape(8, 4).copy()
    want[1:limit:2] = -1
    want[limit:] = 77
    return [want.reshape(-1)]


def collatz(out):
    want = []
    for b in range(out.size):
        n, steps = b + 1, 0
        while n != 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        want.append(steps * 1000 + -(-b // 7) * 7)
    return [want]


def stepped(out, low, high):
    code = 0
    for i in (1, 4, 10, 13):
        code = code * 20 + i
    return [[code, sum(j for i in range(low, high, 4) for j in (i, i + 1) if j % 3)]]


def unrolled(out):
    want = np.zeros(8, np.int32)
    want[[2, 4, 6]] = 22, 44, 66
    return [want]


def branch_results(*_):
    return [[[10, 10], [90, 2], [30, 12], [99, 6], [-5, 4], [-5, 5]], [0, 90, 0, 99, 0, 0]]


CASES = [
    Case("loops in loops", loops_in_loops, (2,),
         lambda rng: (rng.integers(-9, 9, (5, 12)).astype(np.int32), blank(5, "int32"), 5, 3), (1,),
         lambda x, *_: [x.sum(1) * 100 + 3]),
    Case("only some blocks return", some_blocks_return, (8,),
         lambda rng: (np.arange(1, 33, dtype=np.int32), blank(32, "int32"), 6), (1,), returned),
    Case("helpers with loops", helpers_with_loops, (12,), lambda rng: (blank(12, "int32"),), (0,), collatz),
    Case("helper returns from a loop", helper_returns_from_a_loop, (12,), lambda rng: (blank(12, "int32"),), (0,),
         lambda out: [-(-np.arange(12) // 5) * 5]),
    Case("steps and continue", steps_and_continue, (1,), lambda rng: (blank(2, "int32"), -3, 18), (0,), stepped),
    Case("unrolled steps", unrolled_steps, (1,), lambda rng: (np.zeros(8, np.int32),), (0,), unrolled),
    Case("only the taken branch", branch_values, (6,),
         lambda rng: (np.array([10, 90, 30, 99], np.int32), blank((6, 2), "int32"), np.zeros(6, np.int32), 4), (1, 2),
         branch_results),
]
