"""Functions of one text that mean different things, and several on one line."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


def adding(step, then=None):
    def add(t):
        made = t + step
        return then(made) if then is not None else made

    return add


def scaled(factor):
    return lambda t: t * factor


def applying(op):
    return lambda a, b: op(a, b)


def steps(inner):
    def outer(t):
        def twice(u):
            return inner(inner(u))

        return twice(t)

    return outer


ONE, TEN = adding(1.0), adding(10.0)
DEEP, DEEPER = adding(1.0, adding(100.0)), adding(1.0, adding(200.0))
LINE = (lambda t: t + 1.0, lambda t: ct.maximum(t, 3.0), lambda t: t * 2.0, lambda t: (lambda u: u - t)(t * 3.0))


@case([11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5])
def one_text_with_two_values(x, n, o):
    ct.store(o, (0,), TEN(ONE(ct.load(x, (0,), (8,)))))


@case([302.0 + 2 * v for v in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)])
def a_function_that_holds_another(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), DEEP(t) + DEEPER(t))


@case([3.0 * v - 3.0 for v in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)])
def made_in_the_kernel(x, n, o):
    t = ct.load(x, (0,), (8,))
    make = lambda by: (lambda u: u * by)
    double, triple = make(2.0), make(3.0)
    ct.store(o, (0,), triple(t) - n + double(t) * 0.0)


SUM, LARGEST = applying(ct.add), applying(ct.maximum)
HALF, QUARTER = scaled(0.5), scaled(0.25)


@case([32.0 + 7.5 + 0.75 * v for v in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)])
def as_combiners_and_factors(x, n, o):
    t = ct.load(x, (0,), (8,))
    ct.store(o, (0,), ct.reduce(t, 0, SUM, 0.0) + ct.reduce(t, 0, LARGEST, 0.0) + HALF(t) + QUARTER(t))


PLUS, TIMES = steps(adding(1.0)), steps(scaled(2.0))


@case([4.0 * v + 2.0 for v in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)])
def functions_inside_functions(x, n, o):
    ct.store(o, (0,), PLUS(TIMES(ct.load(x, (0,), (8,)))))


@case([(v + 1) + max(v, 3) + 2 * v + 2 * v for v in (0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5)])
def several_on_one_line(x, n, o):
    t = ct.load(x, (0,), (8,))
    made = ct.zeros((8,), ct.float32)
    for f in ct.static_iter(LINE):
        made = made + f(t)
    ct.store(o, (0,), made)
