"""Words of the language that are no operations on tiles: the grid, directives, annotations, scalars and their conditions."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from families.program import Program

import tile2cpp.lang as ct

LIMIT, NAMES = 3, ("a", "b")
Fixed = Annotated[ct.Array, ct.ArrayAnnotation(static_shape_dims=(0,), static_stride_dims=(-1,))]
Lists = Annotated[list, ct.ListAnnotation(element=ct.ArrayAnnotation(index_dtype=ct.int64))]
Whole: ct.ConstantAnnotation = ct.Constant[int]


@ct.kernel(occupancy=ct.ByTarget(default=2, sm_90=4), num_ctas=1)
def grid(out, n):
    ct.grid_dependency_control_wait()
    x, y, z = ct.bid(0), ct.bid(1), ct.bid(2)
    number = x + ct.num_blocks(0) * (y + ct.num_blocks(1) * z)
    ct.store(out, (number, 0), number)
    ct.store(out, (number, 1), ct.cdiv(number + 1, n))
    ct.store(out, (number, 2), ct.num_tiles(out, 0, (4, 1)) + ct.cdiv(7, 2))
    ct.store(out, (number, 3), ct.assume_divisible_by(n * 4, 4))
    ct.grid_dependency_control_launch_dependents()


def grid_meant(out, n):
    for number in range(12):
        out[number] = number, -(-(number + 1) // n), 3 + 4, n * 4


@ct.function(host=False, tile=True)
def helper(t: ct.Tile, view: ct.TiledView, scale: ct.Scalar, by: ct.DType = ct.float32):
    return (t + view.load((0,))) * scale.astype(by)


@ct.kernel
def annotated(x: Fixed, y: ct.Array, arrays: Lists, n: ct.ScalarInt64, wide: ct.IndexedWithInt64, pair: "tuple[ct.Constant[int], float]", T: Whole, flag: ct.Constant[bool]):
    ct.static_assert(x.shape[0] == 16 and n.dtype == ct.int64 and wide.shape[0].dtype == ct.int64)
    ct.static_assert(ct.ensure_constant(T) == 16 and y.foreign_pointer.dtype is ct.foreign_pointer_dtype(ct.float32))
    size, factor = pair
    t = helper(ct.load(x, (0,), (T,)), y.tiled_view((T,)), factor)
    for k in range(len(arrays)):
        t = t + ct.load(arrays[k], (0,), (size,))
    if flag:
        t = t + n.astype(ct.float32)
    ct.store(wide, (0,), t)


def annotated_meant(x, y, arrays, n, wide, pair, T, flag):
    wide[...] = (x + y) * np.float32(pair[1]) + arrays[0] + arrays[1] + np.float32(n)


@ct.kernel
def directives(out, x):
    total = 0
    for k, name in ct.static_iter(zip(range(LIMIT), ("one", "two", "three"))):
        total = total + len(name) * 10**k
    if ct.static_eval(x.ndim != 1 or any(v == "c" for v in NAMES)):
        raise ct.static_exception(ValueError("never reached"))
    ct.static_assert("a" in NAMES and "c" not in NAMES, f"{NAMES[0]} is missing")
    width = ct.static_eval(math.isqrt(16))
    ct.store(out, (0,), total)
    ct.store(out, (1,), ct.ensure_constant(width))
    missing = None
    ct.store(out, (2,), 1 if missing is None and NAMES is not None else 0)
    ct.assert_(ct.load(x, (0,), (4,)) > 0, message="only positive numbers")


def directives_meant(out, x):
    out[:3] = 3 + 3 * 10 + 5 * 100, 4, 1


@ct.kernel
def conditions(out, n, s, b):
    """and, or, not and conditional expressions of run-time scalars; the right side is evaluated only when it must be."""
    ct.store(out, (0,), 1 if n > 2 and s < 1.0 else 2)
    ct.store(out, (1,), 5 if b or n // (n - 3) > 0 else 6)
    ct.store(out, (2,), n if not b else -n)
    found, k = 0, 0
    while True:
        k += 1
        if k == 2:
            continue
        if k > 5:
            break
        found += k
    ct.store(out, (3,), found)
    ct.store(out, (4,), max(n, k) * 10 + min(n, k))
    ct.store(out, (5,), abs(-n) + int(True) + (3 if 1 < n < 4 else 0))
    q, r = divmod(-n, 2)
    ct.store(out, (6,), q * 10 + r)
    ct.store(out, (7,), bool(n & 1).astype(ct.int32) + (n == 3 and b).astype(ct.int32) + (n == 0 or b).astype(ct.int32))


def conditions_meant(out, n, s, b):
    q, r = divmod(-n, 2)
    out[:8] = 1, 5, -n, 1 + 3 + 4 + 5, 6 * 10 + n, n + 1 + 3, q * 10 + r, 3


@ct.kernel
def single(x, y, out):
    """Arrays of rank 0, which are one element."""
    ct.store(y, (), ct.load(x, (), ()) * 2)
    ct.store(out, (0,), ct.load(x, (), (), memory_order="ACQUIRE", memory_scope="DEVICE"))
    ct.store(out, (1,), ct.gather(x, ()))
    ct.store(x, (), 7.0, memory_order="RELEASE", memory_scope="SYS")
    ct.store(out, (2,), ct.load(x, (), ()))


def single_meant(x, y, out):
    y[...] = x * 2
    out[:3] = x, x, 7
    x[...] = 7


@ct.kernel
def scalars(out, i, f, b):
    """Parameters of each kind and strictly typed scalars of each dtype, with C++'s own promotions beneath."""
    ct.store(out, (0,), (ct.int8(100) + ct.int8(i)).astype(ct.float64))
    ct.store(out, (1,), (ct.uint8(250) + ct.uint8(i)).astype(ct.float64))
    ct.store(out, (2,), (ct.int16(-30000) * ct.int16(i)).astype(ct.float64))
    ct.store(out, (3,), (ct.uint16(7) // ct.uint16(i) + ct.uint16(65535)).astype(ct.float64))
    ct.store(out, (4,), (ct.int32(2**31 - 1) + i).astype(ct.float64))
    ct.store(out, (5,), (ct.uint32(1) - ct.uint32(i)).astype(ct.float64))
    ct.store(out, (6,), (ct.int64(2**62) // i).astype(ct.float64))
    ct.store(out, (7,), (ct.uint64(2**63) + ct.uint64(i)).astype(ct.float64))
    ct.store(out, (8,), (ct.float16(f) * 3).astype(ct.float64))
    ct.store(out, (9,), (ct.bfloat16(f) * 3).astype(ct.float64))
    ct.store(out, (10,), (ct.float32(f) * 3).astype(ct.float64))
    ct.store(out, (11,), ct.float64(f) * 3)
    ct.store(out, (12,), (b & (i > 0)).astype(ct.float64) + ct.bool_(i).astype(ct.float64))
    ct.store(out, (13,), (~ct.int8(i) >> ct.int8(1)).astype(ct.float64) + (ct.uint8(i) << ct.uint8(7)).astype(ct.float64))
    ct.store(out, (14,), (-ct.uint16(i)).astype(ct.float64))
    ct.store(out, (15,), (i % -4).astype(ct.float64) + (f % -4).astype(ct.float64))


def scalars_meant(out, i, f, b):
    import ml_dtypes

    one, half, brain = np.float32(f), np.float16(f), ml_dtypes.bfloat16(f)
    out[:8] = wrapped(100 + i, np.int8), wrapped(250 + i, np.uint8), wrapped(-30000 * i, np.int16), wrapped(7 // i + 65535, np.uint16), 2**31 - 1 + i - 2**32, 2**32 + 1 - i, 2**62 // i, float(2**63 + i)
    out[8:12] = half * np.float16(3), brain * ml_dtypes.bfloat16(3), one * np.float32(3), np.float64(one) * 3
    out[12:16] = 2, (~i >> 1) + (i << 7 & 255), 65536 - i, i % -4 + float(one % np.float32(-4))


def wrapped(number: int, dtype):
    return np.int64(number).astype(dtype)


def zeros(*shape, dtype=np.int32):
    return np.zeros(shape, dtype)


def numbers(size, seed):
    return np.random.default_rng(seed).integers(1, 9, size).astype(np.float32)


PROGRAMS = [
    Program("grid", grid, (2, 3, 2), lambda: (zeros(12, 4), 3), grid_meant),
    Program("annotations", annotated, (1,), lambda: (numbers(16, 1), numbers(16, 2), [numbers(16, 3), numbers(16, 4)], 5, zeros(16, dtype=np.float32), (16, 2.5), 16, True), annotated_meant),
    Program("directives", directives, (1,), lambda: (zeros(8), numbers(4, 5)), directives_meant),
    Program("conditions", conditions, (1,), lambda: (zeros(8), 3, 0.5, True), conditions_meant),
    Program("rank 0", single, (1,), lambda: (np.array(3.5, np.float32), np.array(0, np.float32), zeros(4, dtype=np.float32)), single_meant),
    Program("scalars", scalars, (1,), lambda: (zeros(16, dtype=np.float64), 50, 2.7, True), scalars_meant),
]  # fmt: skip
