"""Matrix products: the guide's product, `@`, batches, and the dtypes of accumulators."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def gemm(A, B, C, tm: ct.Constant[int], tn: ct.Constant[int], tk: ct.Constant[int]):
    bx, by = ct.bid(0), ct.bid(1)
    num_k = ct.num_tiles(A, axis=1, shape=(tm, tk))

    acc = ct.full((tm, tn), 0, dtype=ct.float32)
    for k in range(num_k):
        a = ct.load(A, index=(bx, k), shape=(tm, tk), padding_mode=ct.PaddingMode.ZERO)
        b = ct.load(B, index=(k, by), shape=(tk, tn), padding_mode=ct.PaddingMode.ZERO)
        acc = ct.mma(a, b, acc)

    ct.store(C, index=(bx, by), tile=acc.astype(C.dtype))


@ct.kernel
def one_product(a, b, c):
    ct.store(c, (0, 0), ct.load(a, (0, 0), (16, 32)) @ ct.load(b, (0, 0), (32, 8)))


@ct.kernel
def batched(a, b, c):
    i = ct.bid(0)
    x = ct.load(a, (i, 0, 0), (2, 16, 16))
    y = ct.load(b, (i, 0, 0), (2, 16, 16))
    ct.store(c, (i, 0, 0), ct.mma(x, y, ct.ones((2, 16, 16), ct.float32)))


@ct.kernel
def integer_product(a, b, c):
    acc = ct.zeros((16, 16), ct.int32)
    for k in range(ct.num_tiles(a, 1, (16, 16))):
        acc = ct.mma(ct.load(a, (0, k), (16, 16)), ct.load(b, (k, 0), (16, 16)), acc)
    ct.store(c, (0, 0), acc)


@ct.kernel
def double_product(a, b, c):
    x = ct.load(a, (0, 0), (16, 16))
    y = ct.load(b, (0, 0), (16, 16))
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((16, 16), ct.float64)))


@ct.kernel
def through_bfloat16(a, b, c):
    # Small integers are exact in bfloat16.
    x = ct.load(a, (0, 0), (16, 16)).astype(ct.bfloat16)
    y = ct.load(b, (0, 0), (16, 16)).astype(ct.bfloat16)
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((16, 16), ct.float32)))


@ct.kernel
def two_products(a, b, c):
    x = ct.load(a, (0, 0), (16, 16))
    y = ct.load(b, (0, 0), (16, 16))
    first = ct.mma(x, y, ct.zeros((16, 16), ct.float32))
    second = ct.mma(first.astype(ct.float16), ct.transpose(y), ct.full((16, 16), 0.5, ct.float32))
    ct.store(c, (0, 0), second)


def exact(shape, dtype):
    """Integers so small that every sum is exact."""
    return lambda rng: fresh(rng, shape, "int32", -4, 4).astype(dtype)


def product(name, m, n, k, dtype, out, tiles):
    grid = (ct.cdiv(m, tiles[0]), ct.cdiv(n, tiles[1]))
    return Case(
        name, gemm, grid,
        lambda rng: (fresh(rng, (m, k), dtype), fresh(rng, (k, n), dtype), blank((m, n), out), *tiles), (2,),
        lambda a, b, c, *_: [(a.astype(np.float64) @ b.astype(np.float64)).astype(c.dtype)], terms=k, scale=4.0,
    )


CASES = [
    product("whole tiles", 64, 64, 64, "float16", "float32", (32, 32, 16)),
    product("ragged", 70, 45, 37, "float16", "float32", (32, 32, 16)),
    product("half result", 33, 65, 100, "float16", "float16", (32, 64, 32)),
    product("single precision", 50, 20, 90, "float32", "float32", (16, 32, 16)),
    product("one row", 1, 17, 40, "float32", "float32", (1, 16, 16)),
    product("tall tiles", 129, 9, 24, "float16", "float32", (128, 8, 16)),
    Case("operator, float16", one_product, (1,),
         lambda rng: (exact((16, 32), "float16")(rng), exact((32, 8), "float16")(rng), blank((16, 8), "float16")), (2,),
         lambda a, b, c: [a @ b]),
    Case("operator, float32", one_product, (1,),
         lambda rng: (fresh(rng, (16, 32)), fresh(rng, (32, 8)), blank((16, 8))), (2,),
         lambda a, b, c: [a @ b], terms=32, scale=4.0),
    Case("batched", batched, (2,),
         lambda rng: (fresh(rng, (4, 16, 16), "float16"), fresh(rng, (4, 16, 16), "float16"), blank((4, 16, 16))), (2,),
         lambda a, b, c: [a.astype(np.float32) @ b.astype(np.float32) + 1], terms=17, scale=4.0),
    Case("int8", integer_product, (1,),
         lambda rng: (fresh(rng, (16, 48), "int8", -128, 127), fresh(rng, (48, 16), "int8", -128, 127),
                      blank((16, 16), "int32")), (2,),
         lambda a, b, c: [a.astype(np.int32) @ b.astype(np.int32)]),
    Case("float64", double_product, (1,),
         lambda rng: (fresh(rng, (16, 16), "float64"), fresh(rng, (16, 16), "float64"), blank((16, 16), "float64")),
         (2,), lambda a, b, c: [a @ b], terms=16, scale=4.0),
    Case("bfloat16", through_bfloat16, (1,),
         lambda rng: (exact((16, 16), "float32")(rng), exact((16, 16), "float32")(rng), blank((16, 16))), (2,),
         lambda a, b, c: [a @ b]),
    Case("two products", two_products, (1,),
         lambda rng: (exact((16, 16), "float16")(rng), exact((16, 16), "float16")(rng), blank((16, 16))), (2,),
         lambda a, b, c: [(a.astype(np.float32) @ b.astype(np.float32)) @ b.T.astype(np.float32) + 0.5]),
]
