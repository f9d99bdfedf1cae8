"""Kernels that say nothing of their arguments; each has the signature that its uses show."""

import cuda.tile as ct

ConstInt = ct.Constant[int]


def row_and_column(block, columns):
    return block // columns, block % columns


def store_at(where, target, value):
    ct.store(target, index=where, tile=value)


@ct.kernel
def scale(x, y, factor, TILE: ConstInt):
    """x: f32[?], y: f32[?], factor: f32, TILE=128"""
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (TILE,)) * factor)


@ct.kernel
def through_helpers(x, y, columns, TM: ConstInt, TN: ConstInt):
    """x: f32[?,?], y: f32[?,?], columns: i32, TM=64, TN=64"""
    where = row_and_column(ct.bid(0), columns)
    store_at(where, y, ct.load(x, where, (TM, TN)))


@ct.kernel
def unpacked_shape(x, out):
    """x: f32[?,?,?], out: f32[?]"""
    a, b, c = x.shape
    ct.store(out, (0,), a * b * c)


@ct.kernel
def indices(table, picked, out, n, TILE: ct.Constant):
    """table: f32[?,?], picked: i32[?], out: f32[?], n: i32, TILE=128"""
    lanes = ct.bid(0) * TILE + ct.arange(TILE, dtype=ct.int32)
    rows = ct.gather(picked, lanes, mask=lanes < n)
    ct.scatter(out, lanes, ct.gather(table, (rows, 0)))


@ct.kernel
def constants(x, out, ROWS: ConstInt, STEPS: ct.Constant[int], EPS: ct.Constant[float], FLAG: ct.Constant[bool], GROUP: ConstInt = 4):
    """x: f32[?], out: f32[?], ROWS=128, STEPS=4, EPS=1.0, FLAG=True, GROUP=4"""
    total = ct.zeros((ROWS,), ct.float32)
    for step in range(STEPS):
        total += ct.load(x, step * GROUP, ROWS) + EPS
    ct.store(out, 0, total if FLAG else -total)


@ct.kernel
def views(x, y):
    """x: f32[?,?], y: f32[?,?]"""
    source, target = x.tiled_view((16, 16)), y.tiled_view((16, 16))
    target.store((0, 0), source.load((0, 0)))


@ct.kernel
def stated(x: "f16[?,64]", y: "f16[?,64]", n: int, s: float, flag: bool):
    """x: f16[?,64], y: f16[?,64], n: i32, s: f32, flag: bool"""
    if flag:
        ct.store(y, (n, 0), (ct.load(x, (n, 0), (16, 64)) * s).astype(y.dtype))


@ct.kernel
def three_extents(x, y, A: ConstInt, B: ConstInt, C: ConstInt):
    """x: f32[?,?,?], y: f32[?,?,?], A=16, B=16, C=16"""
    i = ct.bid(0)
    ct.store(y, (i, 0, 0), ct.load(x, (i, 0, 0), (A, B, C)))


@ct.kernel
def bits(x, y):
    """x: i32[?], y: f32[?]"""
    ct.store(y, (0,), ct.load(x, (0,), (64,)) & 7)


@ct.kernel
def counted(x, out, first, last):
    """x: f32[?], out: f32[?], first: i32, last: i32"""
    total = 0.0
    for i in range(first, last):
        total = total + ct.load(x, (i,), ())
    ct.store(out, (0,), total)


@ct.kernel
def listed(arrays, out):
    """arrays: [f32[?,?]], out: f32[?,?]"""
    total = ct.zeros((16, 16), out.dtype)
    for i in range(len(arrays)):
        total += ct.load(arrays[i], (0, 0), (16, 16))
    ct.store(out, (0, 0), total)


@ct.kernel
def in_tuples(pair, config: tuple[ConstInt, int], out):
    """pair: (f32[?], i32), config: (=128, i32), out: f32[?]"""
    ct.store(out, (pair[1] + config[1],), ct.load(pair[0], (0,), (config[0],)))


@ct.kernel
def taken_apart(pair, many, out, shape: ct.Constant[tuple]):
    """pair: (f32[?], f32), many: (f32[?], f32[?]), out: f32[?], shape=(128,)"""
    x, factor = pair
    total = ct.load(x, (0,), shape) * factor * 2.0
    for i, one in ct.static_iter(enumerate(many)):
        total = total + ct.load(one, (i,), (shape[0],))
    ct.store(out, (0,), total)
