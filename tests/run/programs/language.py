"""Python in kernels: unrolled loops, comprehensions, dataclasses, keyword dicts, context managers, nested functions."""

import contextlib
import dataclasses
import enum

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct

TABLE = {4: 2.0, 8: 3.0}
SHAPE = (8,)


class Mode(enum.Enum):
    PLAIN = 1
    DOUBLE = 2


@dataclasses.dataclass(frozen=True)
class Pair:
    x: object
    y: object = 2

    def norm(self):
        return self.x * self.x + self.y * self.y

    @property
    def total(self):
        return self.x + self.y

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y)


ORIGIN = Pair(1, 5)


@contextlib.contextmanager
def scaled(tile, factor):
    result = tile * factor
    yield result
    pass


def many(first, *rest, **options):
    total = first
    for other in ct.static_iter(rest):
        total = total + other
    if "bias" in options:
        total = total + options["bias"]
    return total * options.get("scale", 1)


def passed_on(*args, **options):
    return many(*args, **options)


@ct.kernel
def compile_time(x, out, T: ct.Constant[int]):
    ct.static_assert(T % 8 == 0, f"T is {T}")
    scale = ct.static_eval(TABLE[T])
    t = ct.load(x, (0,), SHAPE)
    for i, w in ct.static_iter(enumerate((1.5, 2.5))):
        t = t * w + i
    parts = tuple(t * i for i in ct.static_iter(range(4)) if i != 1)
    ct.store(out, (0,), t * scale + parts[1] + len(parts))
    n = ct.ensure_constant(T + 1)
    ct.store(out, (1,), ct.full((ct.static_eval(n - 1),), n, ct.float32))


def compile_time_expected(x, out, T):
    t = (x * np.float32(1.5)) * np.float32(2.5) + np.float32(1)
    return [np.concatenate([t * 3 + t * 2 + 3, np.full(8, 9)]).astype(np.float32)]


@ct.kernel
def dataclasses_of_tiles(x, out, n):
    t = ct.load(x, (0,), SHAPE)
    p = Pair(t, y=3) + ORIGIN
    for _ in range(n):
        p = Pair(p.x + 1, p.y)
    if n > 1:
        q = Pair(t, 1)
    else:
        q = dataclasses.replace(Pair(t), x=t * 2, y=1)
    mode = Mode.PLAIN
    with scaled(p.norm(), 2.0) as s:
        if mode is Mode.PLAIN:
            s = s + p.total
        ct.store(out, (0,), s + q.x)


def dataclasses_expected(x, out, n):
    p = x + 1 + n
    return [(p * p + 64) * 2 + (p + 8) + (x if n > 1 else x * 2)]


@ct.kernel
def keyword_arguments(x, out):
    t = ct.load(x, (0,), SHAPE)
    ct.store(out, (0,), many(t, t * 2, t * 3, bias=3, scale=2) + passed_on(t, scale=Mode.DOUBLE.value))


@ct.kernel
def carried_tuple(out, n):
    pair = (0, 1)
    for _ in range(n):
        pair = (pair[1] + 0, pair[0] + pair[1])
    first, second = pair
    ct.store(out, (0,), first)
    ct.store(out, (1,), second)


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return [np.array([a, b], np.int32)]


@ct.kernel
def nested(out):
    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    b = ct.bid(0)

    def shifted(v):
        return v + b

    def twice(v):
        return shifted(shifted(v))

    ct.store(out, (b,), factorial(5) + twice(b) + even(4))


def arrays_back(a, b):
    return b.tiled_view((4,)), a, ct.bid(0)


@ct.kernel
def returned_arrays(x, out):
    view, given, block = arrays_back(x, out)
    view.store((block,), ct.load(given, (block,), (4,)) + block)


def count_down(k):
    return 1 if k == 0 else 1 + count_down(k - 1)


def added(b, k):
    return b if k == 0 else 1 + added(b, k - 1)


@ct.kernel
def deep_recursion(out):
    ct.store(out, (0,), count_down(200))
    ct.store(out, (1,), added(ct.bid(0), 300))


@ct.kernel
def rank_zero(x, out, scalar):
    t = ct.load(x, (), ())
    ct.store(out, (0,), t * 2)
    ct.store(scalar, (), t + 1)
    ct.scatter(scalar, (), ct.gather(scalar, ()) + 5)
    view = scalar.tiled_view(())
    view.store((), view.load(()) * 2)
    view.atomic_add((), 1.0)


CASES = [
    Case("compile-time words", compile_time, (1,), lambda rng: (fresh(rng, 8), blank(16), 8), (1,), compile_time_expected, terms=4, scale=20),
    *(
        Case(f"dataclasses, {n} rounds", dataclasses_of_tiles, (1,), lambda rng, n=n: (fresh(rng, 8), blank(8), n), (1,), dataclasses_expected, terms=4, scale=200)
        for n in (0, 1, 3)
    ),
    Case("keyword dicts", keyword_arguments, (1,), lambda rng: (fresh(rng, 8), blank(8)), (1,), lambda x, out: [(x * 6 + 3) * 2 + x * 2], terms=6, scale=30),
    *(
        Case(f"a tuple carried {n} rounds", carried_tuple, (1,), lambda rng, n=n: (blank(2, "int32"), n), (0,), lambda out, n: fibonacci(n))
        for n in (0, 1, 10)
    ),
    Case("functions in functions", nested, (3,), lambda rng: (blank(3, "int32"),), (0,), lambda out: [121 + 3 * np.arange(3, dtype=np.int32)]),
    Case("arrays that come back", returned_arrays, (2,), lambda rng: (fresh(rng, 8), blank(8)), (1,), lambda x, out: [x + np.arange(8) // 4]),
    Case("recursion of hundreds of calls", deep_recursion, (1,), lambda rng: (blank(2, "int32"),), (0,), lambda out: [np.array([201, 300], np.int32)]),
    Case(
        "rank 0", rank_zero, (1,), lambda rng: (fresh(rng, ()), blank(1), blank(())), (1, 2),
        lambda x, out, scalar: [np.array([x * 2]), np.array((x + 6) * 2 + 1)], terms=3, scale=20,
    ),
]  # fmt: skip
