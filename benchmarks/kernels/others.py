"""The same work as in the other files, written by another hand: what is fast there is to be as fast here."""

import math

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]
ZERO = ct.PaddingMode.ZERO


def dot(x, y, row, column, BLOCK_M: ConstInt, BLOCK_N: ConstInt, BLOCK_K: ConstInt):
    """One tile of `x @ y`."""
    total = ct.full((BLOCK_M, BLOCK_N), 0.0, dtype=ct.float32)
    for step in range(0, ct.cdiv(x.shape[1], BLOCK_K)):
        left = ct.load(x, index=(row, step), shape=(BLOCK_M, BLOCK_K), padding_mode=ZERO)
        right = ct.load(y, index=(step, column), shape=(BLOCK_K, BLOCK_N), padding_mode=ZERO)
        total = ct.mma(left, right, total)
    return total


@ct.kernel
def product_by_views(x, y, out, BLOCK_M: ConstInt, BLOCK_N: ConstInt, BLOCK_K: ConstInt):
    """Tiles of views, a grid of two axes, and no order of blocks."""
    row, column = ct.bid(0), ct.bid(1)
    lefts = x.tiled_view((BLOCK_M, BLOCK_K), padding_mode=ZERO)
    rights = y.tiled_view((BLOCK_K, BLOCK_N), padding_mode=ZERO)
    total = ct.zeros((BLOCK_M, BLOCK_N), dtype=ct.float32)
    for step in range(ct.cdiv(x.shape[1], BLOCK_K)):
        total = ct.mma(lefts.load((row, step)), rights.load((step, column)), total)
    out.tiled_view((BLOCK_M, BLOCK_N)).store((row, column), total.astype(out.dtype))


@ct.kernel
def product_persistent(x, y, out, BLOCK_M: ConstInt, BLOCK_N: ConstInt, BLOCK_K: ConstInt):
    """As many blocks as the machine runs at once, each with several tiles; the loop over K is a helper's."""
    columns = ct.cdiv(y.shape[1], BLOCK_N)
    tiles = ct.cdiv(x.shape[0], BLOCK_M) * columns
    for tile in range(ct.bid(0), tiles, ct.num_blocks(0)):
        row, column = tile // columns, tile % columns
        result = dot(x, y, row, column, BLOCK_M, BLOCK_N, BLOCK_K)
        ct.store(out, index=(row, column), tile=ct.astype(result, out.dtype))


def normalise(scores, largest, total):
    """Weights of new scores, the new maximum and sum, and the factor for what was summed before."""
    higher = ct.maximum(largest, ct.max(scores, axis=1, keepdims=True))
    weights = ct.exp(scores - higher)
    fading = ct.exp(largest - higher)
    return weights, higher, total * fading + ct.sum(weights, axis=1, keepdims=True), fading


@ct.kernel
def attention_by_helpers(
    queries, keys, values, out, scale: float,
    HEADS: ConstInt, GROUP: ConstInt, ROWS: ConstInt, COLUMNS: ConstInt, WIDTH: ConstInt, CAUSAL: ConstBool,
):  # fmt: skip
    """Keys are loaded turned, the softmax is a helper's, and every tile is masked that has to be: in the order of a textbook."""
    block, pair = ct.bid(0), ct.bid(1)
    batch = pair // HEADS
    head = pair % HEADS
    length = keys.shape[2]
    mine = ct.load(queries, index=(batch, head, block, 0), shape=(1, 1, ROWS, WIDTH), padding_mode=ZERO).reshape((ROWS, WIDTH))
    largest = ct.full((ROWS, 1), -math.inf, dtype=ct.float32)
    total = ct.full((ROWS, 1), 0.0, dtype=ct.float32)
    result = ct.full((ROWS, WIDTH), 0.0, dtype=ct.float32)
    places = block * ROWS + ct.arange(ROWS, dtype=ct.int32)[:, None]
    last = ct.cdiv(min(length, (block + 1) * ROWS), COLUMNS) if CAUSAL else ct.cdiv(length, COLUMNS)
    for step in range(last):
        turned = ct.load(keys, index=(batch, head // GROUP, 0, step), shape=(1, 1, WIDTH, COLUMNS), order=(0, 1, 3, 2), padding_mode=ZERO)
        scores = ct.mma(mine, turned.reshape((WIDTH, COLUMNS)), ct.full((ROWS, COLUMNS), 0.0, dtype=ct.float32)) * scale
        numbers = step * COLUMNS + ct.arange(COLUMNS, dtype=ct.int32)[None, :]
        if CAUSAL:
            scores = ct.where((numbers <= places) & (numbers < length), scores, -math.inf)
        else:
            scores = ct.where(numbers < length, scores, -math.inf)
        weights, largest, total, fading = normalise(scores, largest, total)
        theirs = ct.load(values, index=(batch, head // GROUP, step, 0), shape=(1, 1, COLUMNS, WIDTH), padding_mode=ZERO).reshape((COLUMNS, WIDTH))
        result = ct.mma(ct.astype(weights, values.dtype), theirs, result * fading)
    ct.store(out, index=(batch, head, block, 0), tile=ct.astype(result / total, out.dtype).reshape((1, 1, ROWS, WIDTH)))


@ct.kernel
def softmax_by_gathers(x, y, BLOCK: ConstInt):
    """By offsets of elements, as kernels for threads have them; one block takes several rows in turn."""
    offsets = ct.arange(BLOCK, dtype=ct.int32)
    for row in range(ct.bid(0), x.shape[0], ct.num_blocks(0)):
        values = ct.gather(x, (row, offsets), padding_value=-math.inf).astype(ct.float32)
        powers = ct.exp(values - ct.max(values))
        ct.scatter(y, (row, offsets), (powers / ct.sum(powers)).astype(y.dtype))


@ct.kernel
def layer_norm_by_moments(x, gain, shift, y, eps: float, BLOCK: ConstInt):
    """Mean and mean of squares in one go, a row as a tile of one axis."""
    row = ct.bid(0)
    count = x.shape[1]
    values = ct.astype(ct.load(x, index=(row, 0), shape=(1, BLOCK), padding_mode=ZERO), ct.float32).reshape((BLOCK,))
    mean = ct.sum(values) / count
    variance = ct.sum(values * values) / count - mean * mean
    scaled = (values - mean) / ct.sqrt(variance + eps)
    weights = ct.astype(ct.load(gain, index=(0,), shape=(BLOCK,), padding_mode=ZERO), ct.float32)
    shifts = ct.astype(ct.load(shift, index=(0,), shape=(BLOCK,), padding_mode=ZERO), ct.float32)
    ct.store(y, index=(row, 0), tile=ct.astype(scaled * weights + shifts, y.dtype).reshape((1, BLOCK)))
