"""The same work as in the other files, written by another hand: what is fast there is to be as fast here."""

import math

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ConstBool = ct.Constant[bool]
ZERO = ct.PaddingMode.ZERO
LOG2_E = math.log2(math.e)


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


def by_length(team):
    """The block of queries and the pair of this block: `team` pairs take turns, and begin with the queries that see the most keys."""
    blocks, pairs = ct.num_blocks(0), ct.num_blocks(1)
    turn = ct.bid(1) * blocks + ct.bid(0)
    leader = turn // (team * blocks) * team
    members = min(team, pairs - leader)
    turn -= leader * blocks
    return blocks - 1 - turn // members, leader + turn % members


def reach(block, rows, length, causal):
    """How many keys are seen by every query of a block, and how many by its last one."""
    if causal:
        return min(length, block * rows + 1), min(length, (block + 1) * rows)
    return length, length


def compare(mine, keys, batch, head, step, columns):
    """Scores of the queries with one tile of keys, which is loaded turned."""
    width = mine.shape[1]
    turned = ct.load(keys, index=(batch, head, 0, step), shape=(1, 1, width, columns), order=(0, 1, 3, 2), padding_mode=ZERO)
    return ct.mma(mine, turned.reshape((width, columns)), ct.zeros((mine.shape[0], columns), dtype=ct.float32))


def hide(scores, step, farthest):
    """No weight for keys behind the farthest that a query sees."""
    columns = scores.shape[1]
    numbers = ct.arange(columns, dtype=ct.int32, start=step * columns)
    return ct.where(numbers[None, :] <= farthest, scores, -math.inf)


def normalise(scores, scale, largest, total):
    """Weights of new scores, the new maximum and sum, and the factor for what was summed before."""
    higher = max(largest, ct.max(scores, axis=1, keepdims=True) * scale)
    fading = ct.exp2(largest - higher, flush_to_zero=True)
    weights = ct.exp2(scores * scale - higher, flush_to_zero=True)
    return weights, higher, total * fading + ct.sum(weights, axis=1, keepdims=True), fading


def absorb(scores, scale, values, batch, head, step, largest, total, result):
    """Maximum, sum and result with one more tile of keys and values."""
    columns, width = scores.shape[1], result.shape[1]
    weights, largest, total, fading = normalise(scores, scale, largest, total)
    result = result * fading
    theirs = ct.load(values, index=(batch, head, step, 0), shape=(1, 1, columns, width), padding_mode=ZERO)
    return largest, total, ct.mma(weights.astype(values.dtype), theirs.reshape((columns, width)), result)


@ct.kernel
def attention_by_helpers(
    queries, keys, values, out, scale: float,
    HEADS: ConstInt, GROUP: ConstInt, ROWS: ConstInt, COLUMNS: ConstInt, WIDTH: ConstInt, CAUSAL: ConstBool,
):  # fmt: skip
    """The arithmetic of `attention`, in helpers; keys are loaded turned, and a loop of its own hides those that not every query sees."""
    block, pair = by_length(4) if CAUSAL else (ct.bid(0), ct.bid(1))
    batch, head = divmod(pair, HEADS)
    shared = head // GROUP
    length = keys.shape[2]
    scale *= LOG2_E  # powers are of 2
    mine = ct.load(queries, index=(batch, head, block, 0), shape=(1, 1, ROWS, WIDTH), padding_mode=ZERO).reshape((ROWS, WIDTH))

    largest = ct.full((ROWS, 1), -math.inf, dtype=ct.float32)
    total = ct.zeros((ROWS, 1), dtype=ct.float32)
    result = ct.zeros((ROWS, WIDTH), dtype=ct.float32)

    common, most = reach(block, ROWS, length, CAUSAL)
    clear = common // COLUMNS
    for step in range(clear):
        scores = compare(mine, keys, batch, shared, step, COLUMNS)
        largest, total, result = absorb(scores, scale, values, batch, shared, step, largest, total, result)

    farthest = length - 1
    if CAUSAL:
        farthest = min(farthest, ct.arange(ROWS, dtype=ct.int32, start=block * ROWS)[:, None])
    for step in range(clear, ct.cdiv(most, COLUMNS)):
        scores = hide(compare(mine, keys, batch, shared, step, COLUMNS), step, farthest)
        largest, total, result = absorb(scores, scale, values, batch, shared, step, largest, total, result)

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
