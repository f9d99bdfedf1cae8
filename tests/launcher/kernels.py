"""Kernels whose launchers have something to check or to say; each header is a golden file."""

import tile2cpp
import tile2cpp.lang as ct


@tile2cpp.jit("x: f32[?,?]:(?%16,1), y: f32[?%16,64], factor: f32, shape: (=4, =64), FLAG=True")
def scale_rows(x, y, factor, shape, FLAG: ct.Constant[bool]):
    """A view of a larger matrix, scaled into a whole one."""
    rows, columns = shape
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (rows, columns), padding_mode=ct.PaddingMode.ZERO) * factor
    ct.store(y, (i, 0), t if FLAG else -t)


@tile2cpp.jit("A: f16[?,?], B: f16[?,?], C: f32[?,?]")
def matmul(A, B, C):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((64, 64), ct.float32)
    for k in range(ct.cdiv(A.shape[1], 32)):
        acc = ct.mma(ct.load(A, (i, k), (64, 32)), ct.load(B, (k, j), (32, 64)), acc)
    ct.store(C, (i, j), acc)


@tile2cpp.jit("xs: [f32[?%16]], y: f32[?]")
def add_all(xs, y):
    i = ct.bid(0)
    total = ct.zeros((64,), ct.float32)
    for n in range(len(xs)):
        total = total + ct.load(xs[n], (i,), (64,))
    ct.store(y, (i,), total)


@tile2cpp.jit("x: i64[?]W, n: i32", occupancy=2)
def write(x, n):
    """Has the name of a function of the C library."""
    i = ct.bid(0) + ct.bid(1) * ct.num_blocks(0)
    ct.store(x, (i,), ct.full((16,), i * n, ct.int64))


@tile2cpp.jit("x: i32[?], grid: i32, stream: i32")
def entry(x, grid, stream):
    """Has parameters that are called as those of the launcher."""
    ct.store(x, (ct.bid(0),), ct.full((16,), grid * stream, ct.int32))
