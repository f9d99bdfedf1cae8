"""The first kernels of the guide: tiled views, loads and stores in one call, and edges."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def add_through_views(a, b, c, TILE: ct.Constant[int]):
    a_view = a.tiled_view((TILE,))
    b_view = b.tiled_view((TILE,))
    c_view = c.tiled_view((TILE,))

    bid = ct.bid(0)
    a_tile = a_view.load((bid,))
    b_tile = b_view.load((bid,))
    c_view.store((bid,), a_tile + b_tile)


@ct.kernel
def add_in_one_call(a, b, c, TILE: ct.Constant[int]):
    bid = ct.bid(0)  # which tile of axis 0 is ours
    a_tile = ct.load(a, index=(bid,), shape=(TILE,))
    b_tile = ct.load(b, index=(bid,), shape=(TILE,))
    ct.store(c, index=(bid,), tile=a_tile + b_tile)


@ct.kernel
def edge_safe(arr_in, arr_out, TILE: ct.Constant[int]):
    bid = ct.bid(0)
    tile = ct.load(arr_in, index=(bid,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    ct.store(arr_out, index=(bid,), tile=tile)


@ct.kernel
def plain_integers(a, b, TILE: ct.Constant[int]):
    # Index and shape of a vector may be plain integers.
    ct.store(b, ct.bid(0), ct.load(a, ct.bid(0), TILE) + 1)


@ct.kernel
def padded_columns(x, zero, high, low, nothing):
    ct.store(zero, (0, 0), ct.load(x, (0, 0), (4, 8), padding_mode=ct.PaddingMode.ZERO))
    ct.store(high, (0, 0), ct.load(x, (0, 0), (4, 8), padding_mode=ct.PaddingMode.POS_INF))
    ct.store(low, (0, 0), ct.load(x, (0, 0), (4, 8), padding_mode=ct.PaddingMode.NEG_INF))
    ct.store(nothing, (0, 0), ct.load(x, (0, 0), (4, 8), padding_mode=ct.PaddingMode.NAN))


@ct.kernel
def views_with_padding(x, sums, TM: ct.Constant[int], TN: ct.Constant[int]):
    tiles = x.tiled_view((TM, TN), padding_mode=ct.PaddingMode.ZERO)
    out = sums.tiled_view((1, 1))
    for j in range(tiles.num_tiles(1)):
        out.store((ct.bid(0), j), ct.sum(tiles.load((ct.bid(0), j))))


@ct.kernel
def promised_bounds(a, b):
    i = ct.bid(0)
    t = ct.load(a, (i,), (8,), check_bounds=False)
    ct.store(b, (i,), t * 2, check_bounds=False)


@ct.kernel
def swapped_order(x, y):
    # Tile axis 0 runs along array axis 1: a transposed load.
    t = ct.load(x, (ct.bid(0), ct.bid(1)), (8, 4), order=(1, 0))
    ct.store(y, (ct.bid(0), ct.bid(1)), t)


@ct.kernel
def swapped_store(x, y):
    t = ct.load(x, (ct.bid(0), ct.bid(1)), (4, 8))
    ct.store(y, (ct.bid(0), ct.bid(1)), t, order="F")


@ct.kernel
def stored_scalars(x, out):
    i = ct.bid(0)
    value = ct.load(x, (i,), shape=())
    ct.store(out, (i, 0), value * 2)
    ct.store(out, (i, 1), 1)


def padded(x, value):
    out = np.full((4, 8), value, np.float32)
    out[:3, :5] = x
    return out


def tile_sums(x, sums, tm, tn):
    wide = np.zeros((-(-x.shape[0] // tm) * tm, -(-x.shape[1] // tn) * tn), x.dtype)
    wide[: x.shape[0], : x.shape[1]] = x
    return [wide.reshape(wide.shape[0] // tm, tm, -1, tn).sum((1, 3))]


def three(size, dtype="float32"):
    return lambda rng: (fresh(rng, size, dtype, -99, 99), fresh(rng, size, dtype, -99, 99), blank(size, dtype), 16)


ADD = [
    Case(f"{name} {size} {dtype}", kernel, (ct.cdiv(size, 16),), three(size, dtype), (2,),
         lambda a, b, c, tile: [a + b])
    for name, kernel in (("views", add_through_views), ("calls", add_in_one_call))
    for size, dtype in ((128, "float32"), (1001, "float32"), (333, "float16"), (77, "int32"), (5, "float64"))
]

CASES = [
    *ADD,
    Case("edge_safe", edge_safe, (5,), lambda rng: (fresh(rng, 600), blank(600), 128), (1,), lambda x, y, tile: [x]),
    Case("longer output", edge_safe, (5,), lambda rng: (fresh(rng, 600), blank(640), 128), (1,),
         lambda x, y, tile: [np.pad(x, (0, 40))]),
    Case("plain integers", plain_integers, (4,), lambda rng: (fresh(rng, 30, "int64"), blank(30, "int64"), 8), (1,),
         lambda a, b, tile: [a + 1]),
    Case("padding modes", padded_columns, (1,),
         lambda rng: (fresh(rng, (3, 5)), *(blank((4, 8)) for _ in range(4))), (1, 2, 3, 4),
         lambda x, *_: [padded(x, value) for value in (0, np.inf, -np.inf, np.nan)]),
    Case("views with padding", views_with_padding, (3,),
         lambda rng: (fresh(rng, (10, 29)), blank((3, 4)), 4, 8), (1,), tile_sums, terms=32),
    Case("promised bounds", promised_bounds, (5,), lambda rng: (fresh(rng, 40), blank(40)), (1,),
         lambda a, b: [a * 2]),
    Case("load in swapped order", swapped_order, (3, 3), lambda rng: (fresh(rng, (10, 19)), blank((19, 10))), (1,),
         lambda x, y: [x.T]),
    Case("store in swapped order", swapped_store, (3, 3), lambda rng: (fresh(rng, (10, 19)), blank((19, 10))), (1,),
         lambda x, y: [x.T]),
    Case("stored scalars", stored_scalars, (6,), lambda rng: (fresh(rng, 6, "int32"), blank((6, 2), "int32")), (1,),
         lambda x, out: [np.stack([x * 2, np.ones(6)], axis=1)]),
]
