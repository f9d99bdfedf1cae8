"""Public faults with names: C++ words as function names, closures from one factory, lambdas on one line."""

import numpy as np
from case import Case, blank

import tile2cpp.lang as ct


def double(v):
    return v * 2


def exp(v):
    return v + 100


def load(v):
    return exp(double(v))


def main(v):
    return load(v) - 1


@ct.kernel
def int32(x, out):
    ct.store(out, (0,), main(ct.load(x, (0,), (8,))))


def template(this, typename):
    return this - typename


@ct.kernel
def namespace(auto, operator, new):
    # Every name here is a word of C++.
    register = ct.load(auto, (0,), (8,))
    signed = register * new
    for union in range(3):
        signed = signed + union
    ct.store(operator, (0,), template(signed, register))


@ct.kernel
def closures(x, out):
    def make(k, bias=1):
        def scaled(v):
            return v * k + bias

        return scaled

    f = make(2)
    g = make(5, bias=-1)
    h = lambda v: f(v) + g(v)  # noqa: E731  (lambdas as values are the point)
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), f(t))
    ct.store(out, (1,), g(t))
    ct.store(out, (2,), h(t))


def kernel_with(factor):
    """Kernels that differ only in what they capture."""

    @ct.kernel
    def captured(x, out):
        ct.store(out, (0,), ct.load(x, (0,), (8,)) * factor)

    return captured


@ct.kernel
def split_lambda(x, out):
    t = ct.load(x, (0,), (8,))
    total = ct.reduce(t, 0, lambda p, q: (
        p
        + q
    ), 0)
    ct.store(out, (0,), total)


@ct.kernel
def two_lambdas(x, out):
    f, g = (lambda v: v + 1), (lambda v: v * 3)
    t = ct.load(x, (0,), (8,))
    ct.store(out, (0,), f(t) - g(t))


def numbers(*outputs):
    return lambda rng: (rng.integers(-9, 9, 8).astype(np.int32), *(blank(size, "int32") for size in outputs))


CASES = [
    Case("functions named like C++ words", int32, (1,), numbers(8), (1,), lambda x, out: [x * 2 + 99]),
    Case("variables named like C++ words", namespace, (1,),
         lambda rng: (np.arange(8, dtype=np.int32), blank(8, "int32"), 4), (1,),
         lambda x, out, new: [x * new + 3 - x]),
    Case("closures of one factory", closures, (1,), numbers(24), (1,),
         lambda x, out: [np.concatenate([x * 2 + 1, x * 5 - 1, x * 7])]),
    Case("kernels of one factory: 3", kernel_with(3), (1,), numbers(8), (1,), lambda x, out: [x * 3]),
    Case("kernels of one factory: 7", kernel_with(7), (1,), numbers(8), (1,), lambda x, out: [x * 7]),
    Case("lambda over several lines", split_lambda, (1,), numbers(1), (1,), lambda x, out: [[x.sum()]]),
    Case("two lambdas on one line", two_lambdas, (1,), numbers(8), (1,), lambda x, out: [x + 1 - x * 3]),
]
