"""Six kernels that broadcast: what both demonstrations launch. Written for `cuda.tile`."""

import cuda.tile as ct

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def same_shape_mul(x, y, out, rows: ct.Constant[int], cols: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    left = ct.load(x, index=(i, j), shape=(rows, cols), padding_mode=ZERO)
    right = ct.load(y, index=(i, j), shape=(rows, cols), padding_mode=ZERO)
    ct.store(out, index=(i, j), tile=left * right)


@ct.kernel
def column_mul(x, column, out, rows: ct.Constant[int], cols: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    left = ct.load(x, index=(i, j), shape=(rows, cols), padding_mode=ZERO)
    # One column, stretched over all of them.
    right = ct.load(column, index=(i, 0), shape=(rows, 1), padding_mode=ZERO)
    ct.store(out, index=(i, j), tile=left * right)


@ct.kernel
def rank_promotion_add(
    x,
    y,
    out,
    batch: ct.Constant[int],
    rows: ct.Constant[int],
    cols: ct.Constant[int],
):

    matrix = ct.load(x, index=(0, 0), shape=(rows, cols), padding_mode=ZERO)
    stack = ct.load(
        y,
        index=(0, 0, 0),
        shape=(batch, 1, cols),
        padding_mode=ZERO,
    )
    matrix = ct.broadcast_to(matrix, (batch, rows, cols))
    ct.store(out, index=(0, 0, 0), tile=matrix + stack)


@ct.kernel
def scalar_mul(x, scalar: ct.Constant[int], out, tile: ct.Constant[int]):
    i = ct.bid(0)
    values = ct.load(x, index=(i,), shape=(tile,), padding_mode=ZERO)
    ct.store(out, index=(i,), tile=values * scalar)


@ct.kernel
def dtype_promotion_mul(x, y, out, tile: ct.Constant[int]):
    i = ct.bid(0)
    left = ct.load(x, index=(i,), shape=(tile,), padding_mode=ZERO)
    right = ct.load(y, index=(i,), shape=(tile,), padding_mode=ZERO)
    ct.store(out, index=(i,), tile=left * right)


@ct.kernel
def scalar_promotion_add(x, whole: ct.Constant[int], real: ct.Constant[float], ints, floats, tile: ct.Constant[int]):
    i = ct.bid(0)
    values = ct.load(x, index=(i,), shape=(tile,), padding_mode=ZERO)
    ct.store(ints, index=(i,), tile=values + whole)
    ct.store(floats, index=(i,), tile=values + real)
