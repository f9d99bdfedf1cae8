"""Quantisation, histograms, the largest of a row, and tables: kernels with integers in the middle."""

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import float8_e4m3fn
from tilekit import ZERO, ConstInt, columns_of, wide

import tile2cpp.lang as ct

FP8_MAX = 448.0


def largest_magnitude(x, row, TILE: ConstInt):
    top = ct.zeros((1, 1), ct.float32)
    for j in range(ct.cdiv(x.shape[1], TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        top = ct.maximum(top, ct.max(abs(t), axis=1, keepdims=True))
    return top


@ct.kernel
def quantise_rows_int8(x, q, scales, TILE: ConstInt):
    row = ct.bid(0)
    top = ct.maximum(largest_magnitude(x, row, TILE), 1e-8)
    scale = top / 127.0
    ct.store(scales, (row,), scale.item())
    for j in range(ct.cdiv(x.shape[1], TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ZERO).astype(ct.float32)
        rounded = ct.floor(t / scale + 0.5)
        ct.store(q, (row, j), ct.minimum(ct.maximum(rounded, -128.0), 127.0).astype(ct.int8))


@ct.kernel
def quantise_blocks_fp8(x, q, scales, BLOCK: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (BLOCK, BLOCK), padding_mode=ZERO).astype(ct.float32)
    scale = ct.maximum(ct.max(abs(t)), 1e-4) / FP8_MAX
    ct.store(q, (i, j), (t / scale).astype(q.dtype))
    ct.store(scales, (i, j), scale)


@ct.kernel
def dequantise(q, scales, y, BLOCK: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    scale = ct.load(scales, (i, j), ())
    ct.store(y, (i, j), (ct.load(q, (i, j), (BLOCK, BLOCK)).astype(ct.float32) * scale).astype(y.dtype))


@ct.kernel
def unpack_int4(packed, scales, y, TILE: ConstInt):
    """Two signed 4-bit numbers in a byte, the low one first."""
    row, part = ct.bid(0), ct.bid(1)
    bytes_ = ct.load(packed, (row, part), (1, TILE)).reshape((TILE, 1))
    low, high = (bytes_ & 0xF).astype(ct.int32), (bytes_ >> 4).astype(ct.int32)
    nibbles = ct.cat((low, high), 1).reshape((1, 2 * TILE))
    signed = ct.where(nibbles >= 8, nibbles - 16, nibbles)
    ct.store(y, (row, part), (signed.astype(ct.float32) * ct.load(scales, (row, part), (1, 1))).astype(y.dtype))


@ct.kernel
def top_k(x, values, places, COUNT: ConstInt, TILE: ConstInt):
    row = ct.bid(0)
    lanes = ct.arange(TILE, dtype=ct.int32)
    t = ct.gather(x, (row, lanes), padding_value=-float("inf")).astype(ct.float32)
    for n in range(COUNT):
        best = ct.argmax(t, axis=0)
        ct.scatter(values, (row, n), ct.max(t).astype(values.dtype))
        ct.scatter(places, (row, n), best)
        t = ct.where(lanes == best, -float("inf"), t)


@ct.kernel
def argmax_rows(x, out, TILE: ConstInt):
    """The first largest element of long rows."""
    row = ct.bid(0)
    best, place = -float("inf"), 0
    for j in range(ct.cdiv(x.shape[1], TILE)):
        t = ct.load(x, (row, j), (1, TILE), padding_mode=ct.PaddingMode.NEG_INF).reshape((TILE,)).astype(ct.float32)
        top = ct.max(t)
        if top > best:
            best = top
            place = j * TILE + ct.argmax(t)
    ct.store(out, (row,), place)


@ct.kernel
def histogram(data, counts, TILE: ConstInt):
    at = columns_of(ct.bid(0), TILE)
    value = ct.gather(data, at).astype(ct.int32)
    ct.atomic_add(counts, ct.where(at < data.shape[0], value, -1), 1)


@ct.kernel
def histogram_in_tile(data, counts, n: int, BINS: ConstInt, TILE: ConstInt):
    """Counts of a block's share in one tile, added to the array at the end."""
    bins = ct.arange(BINS, dtype=ct.int32)
    mine = ct.zeros((BINS,), ct.int32)
    for j in range(ct.bid(0), ct.cdiv(n, TILE), ct.num_blocks(0)):
        t = ct.gather(data, columns_of(j, TILE), padding_value=255).astype(ct.int32)
        mine += ct.sum((t[None, :] == bins[:, None]).astype(ct.int32), axis=1)
    ct.atomic_add(counts, bins, mine)


# --- the same in NumPy ---


def int8_rows(x, q, scales, tile):
    scale = (np.maximum(abs(x.astype(np.float32)).max(1, keepdims=True), np.float32(1e-8)) / np.float32(127)).astype(np.float32)
    return [np.clip(np.floor(x.astype(np.float32) / scale + np.float32(0.5)), -128, 127), scale[:, 0]]


def blocks_of(x, block):
    rows, columns = (-(-n // block) for n in x.shape)
    padded = np.zeros((rows * block, columns * block), np.float32)
    padded[: x.shape[0], : x.shape[1]] = x
    return padded.reshape(rows, block, columns, block)


def fp8_blocks(x, q, scales, block):
    parts = blocks_of(x, block)
    scale = np.maximum(abs(parts).max((1, 3)), np.float32(1e-4)) / np.float32(FP8_MAX)
    coded = (parts / scale[:, None, :, None]).reshape(parts.shape[0] * block, -1).astype(float8_e4m3fn)
    return [coded[: x.shape[0], : x.shape[1]].view(np.uint8), scale]


def decoded(q, scales, y, block):
    spread = np.repeat(np.repeat(scales, block, 0), block, 1)
    return [wide(q) * spread[: q.shape[0], : q.shape[1]]]


def nibbles(packed, scales, y, tile):
    both = np.stack([packed & 15, packed >> 4], -1).reshape(len(packed), -1).astype(int)
    return [np.where(both >= 8, both - 16, both) * np.repeat(wide(scales), 2 * tile, 1)[:, : both.shape[1]]]


def largest(x, values, places, count, tile):
    order = np.argsort(-x.astype(np.float32), axis=1, kind="stable")[:, :count]
    return [np.take_along_axis(x, order, 1), order]


CASES = [
    Case("int8 rows", quantise_rows_int8, (5,), lambda rng: (fresh(rng, (5, 90), "float16"), blank((5, 90), "int8"), blank(5), 32), (1, 2), int8_rows),
    Case("dequantise", dequantise, (3, 2), lambda rng: (fresh(rng, (40, 20), float8_e4m3fn), fresh(rng, (3, 2)), blank((40, 20), "float16"), 16), (2,), decoded),
    Case("int4", unpack_int4, (3, 2), lambda rng: (fresh(rng, (3, 25), "uint8", 0, 255), fresh(rng, (3, 2)), blank((3, 50)), 16), (2,), nibbles),
    Case("top k", top_k, (4,), lambda rng: (fresh(rng, (4, 50), "float16"), blank((4, 5), "float16"), blank((4, 5), "int32"), 5, 64), (1, 2), largest),
    Case("argmax", argmax_rows, (5,), lambda rng: (np.rint(fresh(rng, (5, 200), "float32", -40, 40)), blank(5, "int32"), 64), (1,), lambda x, *_: [x.argmax(1)]),
    Case("histogram", histogram, (5,), lambda rng: (fresh(rng, 300, "uint8", 0, 15), np.zeros(16, "int32"), 64), (1,),
         lambda data, *_: [np.bincount(data, minlength=16)]),
    Case("histogram in a tile", histogram_in_tile, (2,), lambda rng: (fresh(rng, 300, "uint8", 0, 15), np.zeros(16, "int32"), 300, 16, 32), (1,),
         lambda data, *_: [np.bincount(data, minlength=16)]),
]  # fmt: skip
