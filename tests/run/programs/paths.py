"""What a name holds where paths meet: arrays, views, functions and constants that differ by branch, by round, by way out of a loop."""

import dataclasses

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


def counted(n, start=0, dtype="int32"):
    return np.arange(start, start + n, dtype=dtype)


@ct.kernel
def swapped_each_round(x, y, rounds):
    old, new = x, y
    for _ in range(rounds):
        ct.store(new, (0,), ct.load(old, (0,), (16,)) + 1)
        old, new = new, old
    ct.store(old, (1,), ct.load(old, (0,), (16,)) * 2)


def swapped_expected(x, y, rounds):
    old, new = x, y
    for _ in range(rounds):
        new[:16] = old[:16] + 1
        old, new = new, old
    old[16:] = old[:16] * 2
    return [x, y]


@ct.kernel
def one_of_two(x, y, out, first):
    chosen = x if first else y
    ct.store(out, (0, 0), ct.load(chosen, (0, 0), (4, 4)))
    ct.scatter(out, (0, 0), chosen.shape[0])
    ct.scatter(out, (1, 0), chosen.strides[0])
    ct.scatter(out, (2, 0), chosen.strides[1])
    view = chosen.tiled_view((2, 2))
    ct.store(out, (1, 1), view.load((1, 1)))


def one_of_two_args(first):
    x = counted(64).reshape(8, 8)
    x.flags.writeable = False  # nothing writes to it, whichever it is
    return x, counted(200).reshape(10, 20).T[::2], blank((4, 4), "int32"), first


def one_of_two_expected(x, y, out, first):
    chosen = x if first else y
    out[:] = chosen[:4, :4]
    out[0, 0], out[1, 0], out[2, 0] = chosen.shape[0], chosen.strides[0] // 4, chosen.strides[1] // 4
    out[2:, 2:] = chosen[2:4, 2:4]
    return [out]


@ct.kernel
def parts_of_parts(x, out):
    rest = x
    for i in range(3):
        rest = rest.slice(0, 2, rest.shape[0])
        ct.scatter(out, i, ct.gather(rest, 0))
    ct.scatter(out, 3, rest.shape[0])


@ct.kernel
def found_in_an_endless_loop(x, y, out, rounds):
    source, i = x, 0
    while True:
        if i >= rounds:
            found, part, pair = source, source.slice(0, 1, 3), (i, ct.gather(source, i))
            break
        source = y
        i += 1
    ct.scatter(out, 0, ct.gather(found, 0))
    ct.scatter(out, 1, ct.gather(part, 0))
    ct.scatter(out, 2, pair[0])
    ct.scatter(out, 3, pair[1])
    ct.scatter(part, 1, 77)


def found_expected(x, y, out, rounds):
    source = y if rounds else x
    out[:] = source[0], source[1], rounds, source[rounds]
    source[2] = 77
    return [x, y, out]


def either(x, y, first):
    if first > 0:
        return x
    return y


def halves(x):
    middle = x.shape[0] // 2
    return x.slice(0, 0, middle), x.slice(0, middle, x.shape[0]), middle


def cut(x, first):
    if first > 0:
        return x.tiled_view((4,))
    rest = x.slice(0, 4, x.shape[0])
    return rest.tiled_view((4,))


@ct.kernel
def made_by_helpers(x, y, out, first):
    chosen = either(x, y, first)
    ct.store(out, (0,), ct.load(chosen, (0,), (4,)))
    left, right, middle = halves(chosen)
    ct.store(out, (1,), ct.load(right, (0,), (4,)) + middle)
    ct.store(out, (2,), cut(left, first).load((0,)))
    ct.store(right, (1,), ct.zeros((4,), x.dtype))


def made_expected(x, y, out, first):
    chosen = x if first else y
    middle = len(chosen) // 2
    out[:4], out[4:8] = chosen[:4], chosen[middle : middle + 4] + middle
    out[8:] = chosen[:4] if first else chosen[4:8]
    chosen[middle + 4 : middle + 8] = 0
    return [x, y, out]


@dataclasses.dataclass(frozen=True)
class Source:
    array: object
    total: object


@ct.kernel
def arrays_in_values(x, y, out, rounds):
    source, pair = Source(x, 0), (x, 1)
    for i in range(rounds):
        source = Source(y, source.total + ct.gather(source.array, i))
        pair = (pair[0], i) if i < 1 else (y, i)
    ct.scatter(out, 0, source.total)
    ct.scatter(out, 1, ct.gather(source.array, 0))
    ct.scatter(out, 2, ct.gather(pair[0], 0))
    ct.scatter(out, 3, pair[1])


@ct.kernel
def tuples_swapped(out, rounds):
    a, b = (1, 2), (3, 4)
    for i in range(rounds):
        a, b = b, a
        a = (a[0] + i, a[1])
    for j in ct.static_iter(range(2)):
        ct.scatter(out, j, a[j])
        ct.scatter(out, j + 2, b[j])


def tuples_expected(out, rounds):
    a, b = (1, 2), (3, 4)
    for i in range(rounds):
        a, b = b, a
        a = (a[0] + i, a[1])
    return [np.array([*a, *b], np.int32)]


def line(slope):
    def at(x, offset=slope + 1):
        return slope * x + offset

    slope = slope * 10
    return at


@ct.kernel
def functions_by_path(out, rounds):
    f = line(2) if ct.bid(0) == 0 else line(3)
    g = line(ct.bid(0) + 5)
    for i in range(rounds):
        f, g = g, line(f(i))
    ct.scatter(out, (ct.bid(0), 0), f(1))
    ct.scatter(out, (ct.bid(0), 1), g(2))


def functions_expected(out, rounds):
    for block in range(2):
        f, g = line(2 + block), line(block + 5)
        for i in range(rounds):
            f, g = g, line(f(i))
        out[block] = f(1), g(2)
    return [out]


@ct.kernel
def constants_on_all_ways_out(out):
    size, i = 0, 0
    while True:
        if ct.bid(0) == i:
            size, kind = 4, "int"
            break
        if i > 5:
            size, kind = 4, "int"
            break
        i += 1
        size += 1
    ct.store(out, (0,), ct.full((size,), i, ct.int32 if kind == "int" else ct.float32))


def last_of(items):
    return ct.load(items[-1], (0,), (4,))


@ct.kernel
def lists_by_path(xs, ys, ws, out, rounds):
    chosen = ys if rounds > 3 else xs
    for i in range(rounds):
        if i == 1:
            chosen = ws
        elif i > 1:
            chosen = chosen if ct.bid(0) == 0 else xs
        total = ct.zeros((4,), ct.int32)
        for j in range(len(chosen)):
            total += ct.load(chosen[j], (0,), (4,))
        ct.store(out, (ct.bid(0), i), total.reshape((1, 4)))
    while True:
        if ct.bid(0) == 1:
            chosen = ws
            break
        break
    ct.store(out, (ct.bid(0), rounds), last_of(chosen).reshape((1, 4)))


def lists_expected(xs, ys, ws, out, rounds):
    found = np.array(out)
    for block in range(2):
        chosen = ys if rounds > 3 else xs
        for i in range(rounds):
            chosen = ws if i == 1 else xs if i > 1 and block else chosen
            found[block, 4 * i : 4 * i + 4] = sum(chosen)
        found[block, 4 * rounds : 4 * rounds + 4] = (ws if block else chosen)[-1]
    return [found]


CASES = [
    *(
        Case(f"two arrays swapped in {n} rounds", swapped_each_round, (1,), lambda rng, n=n: (counted(32), counted(32, 50), n), (0, 1), swapped_expected)
        for n in (0, 1, 2, 5)
    ),
    *(Case(f"an array of two, {first}", one_of_two, (1,), lambda rng, first=first: one_of_two_args(first), (2,), one_of_two_expected) for first in (True, False)),
    Case("parts of parts", parts_of_parts, (1,), lambda rng: (counted(16), blank(4, "int32")), (1,), lambda x, out: [np.array([2, 4, 6, 10], np.int32)]),
    *(
        Case(
            f"found after {n} rounds of an endless loop", found_in_an_endless_loop, (1,),
            lambda rng, n=n: (counted(16), counted(16, 100), blank(4, "int32"), n), (0, 1, 2), found_expected,
        )
        for n in (0, 2)
    ),
    *(
        Case(f"arrays made by helpers, {first}", made_by_helpers, (1,), lambda rng, first=first: (counted(16), counted(32, 100), blank(12, "int32"), first), (0, 1, 2), made_expected)
        for first in (0, 1)
    ),
    Case(
        "arrays in tuples and dataclasses", arrays_in_values, (1,), lambda rng: (counted(4, 1), counted(4, 10), blank(4, "int32"), 3), (2,),
        lambda x, y, out, n: [np.array([1 + 11 + 12, 10, 10, 2], np.int32)],
    ),
    Case("tuples that change places", tuples_swapped, (1,), lambda rng: (blank(4, "int32"), 3), (0,), tuples_expected),
    *(Case(f"functions after {n} rounds", functions_by_path, (2,), lambda rng, n=n: (blank((2, 2), "int32"), n), (0,), functions_expected) for n in (0, 1, 3)),
    *(
        Case(
            f"lists after {n} rounds", lists_by_path, (2,),
            lambda rng, n=n: ([counted(4), counted(4, 10)], [counted(4, 100)], [counted(4, 3), counted(4, 5), counted(4, 9)], blank((2, 24), "int32"), n), (3,), lists_expected,
        )
        for n in (0, 1, 2, 5)
    ),
    Case("constants on all ways out", constants_on_all_ways_out, (1,), lambda rng: (blank(4, "int32"),), (0,), lambda out: [np.zeros(4, np.int32)]),
]  # fmt: skip
