"""`with`: what helpers do around a block, however control leaves it."""

import contextlib
import dataclasses

import numpy as np
from case import Case

import tile2cpp.lang as ct

NUMBERS = 24


def note(log, number):
    """Write down that this was reached: log[0] counts."""
    position = ct.gather(log, 0) + 1
    ct.scatter(log, 0, position)
    ct.scatter(log, position, number)


@contextlib.contextmanager
def around(log, first, last):
    note(log, first)
    yield first
    note(log, last)


@contextlib.contextmanager
def twice_around(log, start):
    note(log, start)
    with around(log, start + 1, start + 3) as inner:
        yield inner + 1
        note(log, start + 2)
    with around(log, start + 4, start + 6):
        note(log, start + 5)


@contextlib.contextmanager
def with_finally(log):
    try:
        note(log, 60)
        yield
    finally:
        note(log, 61)


@contextlib.contextmanager
def lends_a_function(log, number):
    def write():
        note(log, number)

    yield write
    number += 1
    note(log, 90)


@contextlib.contextmanager
def never_again(log):
    note(log, 1)
    yield
    while True:
        note(log, 3)
        break
        yield


@dataclasses.dataclass(frozen=True)
class Log:
    array: object

    @contextlib.contextmanager
    def around(self, first, last=99):
        note(self.array, first)
        yield self
        note(self.array, last)


@ct.kernel
def left_at_the_end(log):
    with around(log, 1, 2) as a, around(log, 3, 4) as b:
        ct.static_assert(a == 1 and b == 3)
        note(log, 9)
    with twice_around(log, 10) as c:
        ct.static_assert(c == 12)
        note(log, 50)
    with with_finally(log):
        pass
    with never_again(log):
        pass
    manager = around(log, 70, last=71)
    with manager:
        note(log, 72)


@ct.kernel
def left_by_break(log):
    i = 0
    while True:
        with twice_around(log, 10 * i):
            i += 1
            if i == 2:
                break
        note(log, 77)
    note(log, 88)


@ct.kernel
def left_by_continue(log):
    with around(log, 50, 51):
        for i in range(2):
            with around(log, i, i + 10):
                with Log(log).around(i + 20):
                    if i == 0:
                        continue
                    note(log, 40)


@ct.kernel
def left_by_return(log, early):
    with around(log, 1, 2):
        while True:
            with around(log, 3, 4):
                if early:
                    return
                break
        note(log, 5)
    note(log, 6)


def lent(log, early):
    with lends_a_function(log, 30) as write:
        write()
        if early:
            return write, ct.gather(log, 0)
    return write, ct.gather(log, 0)


@ct.kernel
def a_value_returned(log, early):
    write, before = lent(log, early)
    write()
    note(log, before)


def written(*numbers):
    log = np.zeros(NUMBERS, np.int32)
    log[0] = len(numbers)
    log[1 : 1 + len(numbers)] = numbers
    return [log]


def empty(*rest):
    return lambda rng: (np.zeros(NUMBERS, np.int32), *rest)


TO_THE_END = (1, 3, 9, 4, 2, 10, 11, 50, 12, 13, 14, 15, 16, 60, 61, 1, 3, 70, 72, 71)
CASES = [
    Case("left at the end", left_at_the_end, (1,), empty(), (0,), lambda log: written(*TO_THE_END)),
    Case("left by break", left_by_break, (1,), empty(), (0,), lambda log: written(0, 1, 2, 3, 4, 5, 6, 77, 10, 11, 12, 13, 14, 15, 16, 88)),
    Case("left by continue", left_by_continue, (1,), empty(), (0,), lambda log: written(50, 0, 20, 99, 10, 1, 21, 40, 99, 11, 51)),
    Case("left by return", left_by_return, (1,), empty(True), (0,), lambda log, early: written(1, 3, 4, 2)),
    Case("not left by return", left_by_return, (1,), empty(False), (0,), lambda log, early: written(1, 3, 4, 5, 2, 6)),
    Case("a value returned early", a_value_returned, (1,), empty(True), (0,), lambda log, early: written(30, 90, 31, 1)),
    Case("a value returned at the end", a_value_returned, (1,), empty(False), (0,), lambda log, early: written(30, 90, 31, 2)),
]
