"""Element-wise access: index tiles, bounds, masks and padding values."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def add_gathered(a, b, c, TILE: ct.Constant[int]):
    bid = ct.bid(0)
    indices = bid * TILE + ct.arange(TILE, dtype=ct.int32)  # one element per lane

    a_tile = ct.gather(a, indices)
    b_tile = ct.gather(b, indices)
    ct.scatter(c, indices, a_tile + b_tile)


@ct.kernel
def look_up(table, index, out):
    i = ct.bid(0) * 16 + ct.arange(16, dtype=ct.int32)
    # Indices below 0 or past the end give the padding value.
    ct.scatter(out, i, ct.gather(table, ct.gather(index, i), padding_value=-5))


@ct.kernel
def masked(x, y, n):
    i = ct.arange(32, dtype=ct.int32)
    even = i % 2 == 0
    t = ct.gather(x, i, mask=even, padding_value=9.0)
    ct.scatter(y, i, t * 2, mask=i < n)


@ct.kernel
def unchecked(x, y):
    i = ct.bid(0) * 8 + ct.arange(8, dtype=ct.int32)
    reversed_index = x.shape[0] - 1 - i
    ct.scatter(y, i, ct.gather(x, reversed_index, check_bounds=False), check_bounds=False)


@ct.kernel
def unchecked_but_masked(x, y, n):
    i = ct.arange(16, dtype=ct.int32)
    # The mask still holds when the bounds are not checked.
    t = ct.gather(x, i * 1000000, mask=i < 1, check_bounds=False, padding_value=-1)
    ct.scatter(y, i, t, mask=i < n, check_bounds=False)


@ct.kernel
def rows_and_columns(x, y):
    rows = ct.bid(0) * 4 + ct.arange(4, dtype=ct.int32)
    columns = ct.arange(16, dtype=ct.int32)
    t = ct.gather(x, (rows[:, None], columns[None, :]))
    ct.scatter(y, (columns[:, None], rows[None, :]), ct.transpose(t))


@ct.kernel
def diagonal(x, y):
    i = ct.arange(8, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, (i, i), padding_value=-1.0))


@ct.kernel
def column_of_row(x, pick, y):
    row = ct.bid(0)
    # A scalar index is broadcast against the others.
    columns = ct.load(pick, (0,), (8,))
    ct.scatter(y, (row, ct.arange(8, dtype=ct.int32)), ct.gather(x, (row, columns)))


@ct.kernel
def single_elements(x, y):
    i = ct.bid(0)
    ct.scatter(y, i, ct.gather(x, (i, x.shape[1] - 1)))


@ct.kernel
def padded_with_dtype(x, y):
    i = ct.arange(8, dtype=ct.int32)
    ct.scatter(y, i, ct.gather(x, i, padding_value=0.1))


def looked_up(table, index, out):
    inside = (index >= 0) & (index < table.size)
    return [np.where(inside, table[np.where(inside, index, 0)], -5)]


def masked_expected(x, y, n):
    i = np.arange(32)
    t = np.where((i % 2 == 0) & (i < x.size), np.pad(x, (0, 32 - x.size)), np.float32(9)) * 2
    written = i < min(n, y.size)
    out = y.copy()
    out[written[: y.size]] = t[: y.size][written[: y.size]]
    return [out]


def only_first(x, y, n):
    out = np.full(16, -1, np.int32)
    out[0] = x[0]
    return [np.where(np.arange(16) < n, out, y)]


@ct.kernel
def grid_points(x, y, sums, STEP: ct.Constant[int]):
    # A view of single elements: every third column of every second row, and then the corner of each.
    points, firsts, out = x.tiled_view((), traversal_steps=(2, STEP)), y.tiled_view(()), sums.tiled_view(())
    ct.static_assert(points.tile_shape == () and points.traversal_steps == (2, 3) and firsts.traversal_steps == (1, 1))
    row = ct.bid(0)
    for column in range(points.num_tiles(1)):
        firsts.store((row, column), 2 * points.load((row, column)))
    out.atomic_store_add(0, points.load((row, 0)))
    y.tiled_view((1, 4)).store((row, 1), firsts.load((row, 0)))


def grid_points_expected(x, y, sums, step):
    out = np.array(y)
    out[:, :3] = 2 * x[::2, ::3]
    out[:, 4:] = out[:, :1]
    return [out, sums + [x[::2, 0].sum(dtype="f4"), 0]]


CASES = [
    Case("add", add_gathered, (5,),
         lambda rng: (fresh(rng, 140, "int32"), fresh(rng, 140, "int32"), blank(140, "int32"), 32), (2,),
         lambda a, b, c, tile: [a + b]),
    Case("look up", look_up, (6,),
         lambda rng: (fresh(rng, 40, "int32", -99, 99), fresh(rng, 90, "int32", -15, 55), blank(90, "int32")), (2,),
         looked_up),
    Case("masked", masked, (1,), lambda rng: (fresh(rng, 27), fresh(rng, 30), 21), (1,), masked_expected),
    Case("unchecked", unchecked, (4,), lambda rng: (fresh(rng, 32), blank(32)), (1,), lambda x, y: [x[::-1]]),
    Case("unchecked but masked", unchecked_but_masked, (1,),
         lambda rng: (fresh(rng, 3, "int32"), blank(16, "int32"), 11), (1,), only_first),
    Case("rows and columns", rows_and_columns, (4,),
         lambda rng: (fresh(rng, (14, 16)), blank((16, 14))), (1,), lambda x, y: [x.T]),
    Case("diagonal", diagonal, (1,), lambda rng: (fresh(rng, (5, 7)), blank(8)), (1,),
         lambda x, y: [np.append(np.diag(x), [-1] * 3)]),
    Case("column of a row", column_of_row, (3,),
         lambda rng: (fresh(rng, (3, 11)), fresh(rng, 8, "int32", 0, 10), blank((3, 8))), (2,),
         lambda x, pick, y: [x[:, pick]]),
    Case("int64 indices", column_of_row, (3,),
         lambda rng: (fresh(rng, (3, 11)), fresh(rng, 8, "int64", 0, 10), blank((3, 8))), (2,),
         lambda x, pick, y: [x[:, pick]]),
    Case("single elements", single_elements, (6,), lambda rng: (fresh(rng, (6, 5)), blank(6)), (1,),
         lambda x, y: [x[:, -1]]),
    Case("views of single elements", grid_points, (3,), lambda rng: (fresh(rng, (6, 8)), blank((3, 8)), blank(2), 3), (1, 2), grid_points_expected, terms=4),
    Case("padding in half precision", padded_with_dtype, (1,),
         lambda rng: (fresh(rng, 5, "float16"), blank(8, "float16")), (1,),
         lambda x, y: [np.append(x, np.full(3, np.float16(0.1)))]),
]
