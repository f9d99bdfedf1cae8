"""Kernels with tuples, lists and annotated parameters; the annotations are texts, as below this import."""

from __future__ import annotations

from typing import Annotated

import tile2cpp.lang as ct

Size = ct.Constant[int]
Rows = Annotated[ct.Array, ct.ArrayAnnotation(static_shape_dims=(-1,), static_stride_dims=(0, -1))]
WideList = Annotated[list, ct.ListAnnotation(element=ct.ArrayAnnotation(index_dtype=ct.int64))]


@ct.kernel
def add_pair(pair, y, T: Size):
    x, factor = pair
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (T,)) * factor + pair[1])


@ct.kernel
def nested(p: tuple[tuple[ct.Constant[int], float], object], y):
    (n, s), x = p
    ct.store(y, (0,), ct.load(x, (0,), (n,)) * s)


@ct.kernel
def constants(shape: ct.Constant[tuple[int, int]], rest: tuple[ct.Constant[int], ...], y):
    ct.store(y, (0, 0), ct.full(shape, rest[0] + rest[-1], ct.float32))


def at(xs, i, T):
    return ct.load(xs[i], (ct.bid(0),), (T,))


@ct.kernel
def sum_list(xs, y, T: Size):
    acc = ct.zeros((T,), ct.float32)
    for i in range(len(xs)):
        acc = acc + at(xs, i, T)
    ct.store(y, (ct.bid(0),), acc - ct.load(xs[-1], (ct.bid(0),), (T,)))


@ct.kernel
def fill_one_list(xs, ys, value):
    zs = xs if ct.bid(0) == 0 else ys
    for i in range(len(zs)):
        ct.store(zs[i], (0,), ct.full((4,), value + i, zs[i].dtype))
    ct.scatter(xs[0], 0, ct.gather(zs[0], 1) * 2)


@ct.kernel
def fill_list(ys, value, T: Size):
    y = ys[ct.bid(1)]
    ct.store(y, (ct.bid(0),), ct.full((T,), value, y.dtype) + y.shape[0])


@ct.kernel
def list_in_tuple(p, y):
    xs, k = p
    ct.store(y, (0,), ct.load(xs[k], (0,), (16,)))


@ct.kernel
def shapes(x: Rows, y):
    ct.static_assert(x.shape[1] == 8 and x.strides[1] == 1)
    ct.store(y, (0,), x.shape[0] * 1000 + x.shape[1] * 10 + x.strides[0])


@ct.kernel
def wide_indices(x: ct.IndexedWithInt64, n: ct.ScalarInt64[int], y):
    ct.static_assert(x.shape[0].dtype == ct.int64 and n.dtype == ct.int64)
    ct.store(y, (0,), x.shape[0] + n)


@ct.kernel
def wide_list(xs: WideList, y):
    ct.store(y, (0,), xs[1].shape[0])


@ct.kernel
def marked(n: Annotated[int, ct.ConstantAnnotation()], b: ct.ScalarInt64, y):
    ct.store(y, (0,), ct.full((n,), b, ct.int64))


@ct.kernel
def far_corner(x, y):
    """Reads the last row of an array that spans more than 2**31 elements."""
    last = x.shape[0] - 1
    ct.store(y, (0, 0), ct.load(x, (last, 0), (1, 16)))
    ct.store(y, (1, 0), ct.gather(x, (last, ct.arange(16, dtype=ct.int32)))[None, :])


@ct.kernel
def int32_extents(x):
    ct.static_assert(x.shape[0].dtype == ct.int32 and x.strides[0].dtype == ct.int64)


@ct.kernel
def copy16(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)))


@ct.kernel
def scale(x, s, y):
    ct.store(y, (0,), ct.load(x, (0,), (16,)) * s)


@ct.kernel
def iterates(xs, y):
    for x in xs:
        ct.store(y, (0,), ct.load(x, (0,), (16,)))


@ct.kernel
def slices_list(xs, y):
    ct.store(y, (0,), ct.load(xs[0:1], (0,), (16,)))


@ct.kernel
def indexes_by_float(xs, y):
    ct.store(y, (0,), ct.load(xs[1.5], (0,), (16,)))


@ct.kernel
def indexes_tuple(xs, y):
    ct.store(y, (0,), ct.load(xs[ct.bid(0)], (0,), (16,)))


@ct.kernel
def many_uses(xs, y):
    acc = ct.zeros((16,), ct.float32)
    k = 0
    while k < len(xs):
        x = xs[k]

        def part(q):
            return ct.load(x, (q,), (16,)) + xs[0].shape[0] + len(xs)

        acc = acc + part(0)
        k = k + 1
    for n in range(2):
        z = xs[n]
        acc = acc + ct.gather(z, ct.arange(16, dtype=ct.int32)) + ct.load(z.slice(0, 1, 9), (0,), (16,))
    ct.store(y, (0,), acc)
