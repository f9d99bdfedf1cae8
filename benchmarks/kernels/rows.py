"""Softmax and norms of rows that do not fit into one tile well: rows in parts, and very long rows of which a block keeps some tiles, or all.

Exponentials are powers of two here, and small ones are zero: half precision keeps nothing of them.
"""

import math

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO
NEG_INF = ct.PaddingMode.NEG_INF
LOG2E = math.log2(math.e)
LEAST = -1e30  # a beginning for the largest number, from which it can be subtracted


@ct.kernel
def softmax(x, y, ROWS: ConstInt, TILE: ConstInt):
    """Rows that fit into one tile."""
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (ROWS, TILE), padding_mode=NEG_INF).astype(ct.float32)
    e = ct.exp2(t * LOG2E - ct.max(t, 1, keepdims=True) * LOG2E, flush_to_zero=True)
    ct.store(y, (i, 0), (e * (1.0 / ct.sum(e, 1, keepdims=True))).astype(y.dtype))


# A row of 5000 would fill little more than half of a tile of 8192; five parts of 1024 leave nothing out of use.


@ct.kernel
def softmax_parts(x, y, PARTS: ConstInt, TILE: ConstInt):
    row = ct.bid(0)
    parts = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=NEG_INF).astype(ct.float32) for k in ct.static_iter(range(PARTS)))
    top = parts[0]
    for k in ct.static_iter(range(1, PARTS)):
        top = ct.maximum(top, parts[k])
    largest = ct.max(top, 1, keepdims=True) * LOG2E
    weights = tuple(ct.exp2(parts[k] * LOG2E - largest, flush_to_zero=True) for k in ct.static_iter(range(PARTS)))
    total = weights[0]
    for k in ct.static_iter(range(1, PARTS)):
        total += weights[k]
    scale = 1.0 / ct.sum(total, 1, keepdims=True)
    for k in ct.static_iter(range(PARTS)):
        ct.store(y, (row, k), (weights[k] * scale).astype(y.dtype))


@ct.kernel
def layer_norm_parts(x, weight, bias, y, eps: float, PARTS: ConstInt, TILE: ConstInt):
    """All parts but the last are whole."""
    row = ct.bid(0)
    columns = x.shape[1]
    parts = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=ZERO).astype(ct.float32) for k in ct.static_iter(range(PARTS)))
    total = parts[0]
    for k in ct.static_iter(range(1, PARTS)):
        total += parts[k]
    mean = ct.sum(total, 1, keepdims=True) / columns
    # Padding is 0, but 0 - mean is not: keep it out of the variance.
    inside = ((PARTS - 1) * TILE + ct.arange(TILE, dtype=ct.int32))[None, :] < columns
    last = ct.where(inside, parts[PARTS - 1] - mean, 0.0)
    squares = last * last
    for k in ct.static_iter(range(PARTS - 1)):
        squares += (parts[k] - mean) * (parts[k] - mean)
    scale = ct.rsqrt(ct.sum(squares, 1, keepdims=True) / columns + eps)
    for k in ct.static_iter(range(PARTS)):
        w = ct.load(weight, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        b = ct.load(bias, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, k), ((parts[k] - mean) * scale * w + b).astype(y.dtype))


@ct.kernel
def rms_norm_parts(x, weight, y, eps: float, PARTS: ConstInt, TILE: ConstInt):
    row = ct.bid(0)
    parts = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=ZERO).astype(ct.float32) for k in ct.static_iter(range(PARTS)))
    squares = parts[0] * parts[0]
    for k in ct.static_iter(range(1, PARTS)):
        squares += parts[k] * parts[k]
    scale = ct.rsqrt(ct.sum(squares, 1, keepdims=True) / x.shape[1] + eps)
    for k in ct.static_iter(range(PARTS)):
        w = ct.load(weight, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, k), (parts[k] * scale * w).astype(y.dtype))


# The first tiles of a long row stay with the block. The others are read a second time, the last one first, because it is still in
# the cache; each is on its way while the one before is worked on. Results are gathered in LANES columns, over which a tile lies in
# rows: these are summed without other threads. A row has at least HELD whole tiles. What waits is converted where it is used: four tiles
# of halves take half of the registers.


@ct.function
def weigh(tile, top, total):
    """The largest exponent and the sum of the weights so far in every column, with one more tile."""
    t = tile.astype(ct.float32).reshape((tile.shape[1] // top.shape[1], top.shape[1]))
    higher = ct.maximum(top, ct.max(t, 0, keepdims=True) * LOG2E)
    weights = ct.sum(ct.exp2(t * LOG2E - higher, flush_to_zero=True), 0, keepdims=True)
    return higher, total * ct.exp2(top - higher, flush_to_zero=True) + weights


@ct.kernel
def softmax_held(x, y, HELD: ConstInt, TILE: ConstInt, LANES: ConstInt):
    row = ct.bid(0)
    tiles = ct.cdiv(x.shape[1], TILE)
    held = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=NEG_INF) for k in ct.static_iter(range(HELD)))
    ahead = ct.load(x, (row, HELD), (1, TILE), padding_mode=NEG_INF)
    top = ct.full((1, LANES), LEAST, ct.float32)
    total = ct.zeros((1, LANES), ct.float32)
    for k in ct.static_iter(range(HELD)):
        top, total = weigh(held[k], top, total)
    for j in range(HELD, tiles):
        t = ahead
        ahead = ct.load(x, (row, j + 1), (1, TILE), padding_mode=NEG_INF)
        top, total = weigh(t, top, total)
    ahead = ct.load(x, (row, tiles - 1), (1, TILE), padding_mode=NEG_INF)
    largest = ct.max(top, 1, keepdims=True)
    largest += ct.log2(ct.sum(total * ct.exp2(top - largest, flush_to_zero=True), 1, keepdims=True))
    for back in range(HELD, tiles):
        j = HELD + tiles - 1 - back
        t = ahead
        ahead = ct.load(x, (row, j - 1), (1, TILE), padding_mode=NEG_INF)
        ct.store(y, (row, j), ct.exp2(t.astype(ct.float32) * LOG2E - largest, flush_to_zero=True).astype(y.dtype))
    for k in ct.static_iter(range(HELD)):
        ct.store(y, (row, k), ct.exp2(held[k].astype(ct.float32) * LOG2E - largest, flush_to_zero=True).astype(y.dtype))


# All of a long row stays with the block: what finds no room in registers waits in shared memory. All tiles but the last are whole.


@ct.kernel
def softmax_whole(x, y, TILES: ConstInt, TILE: ConstInt, LANES: ConstInt):
    row = ct.bid(0)
    kept = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=NEG_INF) for k in ct.static_iter(range(TILES)))
    top = ct.full((1, LANES), LEAST, ct.float32)
    total = ct.zeros((1, LANES), ct.float32)
    for k in ct.static_iter(range(TILES)):
        top, total = weigh(kept[k], top, total)
    largest = ct.max(top, 1, keepdims=True)
    largest += ct.log2(ct.sum(total * ct.exp2(top - largest, flush_to_zero=True), 1, keepdims=True))
    for k in ct.static_iter(range(TILES)):
        ct.store(y, (row, k), ct.exp2(kept[k].astype(ct.float32) * LOG2E - largest, flush_to_zero=True).astype(y.dtype))


@ct.kernel
def layer_norm_whole(x, weight, bias, y, eps: float, TILES: ConstInt, TILE: ConstInt, LANES: ConstInt):
    """The variance is that of what is left after the row's first element."""
    row = ct.bid(0)
    columns = x.shape[1]
    kept = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=ZERO) for k in ct.static_iter(range(TILES)))
    shift = ct.load(x, (row, 0), (1, 1)).astype(ct.float32)
    sums = ct.zeros((1, LANES), ct.float32)
    squares = ct.zeros((1, LANES), ct.float32)
    for k in ct.static_iter(range(TILES - 1)):
        t = kept[k].astype(ct.float32).reshape((TILE // LANES, LANES)) - shift
        sums += ct.sum(t, 0, keepdims=True)
        squares += ct.sum(t * t, 0, keepdims=True)
    inside = ((TILES - 1) * TILE + ct.arange(TILE, dtype=ct.int32))[None, :] < columns
    last = ct.where(inside, kept[TILES - 1].astype(ct.float32) - shift, 0.0).reshape((TILE // LANES, LANES))
    mean = ct.sum(sums + ct.sum(last, 0, keepdims=True), 1, keepdims=True) / columns
    variance = ct.sum(squares + ct.sum(last * last, 0, keepdims=True), 1, keepdims=True) / columns - mean * mean
    scale = ct.rsqrt(variance + eps)
    offset = -(mean + shift) * scale
    for k in ct.static_iter(range(TILES)):
        w = ct.load(weight, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        b = ct.load(bias, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, k), ((kept[k].astype(ct.float32) * scale + offset) * w + b).astype(y.dtype))


@ct.kernel
def rms_norm_whole(x, weight, y, eps: float, TILES: ConstInt, TILE: ConstInt, LANES: ConstInt):
    row = ct.bid(0)
    kept = tuple(ct.load(x, (row, k), (1, TILE), padding_mode=ZERO) for k in ct.static_iter(range(TILES)))
    squares = ct.zeros((1, LANES), ct.float32)
    for k in ct.static_iter(range(TILES)):
        t = kept[k].astype(ct.float32).reshape((TILE // LANES, LANES))
        squares += ct.sum(t * t, 0, keepdims=True)
    scale = ct.rsqrt(ct.sum(squares, 1, keepdims=True) / x.shape[1] + eps)
    for k in ct.static_iter(range(TILES)):
        w = ct.load(weight, (k,), (TILE,), padding_mode=ZERO).astype(ct.float32)[None, :]
        ct.store(y, (row, k), (kept[k].astype(ct.float32) * scale * w).astype(y.dtype))
