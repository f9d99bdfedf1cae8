"""Products of parts of arrays: rows of one group of many, a range of the summed axis, some of the matrices of a batch."""

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstInt, wide

import tile2cpp.lang as ct


@ct.kernel
def grouped(A, B, C, sums, starts, group_of, row_of, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Rows `starts[g]` to `starts[g + 1]` of A by `B[g]`. Sums of columns show what is read behind the end of a group."""
    j, place = ct.bid(0), ct.bid(1)
    group, i = ct.load(group_of, (place,), ()), ct.load(row_of, (place,), ())
    first, last = ct.load(starts, (group,), ()), ct.load(starts, (group + 1,), ())
    rows, out = A.slice(0, first, last), C.slice(0, first, last)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(rows, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (group, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, b, acc)
    ct.store(out, (i, j), acc.astype(C.dtype))
    ct.store(sums, (place, j), ct.sum(acc, 0, keepdims=True))


@ct.kernel
def along_the_sum(A, B, C, first, last, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """A range of K, as parts of parts; with tiles before and behind, which are zero. A lies with its columns adjacent."""
    i, j = ct.bid(0), ct.bid(1)
    x, y = A.slice(0, first, A.shape[0]).slice(0, 0, last - first), B.slice(0, first, last)
    first = first * 2
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(-1, ct.num_tiles(x, 0, (TK, TM)) + 1):
        a = ct.transpose(ct.load(x, (k, i), (TK, TM), padding_mode=ZERO))
        b = ct.load(y, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc + first)


@ct.kernel
def in_turn(A, B, C, starts, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Blocks that take tile after tile of all groups. Groups may overlap: of those that store one row, the last one stays."""
    tile, before = ct.bid(0), 0
    first = ct.load(starts, index=(0,), shape=(1,)).item()
    for group in range(B.shape[0]):
        end = ct.load(starts, index=(group + 1,), shape=(1,))
        last = end.item()
        columns = ct.cdiv(B.shape[2], TN)
        tiles = ct.cdiv(last - first, TM) * columns
        while tile < before + tiles:
            i, j = (tile - before) // columns, (tile - before) % columns
            rows, out = A.slice(0, first, last), C.slice(0, first, last)
            acc = ct.zeros((TM, TN), ct.float32)
            for k in range(ct.num_tiles(A, 1, (TM, TK))):
                a = ct.load(rows, (i, k), (TM, TK), padding_mode=ZERO)
                b = ct.load(B, (group, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
                acc = ct.mma(a, b, acc)
            ct.store(out, (i, j), acc.astype(C.dtype))
            tile += ct.num_blocks(0)
        before += tiles
        first = last - 5 if group % 2 else last


def batch(x, y, i, j, n, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(x, 2, (1, TM, TK))):
        a = ct.load(x, (n, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(y, (n, j, k), (1, TN, TK), padding_mode=ZERO).reshape((TN, TK))
        acc = ct.mma(a, ct.transpose(b), acc)
    return acc


@ct.kernel
def some_of_a_batch(A, B, C, first, last, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """A helper gets parts, one of which ends before the last matrix that is asked for."""
    x, y = A.slice(0, first, last), B.slice(1, 8, B.shape[1])
    for n in range(C.shape[0]):
        acc = batch(x, y, ct.bid(0), ct.bid(1), n, TM, TN, TK)
        ct.store(C, (n, ct.bid(0), ct.bid(1)), acc.reshape((1, TM, TN)))


@ct.kernel
def heads_between(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Rows and columns of all three lie around an axis of heads: [rows, heads, columns]."""
    i, head = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (TM, 1, TK))):
        a = ct.load(A, (i, head, k), (TM, 1, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.reshape(ct.load(B, (0, head, k), (TN, 1, TK), padding_mode=ZERO), (TN, TK))
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(C, (i, head, 0), acc.reshape((TM, 1, TN)))


def attend(Q, K, V, out, starts, sequence, head, block, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    """Rows of one sequence, if it has that many: all sequences lie behind each other, as [rows, heads, D]."""
    first = ct.load(starts, index=(sequence,), shape=(1,)).item()
    last = ct.load(starts, index=(sequence + 1,), shape=(1,)).item()
    length = last - first
    if block * TM >= length:
        return
    queries, results = Q.slice(0, first, last), out.slice(0, first, last)
    keys, values = K.slice(0, first, last), V.slice(0, first, last)
    q = ct.load(queries, (block, head, 0), (TM, 1, D), padding_mode=ZERO).reshape((TM, D))
    rows, columns = block * TM + ct.arange(TM, dtype=ct.int32)[:, None], ct.arange(TN, dtype=ct.int32)[None, :]
    largest, total, acc = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32), ct.zeros((TM, D), ct.float32)
    for j in range(ct.cdiv(min(length, (block + 1) * TM), TN)):
        k = ct.load(keys, (j, head, 0), (TN, 1, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(q, ct.transpose(k), ct.zeros((TM, TN), ct.float32)) * scale
        scores = ct.where(j * TN + columns <= rows, scores, -1e30)
        most = ct.maximum(largest, ct.max(scores, 1, keepdims=True))
        weights, less = ct.exp(scores - most), ct.exp(largest - most)
        total, largest = total * less + ct.sum(weights, 1, keepdims=True), most
        v = ct.load(values, (j, head, 0), (TN, 1, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(V.dtype), v, acc * less)
    ct.store(results, (block, head, 0), (acc / total).reshape((TM, 1, D)))


@ct.kernel
def attention_of_sequences(Q, K, V, out, starts, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    attend(Q, K, V, out, starts, ct.bid(0), ct.bid(1), ct.bid(2), scale, TM, TN, D)


# --- cases ---


def grouped_case(sizes, n, k, tile, padded=0):
    """`padded`: more columns than the matrix has, so that its rows are further apart."""

    def make(rng):
        starts = np.cumsum([0, *sizes]).astype(np.int32)
        places = [(g, i) for g, rows in enumerate(sizes) for i in range(-(-rows // tile[0]))]
        group_of, row_of = (np.array(numbers, np.int32) for numbers in zip(*places))
        a = fresh(rng, (sum(sizes), k + padded), "float16", -1, 1)[:, :k]
        return a, fresh(rng, (len(sizes), k, n), "float16", -1, 1), blank((sum(sizes), n), "float32"), blank((len(places), n)), starts, group_of, row_of, *tile

    def expected(a, b, c, sums, starts, group_of, row_of, *_):
        groups = [wide(a)[x:y] @ wide(b)[g] for g, (x, y) in enumerate(zip(starts, starts[1:]))]
        tiles = [groups[g][i * tile[0] : (i + 1) * tile[0]].sum(0) for g, i in zip(group_of, row_of)]
        return [np.concatenate(groups), np.array(tiles)]

    count = sum(-(-rows // tile[0]) for rows in sizes)
    name = f"groups of {', '.join(map(str, sizes))} rows{f', {padded} columns between' if padded else ''}"
    return Case(name, grouped, (-(-n // tile[1]), count), make, (2, 3), expected, terms=k, scale=8.0)


def turns_case(sizes, n, k, tile, blocks):
    def make(rng):
        starts = np.cumsum([0, *sizes]).astype(np.int32)
        return fresh(rng, (sum(sizes), k), "float16", -1, 1), fresh(rng, (len(sizes), k, n), "float16", -1, 1), blank((sum(sizes), n), "float32"), starts, *tile

    def expected(a, b, c, starts, *_):
        out = wide(c)
        for g, (first, last) in enumerate(zip(starts, starts[1:])):
            first -= 5 if g and g % 2 == 0 else 0
            out[first:last] = wide(a)[first:last] @ wide(b)[g]
        return [out]

    return Case(f"groups of {', '.join(map(str, sizes))} rows in turn, {blocks} blocks", in_turn, (blocks,), make, (2,), expected, terms=k, scale=8.0)


def heads_case(m, heads, n, k, tile):
    def make(rng):
        return fresh(rng, (m, heads, k), "float16", -1, 1), fresh(rng, (n, heads, k), "float16", -1, 1), blank((m, heads, n)), *tile

    def expected(a, b, *_):
        return [np.einsum("mhk,nhk->mhn", wide(a), wide(b))]

    return Case(f"{heads} heads between {m} rows and {n} columns", heads_between, (-(-m // tile[0]), heads), make, (2,), expected, terms=k)


def sequences_case(lengths, heads, d, tile):
    def make(rng):
        starts = np.cumsum([0, *lengths]).astype(np.int32)
        q, k, v = (fresh(rng, (sum(lengths), heads, d), "float16", -1, 1) for _ in range(3))
        return q, k, v, blank(q.shape), starts, d**-0.5, *tile, d

    def expected(q, k, v, out, starts, *_):
        found = np.zeros(q.shape)
        for first, last in zip(starts, starts[1:]):
            scores = np.einsum("qhd,khd->hqk", wide(q[first:last]), wide(k[first:last])) * d**-0.5
            weights = np.where(np.tri(last - first, dtype=bool), np.exp(scores), 0)
            found[first:last] = np.einsum("hqk,khd->qhd", weights / weights.sum(2, keepdims=True), wide(v[first:last]))
        return [found]

    most = -(-max(lengths) // tile[0])
    return Case(f"sequences of {', '.join(map(str, lengths))} rows", attention_of_sequences, (len(lengths), heads, most), make, (3,), expected, terms=max(lengths), scale=300.0)


def range_case(m, n, k, first, last, tile):
    def make(rng):
        return fresh(rng, (k, m), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), first, last, *tile

    def expected(a, b, *_):
        return [wide(a)[first:last].T @ wide(b)[first:last] + 2 * first]

    return Case(f"K from {first} to {last}", along_the_sum, (-(-m // tile[0]), -(-n // tile[1])), make, (2,), expected, terms=max(1, last - first))


def batch_case(count, m, n, k, first, last, tile):
    def make(rng):
        return fresh(rng, (count, m, k), "float16", -1, 1), fresh(rng, (count, n + 8, k), "float16", -1, 1), blank((count, m, n)), first, last, *tile

    def expected(a, b, *_):
        out = np.zeros((count, m, n))
        for number in range(last - first):
            out[number] = wide(a)[first + number] @ wide(b)[number, 8:].T
        return [out]

    return Case(f"matrices {first} to {last} of {count}", some_of_a_batch, (-(-m // tile[0]), -(-n // tile[1])), make, (2,), expected, terms=k)


CASES = [
    grouped_case((70, 3, 128, 33), 72, 80, (64, 64, 32)),
    grouped_case((100, 60), 128, 64, (128, 128, 64), padded=16),
    turns_case((70, 3, 40, 0, 33), 72, 80, (64, 64, 32), 1),
    turns_case((70, 0, 130), 128, 64, (64, 64, 32), 2),
    heads_case(100, 3, 48, 80, (64, 64, 32)),
    sequences_case((100, 3), 2, 64, (64, 64)),
    range_case(96, 80, 144, 16, 101, (64, 64, 32)),
    range_case(96, 80, 144, 70, 70, (64, 64, 32)),
    batch_case(3, 80, 64, 48, 1, 3, (64, 64, 32)),
]
