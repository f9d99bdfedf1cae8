"""Unkind kernels that are mistakes. A line that is refused says with what words."""

# ruff: noqa
import tile2cpp.lang as ct


def constant_beyond_64_bits(x, n, o):
    t = 2**64
    ct.store(o, (0,), ct.full((8,), t, ct.float32))  # refused: does not fit into 64 bits


def nan_as_integer(x, n, o):
    ct.store(o, (0,), ct.full((8,), float("nan"), ct.int32).astype(ct.float32))  # refused: has no value in int32


def constant_called(x, n, o):
    k = 5
    k(n)  # refused: `k` is 5, not a function


def result_of_nothing(x, n, o):
    def f(t):
        t + 1

    ct.store(o, (0,), f(ct.load(x, (0,), (8,))) + 1)  # refused: NoneType


def branches_of_two_types(x, n, o):
    r = 0
    if n == 0:
        r = 1
    elif n == 3:
        if n > 2:
            r = 5.5
    ct.store(o, (0,), ct.full((8,), r, ct.float32))  # refused: the branches give `r` different types


def one_mistake_in_a_loop(x, n, o):
    t = ct.load(x, (0,), (8,)) + ct.zeros((4,), ct.float32)  # refused: do not broadcast
    for i in range(n):
        t = t + 1
    ct.store(o, (0,), t)


def index_after_its_loop(x, n, o):
    for i in range(3):
        pass
    ct.store(o, (0,), ct.full((8,), i, ct.float32))  # refused: `i` has no value if the `for` loop runs zero times


def recursion_without_end(x, n, o):
    def f(k):
        if k > 0:
            return f(k - 1)  # refused: calls itself without end
        return k

    ct.store(o, (0,), ct.full((8,), f(n), ct.float32))


def closure_reads_too_early(x, n, o):
    f = lambda: later + 1  # refused: `later`
    r = f()
    later = 5
    ct.store(o, (0,), ct.full((8,), r, ct.float32))


def own_name_before_it_is_assigned(x, n, o):
    t = t + 1  # refused: `t` is used before it is assigned
    ct.store(o, (0,), t)


def shift_by_a_negative_constant(x, n, o):
    t = 1 << -1  # refused: negative shift count
    ct.store(o, (0,), ct.full((8,), t, ct.float32))


def carried_type_changes(x, n, o):
    s = 0
    for i in range(3):
        s = s + ct.load(x, (0,), (8,))  # refused: a variable keeps its type in a loop
    ct.store(o, (0,), s)
