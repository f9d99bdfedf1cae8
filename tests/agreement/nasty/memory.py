"""Indices at the edges of their dtypes, parts of arrays, loads before stores."""

# ruff: noqa
from nasty_case import case

import tile2cpp.lang as ct


@case([0.0, 101.0, 0.5, 3.5, 4.5, 5.5, 6.5, 7.5])
def load_then_scatter_same_array(x, n, o):
    ct.store(o, (0,), ct.load(x, (0,), (8,)))
    a = ct.gather(o, 0)
    ct.scatter(o, 0, a + 100)
    b = ct.gather(o, 0)
    ct.scatter(o, 1, a + b)
    c = a if n > 2 else b
    ct.scatter(o, 0, 0.0)
    ct.scatter(o, 2, c)


@case([53.5, 1.5, 2.5, 70.0, 4.5, 5.5, 6.5, 7.5])
def lazy_value_survives_store(x, n, o):
    ct.store(o, (0,), ct.load(x, (0,), (8,)))
    f = lambda: ct.gather(o, 3)
    before = f()
    ct.scatter(o, 3, 50.0)
    t = (ct.gather(o, 3), before)
    ct.scatter(o, 3, 70.0)
    ct.scatter(o, 0, t[0] + t[1])


@case([0.0, 9.0, 4.5, 0.0, 0.0, 0.0, 0.0, 0.0])
def tuple_literal_loads_then_store(x, n, o):
    a, b = ct.gather(x, 1), ct.gather(o, 0)
    p = (ct.gather(o, 1), n)
    ct.scatter(o, 1, 9.0)
    ct.scatter(o, 2, a + b + p[0] + p[1])


@case([40.0, 40.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
def argument_loaded_before_store(x, n, o):
    def put(v):
        ct.scatter(o, 0, 40.0)
        return v + ct.gather(o, 0)
    r = put(ct.gather(o, 0))
    ct.scatter(o, 1, r)


@case([0.0, 0.0, 0.0, 7.0, 9.0, 11.0, 13.0, 15.0])
def select_of_loads(x, n, o):
    t = ct.load(x, (0,), (8,))
    u = ct.where(t > 3, ct.load(x, (0,), (8,)), ct.load(o, (0,), (8,)))
    ct.store(o, (0,), u)
    ct.store(o, (0,), u + ct.load(o, (0,), (8,)))


@case([-54296.0, -54321.0, -54321.0, -54319.5, -54318.5, -54317.5, -54316.5, -54315.5])
def indices_of_every_dtype(x, n, o):
    t = ct.gather(x, ct.arange(8, dtype=ct.int32) - 3, padding_value=-1)
    u = ct.gather(x, ct.arange(8, dtype=ct.int64) * 1000000000000, padding_value=-2)
    v = ct.gather(x, ct.full((8,), 4294967295, ct.uint32), padding_value=-3)
    w = ct.gather(x, ct.full((8,), 2**64 - 1, ct.uint64), padding_value=-4)
    z = ct.gather(x, ct.full((8,), -2**63, ct.int64), padding_value=-5)
    ct.store(o, (0,), t + u * 10 + v * 100 + w * 1000 + z * 10000)


@case([9.0, 0.0, 9.0, 0.0, 9.0, 3.5, 9.0, 0.0])
def scatter_out_of_bounds(x, n, o):
    i = ct.arange(8, dtype=ct.int32)
    ct.scatter(o, i * 3 - 4, ct.load(x, (0,), (8,)))
    ct.scatter(o, i + 2147483640, 5.0)
    ct.scatter(o, i, 9.0, mask=i % 2 == 0)


@case([3.5, 4.5, 5.5, 50.0, 50.0, 0.0, 0.0, 0.0])
def sub_view_edges(x, n, o):
    s = x.slice(0, 3, 7)
    ct.store(o, (0,), ct.load(s, (0,), (8,), padding_mode=ct.PaddingMode.ZERO))
    q = o.slice(0, n, n + 2)
    ct.store(q, (0,), ct.full((4,), 50, ct.float32))


@case([1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0, 15.0])
def load_order_and_reuse(x, n, o):
    a = ct.load(x, 0, 8)
    b = ct.load(x, (0,), 8)
    ct.store(o, 0, a + b)


@case([4.5, 5.5, 4.5, 5.5, 3.5, 3.5, 3.5, 3.5])
def extract_runtime(x, n, o):
    t = ct.load(x, (0,), (8,))
    u = ct.extract(t, (n - 1,), (2,))
    v = ct.extract(t, (n,), (1,)).item()
    ct.store(o, (0,), ct.cat((ct.cat((u, u), 0), ct.full((4,), v, ct.float32)), 0))


@case([0.0, 1.5, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0])
def mixed_index_types(x, n, o):
    i = ct.int64(n)
    ct.scatter(o, i, ct.gather(x, ct.uint8(n)) + ct.gather(x, ct.int16(1)))
    for j in range(ct.int64(2)):
        ct.scatter(o, j, j * 1.5)


@case(3.0)
def range_int8(x, n, o):
    s = 0
    for j in range(ct.int8(n)):
        s = s + j
    ct.store(o, (0,), ct.full((8,), s, ct.float32))
