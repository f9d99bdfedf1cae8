"""Atomic updates of arrays and views: contention between blocks, inside one, and old values."""

import numpy as np
from case import Case, blank, fresh

import tile2cpp.lang as ct


@ct.kernel
def block_sum(arr, out, TILE: ct.Constant[int]):
    bid = ct.bid(0)
    # The last tile is padded with 0, which adds nothing.
    tile = ct.load(arr, index=(bid,), shape=(TILE,), padding_mode=ct.PaddingMode.ZERO)
    partial = ct.sum(tile)
    out.tiled_view((1,)).atomic_add((0,), partial)


@ct.kernel
def view_updates(x, add, low, high):
    t = ct.load(x, (ct.bid(0),), (8,))
    add.tiled_view((8,)).atomic_store_add((0,), t)
    low.tiled_view((8,)).atomic_store_min((0,), t)
    high.tiled_view((8,)).atomic_store_max((0,), t)


@ct.kernel
def views_under_short_names(x, out):
    t = ct.load(x, (ct.bid(0),), (8,))
    view = out.tiled_view((8,))
    view.atomic_add((0,), t)
    view.atomic_max((1,), t)
    view.atomic_min((2,), t)
    view.atomic_and((3,), t)
    view.atomic_or((4,), t)
    view.atomic_xor((5,), t)


@ct.kernel
def contended(out):
    # All lanes of all blocks meet in one element.
    ct.atomic_add(out, ct.zeros((16,), ct.int32), ct.arange(16, dtype=ct.int32))


@ct.kernel
def histogram(x, counts):
    values = ct.load(x, (ct.bid(0),), (32,), padding_mode=ct.PaddingMode.ZERO)
    here = ct.bid(0) * 32 + ct.arange(32, dtype=ct.int32) < x.shape[0]
    # Lanes past the end point outside of `counts`, where nothing happens.
    ct.atomic_add(counts, ct.where(here, values, -1), 1)


@ct.kernel
def old_values(x, update, olds, kinds):
    i = ct.arange(8, dtype=ct.int32)
    u = ct.load(update, (0,), (8,))
    add = ct.atomic_add(x, (0, i), u)
    high = ct.atomic_max(x, (1, i), u)
    low = ct.atomic_min(x, (2, i), u)
    both = ct.atomic_and(x, (3, i), u)
    either = ct.atomic_or(x, (4, i), u)
    one = ct.atomic_xor(x, (5, i), u)
    swapped = ct.atomic_xchg(x, (6, i), u)
    compared = ct.atomic_cas(x, (7, i), u, u * 2)
    view = olds.tiled_view((1, 8))
    view.store((0, 0), add)
    view.store((1, 0), high)
    view.store((2, 0), low)
    view.store((3, 0), both)
    view.store((4, 0), either)
    view.store((5, 0), one)
    view.store((6, 0), swapped)
    view.store((7, 0), compared)
    ct.store(kinds, (0,), ct.where(compared == u, 1, 0))


@ct.kernel
def float_sums(x, out):
    t = ct.load(x, (ct.bid(0), 0), (1, 16), padding_mode=ct.PaddingMode.ZERO)
    ct.atomic_add(out, ct.bid(0) % 2, ct.sum(t))


@ct.kernel
def relaxed(out):
    ct.atomic_add(out, 0, 2, memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.DEVICE)
    ct.atomic_add(out, 1, ct.bid(0), check_bounds=False, memory_order=ct.MemoryOrder.RELAXED)


@ct.kernel
def tickets(counter, taken):
    # Each block draws a number of its own.
    number = ct.atomic_add(counter, 0, 1)
    ct.store(taken, (number,), number)


def old_values_of(x, update, olds, kinds):
    u = update
    new = np.stack([x[0] + u, np.maximum(x[1], u), np.minimum(x[2], u), x[3] & u, x[4] | u, x[5] ^ u, u,
                    np.where(x[7] == u, u * 2, x[7])])
    return [new, x, np.where(x[7] == u, 1, 0)]


def updates(dtype):
    def make(rng):
        x = fresh(rng, (8, 8), dtype, 0, 60)
        u = fresh(rng, 8, dtype, 0, 60)
        x[7, ::2] = u[::2]  # half of the comparisons succeed
        return x, u, blank((8, 8), dtype), blank(8, "int32")

    return make


def short_names_of(x, out):
    rows, old = x.reshape(5, 8), out.reshape(6, 8)
    ufuncs = (np.add, np.maximum, np.minimum, np.bitwise_and, np.bitwise_or, np.bitwise_xor)
    new = [f(f.reduce(rows, axis=0, dtype=x.dtype), row) for f, row in zip(ufuncs, old)]
    return [np.concatenate(new)[: out.size]]


def parity_sums(x, out):
    return [[x[::2].sum(), x[1::2].sum()]]


CASES = [
    *(Case(f"block sum {dtype}", block_sum, (7,),
           lambda rng, dtype=dtype: (fresh(rng, 103, dtype), np.zeros(1, dtype), 16), (1,),
           lambda x, out, tile: [[x.sum(dtype=x.dtype)]], terms=103, scale=2.0)
      for dtype in ("int32", "int64", "float32", "float64")),
    Case("view updates", view_updates, (5,),
         lambda rng: (fresh(rng, 40, "int32", -99, 99), np.zeros(8, np.int32), np.zeros(8, np.int32),
                      np.zeros(8, np.int32)), (1, 2, 3),
         lambda x, *_: [x.reshape(5, 8).sum(0), np.minimum(x.reshape(5, 8).min(0), 0),
                        np.maximum(x.reshape(5, 8).max(0), 0)]),
    *(Case(f"views under short names {dtype}", views_under_short_names, (5,),
           lambda rng, dtype=dtype: (fresh(rng, 40, dtype, 0, 99), fresh(rng, 48, dtype, 0, 99)), (1,), short_names_of)
      for dtype in ("int32", "uint64")),
    Case("contended", contended, (6,), lambda rng: (np.full(1, 7, np.int32),), (0,), lambda out: [[7 + 6 * 120]]),
    Case("histogram", histogram, (4,), lambda rng: (fresh(rng, 111, "int32", 0, 9), np.zeros(10, np.int32)), (1,),
         lambda x, counts: [np.bincount(x, minlength=10)]),
    *(Case(f"old values {dtype}", old_values, (1,), updates(dtype), (0, 2, 3), old_values_of)
      for dtype in ("int32", "uint32", "int64", "uint64")),
    Case("float sums", float_sums, (9,), lambda rng: (fresh(rng, (9, 13)), np.zeros(2, np.float32)), (1,),
         parity_sums, terms=65, scale=2.0),
    Case("relaxed", relaxed, (10,), lambda rng: (np.zeros(2, np.int32),), (0,), lambda out: [[20, 45]]),
    Case("tickets", tickets, (12,), lambda rng: (np.zeros(1, np.int32), blank(12, "int32")), (0, 1),
         lambda counter, taken: [[12], np.arange(12)]),
]
