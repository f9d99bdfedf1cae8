"""Addresses of arrays, handed on as values, and arrays made of them with other shapes."""

import dataclasses

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def turned(x, out, M: ct.Constant[int], N: ct.Constant[int]):
    columns = ct.Array.from_foreign(x.foreign_pointer, (N, M), (1, N))
    ct.store(out, (0, 0), ct.load(columns, (0, 0), (N, M)))


@ct.kernel
def seen_again(x, out):
    """A store through one view is seen by a load through the other."""
    flat = ct.Array.from_foreign(x.foreign_pointer, (x.shape[0] * x.shape[1],), (1,))
    lanes = ct.arange(64, dtype=ct.int32)
    ct.scatter(flat, lanes, ct.gather(flat, 63 - lanes) + 1)
    ct.store(out, (0, 0), ct.load(x, (0, 0), (8, 8)))
    ct.store(x, (0, 0), ct.zeros((8, 8), ct.float32))
    out_flat = ct.Array.from_foreign(out.foreign_pointer, (64,), (1,))
    ct.scatter(out_flat, lanes, ct.gather(out_flat, lanes) + ct.gather(flat, lanes))


def row(pointer, index, length):
    """A helper gets the address alone."""
    rows = ct.Array.from_foreign(pointer, shape=(index + 1, length), strides=(length, 1))
    return ct.load(rows, (index, 0), (1, 16), padding_mode=ct.PaddingMode.ZERO)


def addresses(x, y):
    return y.foreign_pointer, x.foreign_pointer


@ct.kernel
def handed_on(x, y, out):
    first, second = addresses(x, y)
    length = x.shape[1]
    i = ct.bid(0)
    ct.store(out, (i, 0), row(first, i, length) - 2 * row(second, i, length))


@ct.kernel
def chosen(x, y, out):
    i = ct.bid(0)
    p = x.foreign_pointer
    if i % 2 == 1:
        p = y.foreign_pointer
    q = y.foreign_pointer if i > 1 else x.foreign_pointer
    a, b = ct.Array.from_foreign(p, (8,), (1,)), ct.Array.from_foreign(q, (8,), (1,))
    ct.store(out, (i,), ct.load(a, (0,), (8,)) + 10 * ct.load(b, (0,), (8,)))


@ct.kernel
def exchanged(x, y, rounds):
    """Two addresses that a loop exchanges, and a pair of them as a tuple."""
    source, target = x.foreign_pointer, y.foreign_pointer
    pair = (source, 1)
    for i in range(rounds):
        a = ct.Array.from_foreign(source, (16,), (1,))
        b = ct.Array.from_foreign(target, (16,), (1,))
        ct.store(b, (0,), ct.load(a, (0,), (16,)) * 2)
        source, target = target, source
        pair = (target, pair[1] + 1)
    last = ct.Array.from_foreign(pair[0], (16,), (1,))
    ct.store(last, (0,), ct.load(last, (0,), (16,)) + pair[1])


@dataclasses.dataclass(frozen=True)
class Matrix:
    pointer: object
    rows: object
    columns: object

    def tile(self, j):
        array = ct.Array.from_foreign(self.pointer, (self.rows, self.columns), (self.columns, 1))
        return array.tiled_view((4, 8), padding_mode=ct.PaddingMode.ZERO).load((0, j))


@ct.kernel
def of_an_object(x, out):
    matrix = Matrix(x.foreign_pointer, x.shape[0], x.shape[1])
    total = ct.zeros((4, 8), ct.float32)
    for j in range(ct.cdiv(matrix.columns, 8)):
        total = total + matrix.tile(j)
    ct.store(out, (0, 0), total)


@ct.kernel
def parts(x, numbers, out):
    """Slices before and after, extents and strides as scalars, atomics."""
    tail = x.slice(0, 4, 20)
    grid = ct.Array.from_foreign(tail.foreign_pointer, (4, 4), (4, 1))
    middle = grid.slice(0, 1, 3)
    ct.store(out, (0, 0), ct.load(middle, (0, 0), (2, 4)))
    one = ct.Array.from_foreign(numbers.foreign_pointer, (), ())
    ct.store(numbers, (1,), ct.load(one, (), ()))
    same = ct.Array.from_foreign(numbers.slice(0, 2, 3).foreign_pointer, (8,), (0,))
    ct.atomic_add(numbers, 3, ct.sum(ct.gather(same, ct.arange(8, dtype=ct.int32))))
    ct.store(numbers, (4,), middle.shape[0] * 100 + middle.strides[0] * 10 + grid.ndim)


@ct.kernel
def of_its_dtype(x, out):
    p = x.foreign_pointer
    ct.static_assert(p.dtype is ct.foreign_pointer_dtype(x.dtype))
    ct.static_assert(p.dtype == ct.foreign_pointer_dtype(ct.float16) and p.shape == () and p.ndim == 0)
    ct.static_assert(p.dtype.bitwidth == 64)
    a = ct.Array.from_foreign(p, (x.shape[0].astype(ct.int64),), (1,))
    ct.store(out, (0,), ct.load(a, (0,), (16,)).astype(ct.float32))


def exchanged_expected(x, y, rounds):
    source, target = x, y
    for _ in range(rounds):
        target[:] = source * 2
        source, target = target, source
    last = x if rounds == 0 else target
    last += 1 + rounds
    return [x, y]


@ct.kernel
def in_tiles(x, out, n):
    """Addresses move like other elements: four rows in a tile, of which one is picked, or none where there is no such row."""
    width = x.shape[1]
    last = ct.Array.from_foreign(x.foreign_pointer, (4, width), x.strides).slice(0, 3, 4).foreign_pointer
    ends = ct.cat((ct.reshape(x.foreign_pointer, (1, 1)), ct.broadcast_to(last, (1, 1))), 1)
    ends = ct.where(ct.arange(2, dtype=ct.int32)[None, :] < n, ends, x.slice(0, 2, 3).foreign_pointer)
    ends = ct.insert(ct.cat((ends, ends.permute((0, 1))), 0).transpose(), (0, 1), last)
    for i in range(4):
        row = ct.Array.from_foreign(ct.extract(ends, (i // 2, i % 2), ()), (width,), (1,))
        ct.store(out, (i, 0), ct.load(row, (0,), (8,))[None, :])
    one = ct.Array.from_foreign(ct.where(n > 1, last, x.foreign_pointer), (width,), (1,))
    ct.store(out, (4, 0), ct.load(one, (0,), (8,))[None, :])


def parts_expected(x, numbers, out):
    numbers[1] = numbers[0]
    numbers[3] += 8 * numbers[2]
    numbers[4] = 242
    return [numbers, x[8:16].reshape(2, 4)]


CASES = [
    Case("turned", turned, (1,), lambda rng: (fresh(rng, (8, 16)), blank((16, 8)), 8, 16), (1,), lambda x, *_: [x.T]),
    Case("seen again", seen_again, (1,), lambda rng: (fresh(rng, (8, 8)), blank((8, 8))), (0, 1),
         lambda x, out: [np.zeros((8, 8)), x.ravel()[::-1].reshape(8, 8) + 1]),
    *(Case(f"handed on {n}", handed_on, (3,), lambda rng, n=n: (fresh(rng, (3, n)), fresh(rng, (3, n)), blank((3, n))), (2,),
           lambda x, y, out: [y - 2 * x]) for n in (16, 11)),
    Case("chosen", chosen, (4,), lambda rng: (fresh(rng, 8), fresh(rng, 8), blank(32)), (2,),
         lambda x, y, out: [np.concatenate([x + 10 * x, y + 10 * x, x + 10 * y, y + 10 * y])]),
    *(Case(f"exchanged {n}", exchanged, (1,), lambda rng, n=n: (fresh(rng, 16), fresh(rng, 16), n), (0, 1), exchanged_expected)
      for n in (0, 1, 2, 3)),
    Case("of an object", of_an_object, (1,), lambda rng: (fresh(rng, (4, 20)), blank((4, 8))), (1,),
         lambda x, out: [x[:, :8] + x[:, 8:16] + np.pad(x[:, 16:], ((0, 0), (0, 4)))]),
    Case("parts", parts, (1,), lambda rng: (fresh(rng, 24), fresh(rng, 8, "int32"), blank((2, 4))), (1, 2), parts_expected),
    *(Case(f"in tiles {n}", in_tiles, (1,), lambda rng, n=n: (fresh(rng, (4, 8)), blank((5, 8)), n), (1,), lambda x, out, n, rows=rows: [x[list(rows)]])
      for n, rows in ((2, (0, 3, 3, 3, 3)), (1, (0, 3, 2, 2, 0)))),
    Case("of its dtype", of_its_dtype, (1,), lambda rng: (fresh(rng, 16, "float16"), blank(16)), (1,), lambda x, out: [x]),
]  # fmt: skip
