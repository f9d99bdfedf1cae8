"""Rotations, gated activations, dropout, embeddings: kernels that move data once."""

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import bfloat16
from tilekit import ZERO, ConstBool, ConstFloat, ConstInt, columns_of, gelu, np_gelu, np_sigmoid, np_silu, sigmoid, silu, wide

import tile2cpp.lang as ct
from tile2cpp.lang import float32, gather, scatter


def rotated(x, c, s):
    """Both halves of the heads of one position, turned."""
    a, b = x
    return a * c - b * s, b * c + a * s


@ct.kernel
def rope(q, k, cos, sin, LENGTH: ConstInt, Q_TILE: ConstInt, K_TILE: ConstInt, HALF: ConstInt, INVERSE: ConstBool):
    """Rotary positions of all heads at one position, in place; arrays are (batch, heads, length, 2 * HALF)."""
    batch, position = ct.bid(0) // LENGTH, ct.bid(0) % LENGTH
    c = ct.load(cos, (position, 0), (1, HALF), padding_mode=ZERO).reshape((1, HALF))
    s = ct.load(sin, (position, 0), (1, HALF), padding_mode=ZERO).reshape((1, HALF))
    if INVERSE:
        s = -s

    def turn(x, tile):
        halves = tuple(ct.load(x, (batch, 0, position, h), (1, tile, 1, HALF), padding_mode=ZERO).reshape((tile, HALF)).astype(float32) for h in ct.static_iter(range(2)))
        first, second = rotated(halves, c, s)
        ct.store(x, (batch, 0, position, 0), first.reshape((1, tile, 1, HALF)).astype(x.dtype))
        ct.store(x, (batch, 0, position, 1), second.reshape((1, tile, 1, HALF)).astype(x.dtype))

    turn(q, Q_TILE)
    turn(k, K_TILE)


@ct.kernel
def swiglu(gate, up, out, TILE: ConstInt):
    row, part = ct.bid(0), ct.bid(1)
    g = ct.load(gate, (row, part), (1, TILE)).astype(float32)
    u = ct.load(up, (row, part), (1, TILE)).astype(float32)
    ct.store(out, (row, part), (silu(g) * u).astype(out.dtype))


@ct.kernel
def swiglu_backward(dout, gate, up, TILE: ConstInt):
    """The gradients take the place of the inputs."""
    row, columns = ct.bid(0), columns_of(ct.bid(1), TILE)
    d, g, u = tuple(gather(x, (row, columns)).astype(float32) for x in ct.static_iter((dout, gate, up)))
    s = sigmoid(g)
    scatter(up, (row, columns), (d * g * s).astype(up.dtype))
    scatter(gate, (row, columns), (d * u * s * (1.0 + g * (1.0 - s))).astype(gate.dtype))


@ct.kernel
def gelu_and_mul(x, out, WIDTH: ConstInt, TILE: ConstInt):
    row, columns = ct.bid(0), columns_of(ct.bid(1), TILE)
    live = columns < WIDTH
    a = gather(x, (row, columns), mask=live, padding_value=0.0).astype(float32)
    b = gather(x, (row, columns + WIDTH), mask=live, padding_value=0.0).astype(float32)
    scatter(out, (row, columns), (gelu(a) * b).astype(out.dtype), mask=live)


def mixed(h):
    """The finish of a 32-bit hash: every bit of `h` touches every bit of the result."""
    h = (h ^ (h >> 16)) * 0x85EBCA6B
    h = (h ^ (h >> 13)) * 0xC2B2AE35
    return h ^ (h >> 16)


def uniform(seed, counter):
    """Numbers in [0, 1) that depend on seed and counter alone."""
    bits = mixed(mixed(counter.astype(ct.uint32) * 0x9E3779B9 + ct.uint32(seed)) ^ ct.uint32(seed))
    return (bits >> 8).astype(float32) * (1.0 / (1 << 24))


@ct.kernel
def dropout(x, out, n: int, seed: int, p: float, TILE: ConstInt):
    at = columns_of(ct.bid(0), TILE)
    kept = uniform(seed, at) >= p
    t = gather(x, at, mask=at < n)
    scatter(out, at, ct.where(kept, t / (1.0 - p), 0.0).astype(out.dtype))


@ct.kernel
def embedding(ids, table, positions, out, SCALE: ConstFloat, ROWS: ConstInt, TILE: ConstInt):
    rows, columns = columns_of(ct.bid(0), ROWS), columns_of(ct.bid(1), TILE)
    token = gather(ids, rows, padding_value=-1)[:, None]
    t = gather(table, (token, columns[None, :])).astype(float32) * SCALE
    at = gather(positions, (rows[:, None], columns[None, :]))
    scatter(out, (rows[:, None], columns[None, :]), (t + at).astype(out.dtype))


@ct.kernel
def embedding_backward(ids, dout, dtable, SCALE: ConstFloat, ROWS: ConstInt, TILE: ConstInt, PADDING: ConstInt):
    rows, columns = columns_of(ct.bid(0), ROWS), columns_of(ct.bid(1), TILE)
    token = gather(ids, rows, padding_value=PADDING)
    place = ct.where(token == PADDING, -1, token)  # outside of the table: nothing is added
    d = gather(dout, (rows[:, None], columns[None, :])).astype(float32)
    ct.atomic_add(dtable, (place[:, None], columns[None, :]), (d * SCALE).astype(dtable.dtype))


@ct.kernel
def doubled_in_turns(x, ROWS: ConstInt, TILE: ConstInt):
    """In place, element by element, each block several rows."""
    for i in range(ct.bid(0), ct.cdiv(x.shape[0], ROWS), ct.num_blocks(0)):
        for j in range(ct.cdiv(x.shape[1], TILE)):
            at = (i * ROWS + ct.arange(ROWS, dtype=ct.int32))[:, None], (j * TILE + ct.arange(TILE, dtype=ct.int32))[None, :]
            scatter(x, at, gather(x, at) * 2 + 1)


@ct.kernel
def added_rows(x, sums, total, ROWS: ConstInt, TILE: ConstInt):
    """Rows of blocks are added to one, by a view and by elements."""
    i, j = ct.bid(0), ct.bid(1)
    t = ct.sum(ct.load(x, (i, j), (ROWS, TILE), padding_mode=ZERO).astype(float32), 0)
    sums.tiled_view((1, TILE)).atomic_store_add((0, j), t.reshape((1, TILE)).astype(sums.dtype))
    ct.atomic_add(total, columns_of(j, TILE), t.astype(total.dtype))


@ct.kernel
def scaled_parts(x, scales, out, ROWS: ConstInt, TILE: ConstInt, PART: ConstInt):
    """Each part of a row in 8 bits, with a scale of its own."""
    i, j = ct.bid(0), ct.bid(1)
    t = ct.load(x, (i, j), (ROWS, TILE), padding_mode=ZERO).astype(float32).reshape((ROWS, TILE // PART, PART))
    scale = ct.maximum(ct.max(ct.abs(t), 2, keepdims=True), 1e-6) / 127.0
    ct.store(scales, (i, j), scale.reshape((ROWS, TILE // PART)))
    ct.store(out, (i, j), ct.floor(t / scale + 0.5).astype(ct.int8).reshape((ROWS, TILE)))


# --- the same in NumPy ---


def in_parts(x, scales, out, rows, tile, part):
    t = np.pad(x.astype(np.float32), ((0, 0), (0, -x.shape[1] % part))).reshape(len(x), -1, part)
    scale = np.maximum(np.abs(t).max(-1), np.float32(1e-6)) / np.float32(127)
    return [scale, np.floor(t / scale[..., None] + np.float32(0.5)).reshape(len(x), -1)[:, : x.shape[1]]]


def turned(q, k, cos, sin, length, qt, kt, half, inverse):
    sin = -sin if inverse else sin
    halves = [(wide(x)[..., :half], wide(x)[..., half:]) for x in (q, k)]
    return [np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1) for a, b in halves]


def gradients(dout, gate, up, tile):
    d, g, u, s = wide(dout), wide(gate), wide(up), np_sigmoid(gate)
    return [d * u * s * (1 + g * (1 - s)), d * g * s]


def np_mixed(h):
    h = (h ^ (h >> 16)) * np.uint32(0x85EBCA6B)
    h = (h ^ (h >> 13)) * np.uint32(0xC2B2AE35)
    return h ^ (h >> 16)


def dropped(x, out, n, seed, p, tile):
    counter = np.arange(n, dtype=np.uint32) * np.uint32(0x9E3779B9) + np.uint32(seed)
    kept = (np_mixed(np_mixed(counter) ^ np.uint32(seed)) >> 8) / 2.0**24 >= np.float32(p)
    assert 0.1 < kept.mean() < 0.9
    return [np.where(kept, x / (1 - p), 0)]


def embedded(ids, table, positions, out, scale, *_):
    return [wide(table)[ids] * scale + positions]


def table_gradient(ids, dout, dtable, scale, rows, tile, padding):
    result = np.zeros(dtable.shape)
    np.add.at(result, ids[ids != padding], wide(dout)[ids != padding] * scale)
    return [result]


def numbers(rng, shape, dtype):
    """So small that halves hold their sums."""
    return fresh(rng, shape, "int32", -4, 5).astype(dtype)


def rope_args(rng, inverse):
    angles = fresh(rng, (10, 16))
    return fresh(rng, (2, 6, 10, 32), "float16"), fresh(rng, (2, 2, 10, 32), "float16"), np.cos(angles), np.sin(angles), 10, 8, 2, 16, inverse


CASES = [
    Case("rope", rope, (20,), lambda rng: rope_args(rng, False), (0, 1), turned, scale=2),
    Case("rope, backward", rope, (20,), lambda rng: rope_args(rng, True), (0, 1), turned, scale=2),
    Case("swiglu", swiglu, (5, 3), lambda rng: (*(fresh(rng, (5, 90), "float16") for _ in range(2)), blank((5, 90), "float16"), 32), (2,),
         lambda g, u, *_: [np_silu(g) * u], scale=2),
    Case("swiglu, backward", swiglu_backward, (5, 3), lambda rng: (*(fresh(rng, (5, 90)) for _ in range(3)), 32), (1, 2), gradients, scale=4),
    Case("gelu and mul", gelu_and_mul, (3, 2), lambda rng: (fresh(rng, (3, 100), "float16"), blank((3, 50), "float16"), 50, 32), (1,),
         lambda x, *_: [np_gelu(x[:, :50]) * x[:, 50:]], scale=4),
    Case("dropout", dropout, (5,), lambda rng: (fresh(rng, 600), blank(600), 600, 1234, 0.4, 128), (1,), dropped, scale=2),
    Case("embedding", embedding, (3, 2),
         lambda rng: (fresh(rng, 20, "int32", 0, 9), fresh(rng, (10, 50), "float16"), fresh(rng, (20, 50)), blank((20, 50)), 8.0, 8, 32), (3,), embedded, scale=16),
    Case("embedding, backward", embedding_backward, (3, 2),
         lambda rng: (fresh(rng, 20, "int64", 0, 9), fresh(rng, (20, 50), "float16"), np.zeros((10, 50), "float32"), 0.5, 8, 32, 0),
         (2,), table_gradient, terms=20, scale=2),
    *(Case(f"embedding, backward, {np.dtype(dtype)} in vectors", embedding_backward, (3, 2),
           lambda rng, dtype=dtype: (fresh(rng, 20, "int64", 0, 9), numbers(rng, (20, 64), "float16"), np.zeros((10, 64), dtype), 2.0, 8, 32, 0),
           (2,), table_gradient, terms=20, scale=2)
      for dtype in ("float32", "float16", bfloat16)),
    Case("doubled in turns", doubled_in_turns, (2,), lambda rng: (fresh(rng, (21, 150)), 4, 64), (0,), lambda x, *_: [x * 2 + 1]),
    *(Case(f"scaled parts of {part}", scaled_parts, (3, 2),
           lambda rng, shape=(3 * rows - 1, 2 * tile - 40), sizes=(rows, tile, part):
               (fresh(rng, shape, "float16"), blank((shape[0], -(-shape[1] // sizes[2]))), np.zeros(shape, np.int8), *sizes),
           (1, 2), in_parts)
      for rows, tile, part in ((4, 1024, 128), (8, 512, 64))),
    *(Case(f"added rows of {columns} {np.dtype(dtype)}", added_rows, (5, 3),
           lambda rng, columns=columns, dtype=dtype: (numbers(rng, (20, columns), dtype), np.zeros((1, columns), dtype), np.zeros(columns, dtype), 4, 64),
           (1, 2), lambda x, *_: [wide(x).sum(0, keepdims=True), wide(x).sum(0)], terms=20)
      for columns in (150, 176) for dtype in ("float32", "float16", bfloat16)),
]  # fmt: skip
