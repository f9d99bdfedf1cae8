"""Matrix products of every pair of dtypes, with scales and without."""

from __future__ import annotations

import numpy as np
from families.batch import Batch, Row
from families.formats import FORMATS, dtype_of
from families.values import numpy_of

import tile2cpp.lang as ct
from tile2cpp.ops.formats import rounded, to_bits

ACCUMULATED = (
    ("float16", "float16"), ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"), ("tfloat32", "float32"), ("float64", "float64"),
    ("float8_e4m3fn", "float16"), ("float8_e4m3fn", "float32"), ("float8_e5m2", "float16"), ("float8_e5m2", "float32"), ("int8", "int32"), ("uint8", "int32"),
)  # fmt: skip
# What x @ y is made of, and the dtype of the result.
MULTIPLIED = ("float16", "bfloat16", "float32", "tfloat32", "float64", "float8_e4m3fn", "float8_e5m2", "int8", "uint8")


def small(name: str, shape: tuple, seed: int) -> np.ndarray:
    """Numbers that every format holds, and whose products are exact."""
    low = 0 if name == "uint8" else -2
    numbers = np.random.default_rng(seed).integers(low, 3, shape)
    return numbers.astype(FORMATS[name].stored) if name != "tfloat32" else numbers.astype(np.float32)


def wide(a: np.ndarray) -> np.ndarray:
    return a.astype(np.float64)


def summed(acc: str):
    return lambda x, y, z: (np.matmul(wide(x), wide(y)) + wide(z)).astype(numpy_of(acc))


def products(name: str, acc: str) -> Batch:
    """x is (2, 16, 32), y (2, 32, 8); parts of them make the other shapes."""
    enter, fast = FORMATS[name].enter, name.startswith("float8")
    zero = dtype_of(acc)

    def plain(x):
        return enter(ct.extract(x, (0, 0, 0), (1, x.shape[1], x.shape[2]))).reshape((x.shape[1], x.shape[2]))

    rows = {
        "mma batch": Row(lambda x, y, z: ct.mma(enter(x), enter(y), z), summed(acc)),
        "mma": Row(lambda x, y, z: ct.mma(plain(x), plain(y), ct.zeros((16, 8), zero)), lambda x, y, z: (wide(x[0]) @ wide(y[0])).astype(numpy_of(acc))),
        "mma of one batch": Row(lambda x, y, z: ct.mma(plain(x)[None], enter(y), acc=z), lambda x, y, z: summed(acc)(x[:1], y, z)),
    }
    if fast:
        rows["mma fast"] = Row(lambda x, y, z: ct.mma(enter(x), enter(y), z, use_fast_acc=True), summed(acc))
    inputs = small(name, (2, 16, 32), 71), small(name, (2, 32, 8), 72), small("float32", (2, 16, 8), 73).astype(numpy_of(acc))
    return Batch(f"mma {name} {acc}", inputs, rows)


def multiplied(name: str) -> Batch:
    enter, leave = FORMATS[name].enter, FORMATS[name].leave
    stored = FORMATS[name].stored

    def result(function):
        def want(x, y):
            exact = function(wide(x), wide(y))
            if name in ("int8", "uint8"):
                return exact.astype(np.int64).astype(stored)
            return FORMATS[name].memory(rounded(exact, name))

        return want

    def plain(x):
        return enter(ct.extract(x, (0, 0, 0), (1, x.shape[1], x.shape[2]))).reshape((x.shape[1], x.shape[2]))

    def row(x):
        return enter(ct.extract(x, (0, 0, 0), (1, 1, x.shape[2]))).reshape((x.shape[2],))

    def column(y):
        return enter(ct.extract(y, (0, 0, 0), (1, y.shape[1], 1))).reshape((y.shape[1],))

    rows = {
        "x @ y": Row(lambda x, y: leave(plain(x) @ plain(y)), result(lambda x, y: x[0] @ y[0])),
        "matmul": Row(lambda x, y: leave(ct.matmul(enter(x), enter(y))), result(np.matmul)),
        "matmul broadcast": Row(lambda x, y: leave(ct.matmul(plain(x), enter(y))), result(lambda x, y: np.matmul(x[:1], y))),
        "row @ y": Row(lambda x, y: leave(row(x) @ plain(y)), result(lambda x, y: x[0, 0] @ y[0])),
        "x @ column": Row(lambda x, y: leave(plain(x) @ column(y)), result(lambda x, y: x[0] @ y[0, :, 0])),
        "row @ column": Row(lambda x, y: leave(ct.full((1,), ct.matmul(row(x), column(y)), row(x).dtype)), result(lambda x, y: (x[0, 0] @ y[0, :, 0]).reshape(1))),
    }
    return Batch(f"matmul {name}", (small(name, (2, 16, 32), 74), small(name, (2, 32, 8), 75)), rows)


def scaled(name: str, scale: str, block: int) -> Batch:
    """The product of 4-bit or 8-bit floats whose blocks along K have a scale each."""
    enter, scale_in, scale_out = FORMATS[name].enter, FORMATS[scale].enter, FORMATS[scale].numbers
    four = name == "float4_e2m1fn"
    rng = np.random.default_rng(76)
    if four:
        x, y = rng.integers(0, 256, 16 * 64 // 2, np.uint8), rng.integers(0, 256, 64 * 8 // 2, np.uint8)
    else:
        x, y = small(name, (16, 64), 77), small(name, (64, 8), 78)
    powers = [0.5, 1.0, 2.0]
    scales = [np.asarray(rng.choice(powers, shape)) for shape in ((16, 64 // block), (64 // block, 8))]
    stored = [to_bits(s.astype(np.float32), dtype_of(scale)).reshape(s.shape) if scale == "float8_e5m3fnu" else s.astype(FORMATS[scale].stored) for s in scales]
    numbers = FORMATS[name].numbers
    z = small("float32", (16, 8), 79)

    def tiles(x, y):
        return ct.reshape(enter(x), (16, 64)), ct.reshape(enter(y), (64, 8))

    def product(x, xs, y, ys, z):
        left, right = tiles(x, y)
        return ct.mma_scaled(left, scale_in(xs), right, scale_in(ys), z)

    def batched(x, xs, y, ys, z):
        left, right = tiles(x, y)
        return ct.mma_scaled(left[None], scale_in(xs)[None], right[None], scale_in(ys)[None], acc=z[None])

    def want(x, xs, y, ys, z):
        left = numbers(x).reshape(16, 64) * np.repeat(scale_out(xs), block, 1)
        right = numbers(y).reshape(64, 8) * np.repeat(scale_out(ys), block, 0)
        return (left @ right + wide(z)).astype(np.float32)

    rows = {"mma_scaled": Row(product, want), "batch": Row(batched, lambda *a: want(*a)[None])}
    return Batch(f"scaled {name} {scale} {block}", (x, stored[0], y, stored[1], z), rows)


def mixed() -> Batch:
    rows = {
        "i8 u8": Row(lambda x, y, z: ct.mma(x, y, z), lambda x, y, z: x.astype(np.int32) @ y.astype(np.int32) + z),
        "u8 i8": Row(lambda x, y, z: ct.mma(ct.transpose(y), ct.transpose(x), ct.transpose(z)), lambda x, y, z: (x.astype(np.int32) @ y.astype(np.int32) + z).T),
        "f16 @ f32": Row(lambda x, y, z: x.astype(ct.float16) @ y.astype(ct.float32), lambda x, y, z: (wide(x) @ wide(y)).astype(np.float32)),
    }
    rng = np.random.default_rng(80)
    x, y = rng.integers(-128, 128, (16, 32)).astype(np.int8), rng.integers(0, 256, (32, 8)).astype(np.uint8)
    return Batch("products mixed", (x, y, rng.integers(-9, 9, (16, 8)).astype(np.int32)), rows)


SCALES = (
    ("float8_e4m3fn", "float8_e8m0fnu", 32), ("float8_e5m2", "float8_e8m0fnu", 32), ("float4_e2m1fn", "float8_e8m0fnu", 16), ("float4_e2m1fn", "float8_e8m0fnu", 32),
    ("float4_e2m1fn", "float8_e4m3fn", 16), ("float4_e2m1fn", "float8_e5m3fnu", 16), ("float4_e2m1fn", "float8_e5m3fnu", 32),
)  # fmt: skip

BATCHES = [*(products(*pair) for pair in ACCUMULATED), *(multiplied(name) for name in MULTIPLIED), *(scaled(*row) for row in SCALES), mixed()]
