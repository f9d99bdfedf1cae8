"""Declarations, block position, tile factories and compile-time constants."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.function
def weighted(x, y):
    return x + 2 * y


def unmarked(x):
    # A plain function that a kernel calls is a tile function too.
    return weighted(x, 1)


@ct.kernel
def call_helpers(a, b, c):
    i = ct.bid(0)
    ct.store(c, (i,), weighted(ct.load(a, (i,), (16,)), unmarked(ct.load(b, (i,), (16,)))))


@ct.kernel
def positions(out):
    x, y, z = ct.bid(0), ct.bid(1), ct.bid(2)
    nx, ny, nz = ct.num_blocks(0), ct.num_blocks(1), ct.num_blocks(2)
    ct.store(out, (x, y, z, 0), (x * 100 + y) * 100 + z)
    ct.store(out, (x, y, z, 1), (nx * 100 + ny) * 100 + nz)


@ct.kernel
def factories(zeros, ones, filled, count):
    ct.store(zeros, (0, 0), ct.zeros((64, 64), dtype=ct.float32))
    ct.store(ones, (0,), ct.ones((128,), dtype=ct.float16))
    ct.store(filled, (0, 0), ct.full((32, 32), 3.14, dtype=ct.float32))
    ct.store(count, (0,), ct.arange(8, dtype=ct.int32))


@ct.kernel
def arange_steps(a, b, start, step):
    ct.store(a, (0,), ct.arange(16, dtype=ct.int64, start=-3, step=5))
    ct.store(b, (0,), ct.arange(16, dtype=ct.int32, start=start, step=step))


@ct.kernel
def constants(out, shape, TILE: ct.Constant[int], SCALE: ct.Constant[float], FLIP: ct.Constant):
    t = ct.full((TILE,), SCALE, dtype=ct.float32)
    if FLIP:
        t = -t
    ct.store(out, (ct.bid(0),), t)
    # A tile knows its shape, dtype and rank while it is being translated.
    ct.store(shape, (0,), t.shape[0] + t.ndim * 1000)


@ct.kernel
def tiles_of_an_array(x, out, TM: ct.Constant[int], TN: ct.Constant[int]):
    ct.store(out, (0,), ct.num_tiles(x, 0, (TM, TN)))
    ct.store(out, (1,), ct.num_tiles(x, axis=1, shape=(TM, TN)))
    ct.store(out, (2,), ct.cdiv(x.shape[0], 3))
    ct.store(out, (3,), x.shape[0] * 1000 + x.shape[1] + x.ndim)


def grid_expected(out):
    x, y, z = np.indices((3, 2, 4))
    return [np.stack([(x * 100 + y) * 100 + z, np.full_like(x, 30204)], axis=3)]


CASES = [
    Case(
        "helpers", call_helpers, (3,),
        lambda rng: (fresh(rng, 41), fresh(rng, 41), blank(41)), (2,),
        lambda a, b, c: [a + 2 * (b + 2)],
    ),
    Case(
        "positions", positions, (3, 2, 4),
        lambda rng: (blank((3, 2, 4, 2), "int32"),), (0,), grid_expected,
    ),
    Case(
        "factories", factories, (1,),
        lambda rng: (blank((64, 64)), blank(128, "float16"), blank((32, 32)), blank(8, "int32")), (0, 1, 2, 3),
        lambda *_: [np.zeros((64, 64)), np.ones(128), np.full((32, 32), np.float32(3.14)), np.arange(8)],
    ),
    Case(
        "arange with start and step", arange_steps, (1,),
        lambda rng: (blank(16, "int64"), blank(16, "int32"), 7, -2), (0, 1),
        lambda a, b, start, step: [np.arange(16) * 5 - 3, np.arange(16) * step + start],
    ),
    Case(
        "constants", constants, (2,),
        lambda rng: (blank(32), blank(1, "int32"), 16, 0.1, True), (0, 1),
        lambda *_: [np.full(32, -np.float32(0.1)), [1016]],
    ),
    Case(
        "other constants", constants, (2,),
        lambda rng: (blank(16), blank(1, "int32"), 8, 2.5, False), (0, 1),
        lambda *_: [np.full(16, 2.5), [1008]],
    ),
    Case(
        "tiles of an array", tiles_of_an_array, (1,),
        lambda rng: (fresh(rng, (100, 37)), blank(4, "int32"), 32, 8), (1,),
        lambda *_: [[4, 5, 34, 100039]],
    ),
]
