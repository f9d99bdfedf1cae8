"""Products large enough for whole warpgroups: factors in all layouts, loops that are no plain walk along K, chains of products."""

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import bfloat16, float8_e4m3fn
from tilekit import ZERO, ConstInt, exp, grouped_block, wide

import tile2cpp.lang as ct


@ct.kernel
def product(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN), 4)
    acc = ct.full((TM, TN), 0, ct.int32 if A.dtype == ct.int8 else ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def rounded(A, B, bias, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Single precision as tf32; then each row less its mean, and a row that is added to all."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO).astype(ct.tfloat32)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO).astype(ct.tfloat32)
        acc = ct.mma(a, b, acc)
    acc = acc - ct.sum(acc, 1, keepdims=True) / TN
    acc = acc + ct.load(bias, (0, j), (1, TN), padding_mode=ZERO)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def backward(A, B, C, STEP: ConstInt, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Every STEP-th tile along K from the last one on; a second product takes a factor that was computed."""
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.zeros((TM, TN), ct.float32)
    last = ct.num_tiles(A, 1, (TM, TK)) - 1
    for k in range(part, last + 1, STEP):
        a = ct.load(A, (i, last - k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (last - k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        acc = ct.mma(a + a, b, acc)
    rows, columns = i * TM + ct.arange(TM, dtype=ct.int32), j * TN + ct.arange(TN, dtype=ct.int32)
    ct.atomic_add(C, (rows[:, None], columns[None, :]), acc)


@ct.kernel
def last_adds(A, B, parts, arrived, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, SPLITS: ConstInt):
    """Parts of K by blocks of their own; of those of a tile, the last one to arrive adds what all have stored."""
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    steps = ct.cdiv(A.shape[1], TK * SPLITS)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(part * steps, (part + 1) * steps):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(parts, (part, i, j), acc.reshape((1, TM, TN)))
    if ct.atomic_add(arrived, (i, j), 1) == SPLITS - 1:
        total = ct.load(parts, (0, i, j), (1, TM, TN))
        for other in range(1, SPLITS):
            total = total + ct.load(parts, (other, i, j), (1, TM, TN))
        ct.store(C, (i, j), total.reshape((TM, TN)).astype(C.dtype))
        ct.scatter(arrived, (i, j), 0)  # for the next launch


@ct.kernel
def picked(A, B, C, which, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Tiles along K as a list says, then those with odd numbers; the sums are read between the loops."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for n in range(which.shape[0]):
        k = ct.load(which, n, ()).item()
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    acc = acc * 0.5
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        if k % 2 == 1:
            a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
            acc = ct.mma(a, ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def persistent(A, B, C, D, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Several tiles of the result by each block, and two right factors of one form."""
    rows, columns = ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN)
    for tile in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        i, j = tile // columns, tile % columns
        gate, up = ct.zeros((TM, TN), ct.float32), ct.zeros((TM, TN), ct.float32)
        for k in range(ct.num_tiles(A, 1, (TM, TK))):
            a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
            gate = ct.mma(a, ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), gate)
            up = ct.mma(a, ct.load(C, (k, j), (TK, TN), padding_mode=ZERO), up)
        ct.store(D, (i, j), (ct.maximum(gate, 0.0) * up).astype(D.dtype))


@ct.kernel
def changed(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """A factor that takes another value between two products, and is reduced."""
    i, j = ct.bid(0), ct.bid(1)
    acc, total = ct.zeros((TM, TN), ct.float32), ct.zeros((TM, 1), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        total = total + ct.sum(a.astype(ct.float32), 1, keepdims=True)
        a = ct.maximum(a, 0)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc + total)


@ct.kernel
def changed_in_turns(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """The same, but only in every other step."""
    i, j = ct.bid(0), ct.bid(1)
    acc, total = ct.zeros((TM, TN), ct.float32), ct.zeros((TM, 1), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
        total = total + ct.sum(a.astype(ct.float32), 1, keepdims=True)
        if k % 2 == 1:
            a = ct.maximum(a, 0)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc + total)


def one_more(a, b, acc):
    """Sums of three axes, given and given back."""
    return ct.mma(a, b, acc)


@ct.kernel
def batch_of_one(A, B, D, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """All tiles keep the axis of the batch, in which a block has one matrix."""
    n, i, j = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.zeros((1, TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (1, TM, TK))):
        a = ct.load(A, (n, i, k), (1, TM, TK), padding_mode=ZERO)
        b = ct.permute(ct.load(B, (n, j, k), (1, TN, TK), padding_mode=ZERO), (0, 2, 1))
        acc = ct.mma(a, b, acc)
        if k == 0:
            acc = acc * 2.0
        acc = one_more(a, b, acc)
    whole = acc + ct.mma(ct.ones((1, TM, TK), A.dtype), ct.load(D, (0, j), (TK, TN), padding_mode=ZERO)[None, :, :], ct.zeros((1, TM, TN), ct.float32))
    ct.store(C, (n, i, j), whole)


@ct.kernel
def added(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Products of their own, which are rounded to the dtype of the factors before they are added."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc += ct.load(A, (i, k), (TM, TK), padding_mode=ZERO) @ ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
    ct.store(C, (i, j), acc)


@ct.kernel
def halved(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums that are halves after each step."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.ones((TM, TN), ct.float16)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        acc = ct.mma(a, ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def widened(A, W, S, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """A right factor that the threads compute of bytes, with a scale for each column and step."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(W, (k, j), (TK, TN), padding_mode=ZERO).astype(A.dtype)
        b = b * ct.load(S, (k, j), (1, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def rounded_in_the_loop(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Both factors come from registers, the right one turned round."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO).astype(ct.bfloat16)
        b = ct.load(B, (j, k), (TN, TK), padding_mode=ZERO).astype(ct.bfloat16)
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def changed_at_times(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Factors that take other values in some steps only: whether one is as memory holds it is known when the kernel runs."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        if k % 2 == 1:
            a = ct.maximum(a, 0)
        if k % 3 == 2:
            b = ct.maximum(b, 0)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def chunked(q, k, v, decays, scale, out, last, T: ConstInt, D: ConstInt):
    """Linear attention with a state that fades from chunk to chunk: the right factor of one product is computed, as are both of another one, and the queries are
    scaled before they are multiplied."""
    head = ct.bid(0)
    state = ct.zeros((D, D), ct.float32)
    steps = ct.arange(T, dtype=ct.int32)
    for c in range(ct.cdiv(q.shape[1], T)):
        queries = ct.load(q, (head, c, 0), (1, T, D), padding_mode=ZERO).reshape((T, D))
        queries = (queries * scale).astype(q.dtype)
        keys = ct.load(k, (head, c, 0), (1, T, D), padding_mode=ZERO).reshape((T, D))
        values = ct.load(v, (head, c, 0), (1, T, D), padding_mode=ZERO).reshape((T, D))
        fades = ct.cumsum(ct.load(decays, (head, c), (1, T), padding_mode=ZERO).reshape((T,)), 0)
        inside = ct.mma(queries, ct.transpose(keys), ct.zeros((T, T), ct.float32)) * exp(fades[:, None] - fades[None, :])
        inside = ct.where(steps[:, None] >= steps[None, :], inside, 0.0)
        o = ct.mma(queries, state.astype(q.dtype), ct.zeros((T, D), ct.float32)) * exp(fades)[:, None]
        o = ct.mma(inside.astype(q.dtype), values, o)
        ct.store(out, (head, c, 0), o.reshape((1, T, D)))
        whole = ct.min(fades)  # none of them is above zero
        faded = (keys.astype(ct.float32) * exp(whole - fades)[:, None]).astype(q.dtype)
        state = ct.mma(ct.transpose(faded), values, state * exp(whole))
    ct.store(last, (head, 0, 0), state.reshape((1, D, D)))


@ct.kernel
def sums_before(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Each step stores what those before have added up to, so nobody asks for the last sums."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        ct.store(C, (k, i, j), acc.reshape((1, TM, TN)))
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)


@ct.kernel
def exchanged(A, B, C, T: ConstInt):
    """Factors that take other values, and then each other's."""
    acc = ct.zeros((T, T), ct.float32)
    for k in range(ct.num_tiles(A, 1, (T, T))):
        a = ct.load(A, (0, k), (T, T), padding_mode=ZERO)
        b = ct.load(B, (0, k), (T, T), padding_mode=ZERO)
        a, b = ct.transpose(b), ct.transpose(a)
        if C.shape[0] > 0:
            a, b = b, a
        acc = ct.mma(a, b, acc)
        a = ct.maximum(b, 0)
        b = a
        acc = ct.mma(a, b, acc)
    ct.store(C, (0, 0), acc)


@ct.kernel
def picked_from_a_tile(A, B, order, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Which tiles are multiplied is an element of a tile that was loaded before."""
    acc = ct.zeros((TM, TN), ct.float32)
    steps = ct.load(order, (0,), (4,))
    for n in range(4):
        k = ct.extract(steps, (n,), (1,))
        a = ct.load(A, (0, k.item()), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k.item(), 0), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (0, 0), acc)


@ct.kernel
def fixed_right(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """One right factor for all rows: the left one moves."""
    b = ct.load(B, (0, 0), (TK, TN), padding_mode=ZERO)
    for i in range(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.num_blocks(0)):
        a = ct.load(A, (i, 0), (TM, TK), padding_mode=ZERO)
        ct.store(C, (i, 0), ct.mma(a, b, ct.zeros((TM, TN), ct.float32)))


@ct.kernel
def single(A, B, C, TM: ConstInt, TK: ConstInt):
    """No loop: A times B transposed, whose tiles have the same form."""
    a = ct.load(A, (ct.bid(0), 0), (TM, TK), padding_mode=ZERO)
    b = ct.load(B, (ct.bid(1), 0), (TM, TK), padding_mode=ZERO)
    ct.store(C, (ct.bid(0), ct.bid(1)), ct.mma(a, ct.transpose(b), ct.zeros((TM, TM), ct.float32)))


@ct.kernel
def until_large(A, B, C, most: float, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """How far it goes is led by the sums, so products look after their rings themselves."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    k = 0
    while k < ct.num_tiles(A, 1, (TM, TK)) and ct.max(acc) < most:
        b = ct.load(B, (j, k), (TN, TK), padding_mode=ZERO)
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.transpose(b), acc)
        k += 1
    ct.store(C, (i, j), acc)


@ct.kernel
def two_dtypes(A, B, C, D, E, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums of products of two dtypes, one of which adds in registers of its own; each has a ring."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        acc = ct.mma(ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO), acc)
    for k in range(ct.num_tiles(C, 1, (TM, TK))):
        d = ct.load(D, (j, k), (TN, TK), padding_mode=ZERO)
        acc = ct.mma(ct.load(C, (i, k), (TM, TK), padding_mode=ZERO), ct.transpose(d), acc)
    ct.store(E, (i, j), acc)


@ct.kernel
def kept(A, B, C, D, E, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums with which another product begins, and such that another variable is given, are asked for later."""
    i, j = ct.bid(0), ct.bid(1)
    acc, other, before = (ct.zeros((TM, TN), ct.float32), ct.zeros((TM, TN), ct.float32), ct.zeros((TM, TN), ct.float32))
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a, b = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO), ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        before = acc
        acc = ct.mma(a, b, acc)
        other = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)
    ct.store(D, (i, j), other)
    ct.store(E, (i, j), before)


@ct.kernel
def in_steps(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Factors that come about in several statements, under one name: turned in a batch, made matrices, given the dtype that they have."""
    i, j, batch = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[2], TK)):
        a = ct.load(A, (batch, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (batch, j, k), (1, TN, TK), padding_mode=ZERO)
        b = ct.permute(b, (0, 2, 1))
        b = ct.reshape(b, (TK, TN))
        a = ct.astype(a, A.dtype)
        b = ct.astype(b, A.dtype)
        acc = ct.mma(a, b, acc)
    ct.store(C, (batch, i, j), acc.astype(C.dtype).reshape((1, TM, TN)))


@ct.kernel
def begun(A, B, D, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums that begin with what memory holds."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.load(D, (i, j), (TM, TN), padding_mode=ZERO)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def between_heads(A, B, D, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Matrices with another axis between their rows and columns, as heads are between positions and features."""
    i, j = ct.bid(0), ct.bid(1)
    batch, head = ct.bid(2) // A.shape[2], ct.bid(2) % A.shape[2]
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[3], TK)):
        a = ct.load(A, (batch, i, head, k), (1, TM, 1, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (batch, j, head, k), (1, TN, 1, TK), padding_mode=ZERO).reshape((TN, TK))
        acc = ct.mma(a, ct.transpose(b), acc)
        d = ct.load(D, (batch, k, head, j), (1, TK, 1, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, d, acc)
    first = ct.load(A, (batch, i, head, 0), (1, TM, 1, TK), padding_mode=ZERO).astype(ct.float32)
    acc = acc + ct.reshape(ct.sum(first, 3), (TM, 1))
    ct.store(C, (batch, i, head, j), acc.astype(C.dtype).reshape((1, TM, 1, TN)))


@ct.kernel
def apart(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Factors with neighbours along no axis of theirs: they lie side by side for all batches."""
    i, j, batch = ct.bid(0), ct.bid(1), ct.bid(2)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[1], TK)):
        a = ct.load(A, (batch, i, k), (1, TM, TK), order=(2, 0, 1), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (batch, k, j), (1, TK, TN), order=(2, 0, 1), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, b, acc)
    ct.store(C, (batch, i, j), acc.astype(C.dtype).reshape((1, TM, TN)))


@ct.kernel
def up_to(A, B, depths, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Sums that end where memory says: its numbers are read as tiles of one element. Blocks of empty batches leave early."""
    i, j, batch = ct.bid(0), ct.bid(1), ct.bid(2)
    depth = ct.load(depths, (batch,), (1,)).reshape(())
    if depth <= 0:
        ct.store(C, (batch, i, j), ct.zeros((1, TM, TN), C.dtype))
        return
    first = ct.load(depths, (0,), (1,))
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(0 * first.item(), ct.cdiv(depth, TK)):
        a = ct.load(A, (batch, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (batch, j, k), (1, TN, TK), padding_mode=ZERO).reshape((TN, TK))
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(C, (batch, i, j), acc.astype(C.dtype).reshape((1, TM, TN)))


@ct.kernel
def turned_in_place(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Both factors lie the other way, and are turned under the names that they have."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[0], TK)):
        a = ct.load(A, (k, i), (TK, TM), padding_mode=ZERO)
        a = ct.transpose(a)
        b = ct.load(B, (j, k), (TN, TK), padding_mode=ZERO)
        b = ct.transpose(b)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def attention(q, k, v, out, scale, causal: ct.Constant[bool], TM: ConstInt, TN: ConstInt, D: ConstInt):
    """Online softmax between two products; several query heads share a head of keys."""
    batch, head, i = ct.bid(0), ct.bid(1), ct.bid(2)
    shared = head // (q.shape[1] // k.shape[1])
    queries = ct.load(q, (batch, head, i, 0), (1, 1, TM, D), padding_mode=ZERO).reshape((TM, D))
    rows, columns = i * TM + ct.arange(TM, dtype=ct.int32)[:, None], ct.arange(TN, dtype=ct.int32)[None, :]
    top, total = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    last = ct.cdiv(min((i + 1) * TM, k.shape[2]) if causal else k.shape[2], TN)
    for j in range(last):
        keys = ct.load(k, (batch, shared, 0, j), (1, 1, D, TN), order=(0, 1, 3, 2), padding_mode=ZERO).reshape((D, TN))
        scores = ct.mma(queries, keys, ct.zeros((TM, TN), ct.float32)) * scale
        inside = j * TN + columns < k.shape[2]
        if causal:
            inside = inside & (j * TN + columns <= rows)
        scores = ct.where(inside, scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights, shrink = exp(scores - new_top), exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        values = ct.load(v, (batch, shared, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(v.dtype), values, acc * shrink)
        top = new_top
    ct.store(out, (batch, head, i, 0), (acc / total).astype(out.dtype).reshape((1, 1, TM, D)))


@ct.kernel
def packed(qkv, out, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    """Attention to what one array of five axes holds: [batch, position, queries or keys or values, head, feature]."""
    batch, head, i = ct.bid(0), ct.bid(1), ct.bid(2)
    queries = ct.load(qkv, (batch, i, 0, head, 0), (1, TM, 1, 1, D), padding_mode=ZERO).reshape((TM, D))
    columns = ct.arange(TN, dtype=ct.int32)[None, :]
    top, total = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    for j in range(ct.cdiv(qkv.shape[1], TN)):
        keys = ct.load(qkv, (batch, j, 1, head, 0), (1, TN, 1, 1, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((TM, TN), ct.float32)) * scale
        scores = ct.where(j * TN + columns < qkv.shape[1], scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights, shrink = exp(scores - new_top), exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        values = ct.load(qkv, (batch, j, 2, head, 0), (1, TN, 1, 1, D), padding_mode=ZERO).reshape((TN, D))
        acc = ct.mma(weights.astype(qkv.dtype), values, acc * shrink)
        top = new_top
    ct.store(out, (batch, i, head, 0), (acc / total).astype(out.dtype).reshape((1, TM, 1, D)))


@ct.kernel
def attended_backward(q, k, v, do, logs, delta, dk, dv, scale, TM: ConstInt, TN: ConstInt, D: ConstInt):
    """What attention hands back to its keys and values: four products a step, two of which add up."""
    j, head = ct.bid(0), ct.bid(1)
    keys = ct.load(k, (head, j, 0), (1, TN, D), padding_mode=ZERO).reshape((TN, D))
    values = ct.load(v, (head, j, 0), (1, TN, D), padding_mode=ZERO).reshape((TN, D))
    of_keys, of_values = ct.zeros((TN, D), ct.float32), ct.zeros((TN, D), ct.float32)
    for i in range(ct.cdiv(q.shape[1], TM)):
        queries = ct.load(q, (head, i, 0), (1, TM, D), padding_mode=ZERO).reshape((TM, D))
        given = ct.load(do, (head, i, 0), (1, TM, D), padding_mode=ZERO).reshape((TM, D))
        scores = ct.mma(keys, ct.transpose(queries), ct.zeros((TN, TM), ct.float32)) * scale
        weights = exp(scores - ct.load(logs, (head, i), (1, TM), padding_mode=ZERO))
        of_values = ct.mma(weights.astype(do.dtype), given, of_values)
        of_weights = ct.mma(values, ct.transpose(given), ct.zeros((TN, TM), ct.float32))
        of_scores = weights * (of_weights - ct.load(delta, (head, i), (1, TM), padding_mode=ZERO)) * scale
        of_keys = ct.mma(of_scores.astype(q.dtype), queries, of_keys)
    ct.store(dk, (head, j, 0), of_keys.reshape((1, TN, D)))
    ct.store(dv, (head, j, 0), of_values.reshape((1, TN, D)))


@ct.kernel
def with_places(q, place_q, k, place_k, v, out, scale, TM: ConstInt, TN: ConstInt, D: ConstInt, P: ConstInt):
    """Scores are two products, of features of a head and of places that all heads share: four tiles to fetch, and two that stay."""
    i, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (head, i, 0), (1, TM, D), padding_mode=ZERO).reshape((TM, D))
    query_places = ct.load(place_q, (head, i, 0), (1, TM, P), padding_mode=ZERO).reshape((TM, P))
    top, total = ct.full((TM, 1), -1e30, ct.float32), ct.zeros((TM, 1), ct.float32)
    acc = ct.zeros((TM, D), ct.float32)
    columns = ct.arange(TN, dtype=ct.int32)[None, :]
    for j in range(ct.cdiv(k.shape[1], TN)):
        keys = ct.load(k, (head, j, 0), (1, TN, D), padding_mode=ZERO).reshape((TN, D))
        key_places = ct.load(place_k, (j, 0), (TN, P), padding_mode=ZERO)
        values = ct.load(v, (head, j, 0), (1, TN, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.mma(queries, ct.transpose(keys), ct.zeros((TM, TN), ct.float32))
        scores = ct.mma(query_places, ct.transpose(key_places), scores) * scale
        scores = ct.where(j * TN + columns < k.shape[1], scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        weights, shrink = exp(scores - new_top), exp(top - new_top)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        acc = ct.mma(weights.astype(k.dtype), values, acc * shrink)
        top = new_top
    ct.store(out, (head, i, 0), (acc / total).reshape((1, TM, D)))


@ct.kernel
def decoded_in_columns(q, k, v, lengths, out, scale, ROWS: ConstInt, TN: ConstInt, D: ConstInt):
    """Attention of a few queries, one a column: keys and values are left factors, and the weights are a right factor that is computed."""
    batch, head = ct.bid(0), ct.bid(1)
    queries = ct.transpose(ct.load(q, (batch, head, 0, 0), (1, 1, ROWS, D), padding_mode=ZERO).reshape((ROWS, D)))
    keys = ct.load(lengths, (batch,), (1,)).item()
    top, total = ct.full((ROWS,), -1e30, ct.float32), ct.zeros((TN, ROWS), ct.float32)
    acc = ct.zeros((D, ROWS), ct.float32)
    for j in range(ct.cdiv(keys, TN)):
        k_tile = ct.load(k, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D))
        scores = ct.full((TN, ROWS), 0.0, ct.float32)
        scores = ct.mma(k_tile, queries, scores) * scale
        if (j + 1) * TN > keys:
            scores = ct.where(j * TN + ct.arange(TN, dtype=ct.int32)[:, None] < keys, scores, -1e30)
        new_top = ct.maximum(top, ct.max(scores, 0))
        weights, shrink = exp(scores - new_top[None, :]), exp(top - new_top)
        total = total * shrink[None, :] + weights
        v_tile = ct.transpose(ct.load(v, (batch, head, j, 0), (1, 1, TN, D), padding_mode=ZERO).reshape((TN, D)))
        acc = ct.mma(v_tile, weights.astype(v.dtype), acc * shrink[None, :])
        top = new_top
    ct.store(out, (batch, head, 0, 0), ct.transpose(acc / ct.sum(total, 0)[None, :]).reshape((1, 1, ROWS, D)))


@ct.kernel
def weights_as_read(A, W, scales, V, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Weights in bytes with a scale for each column, and a second product of the same left factor; a third one has no sums to begin with."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    scale = ct.load(scales, (0, j), (1, TN), padding_mode=ZERO)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        w = (ct.load(W, (k, j), (TK, TN), padding_mode=ZERO).astype(ct.float32) * scale).astype(A.dtype)
        v = ct.load(V, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, w, acc)
        acc = ct.mma(a, v, acc)
        acc = acc + ct.matmul(a, v).astype(ct.float32)
    ct.store(C, (i, j), acc)


# --- cases ---


def blocks(m, n, tm, tn):
    return -(-m // tm) * -(-n // tn)


def turned(array):
    """The same matrix with its columns adjacent."""
    return np.ascontiguousarray(array.T).T


def every_other_row(array):
    rows = np.zeros((2 * array.shape[0], array.shape[1]), array.dtype)
    rows[::2] = array
    return rows[::2]


def inside(array):
    """A part of a larger array, at an odd address."""
    whole = np.zeros((array.shape[0] + 1, array.shape[1] + 3), array.dtype)
    whole[1:, 3:] = array
    return whole[1:, 3:]


def as_it_is(array):
    return array


def product_case(name, m, n, k, tile, dtype="float16", out="float32", left=as_it_is, right=as_it_is):
    def make(rng):
        low, high = (-128, 127) if dtype == "int8" else (-1, 1)
        a, b = fresh(rng, (m, k), dtype, low, high), fresh(rng, (k, n), dtype, low, high)
        return left(a), right(b), blank((m, n), out), *tile

    def expected(a, b, c, *_):
        exact = np.int64 if dtype == "int8" else np.float64
        return [(a.astype(exact) @ b.astype(exact)).astype(c.dtype)]

    return Case(f"product {name}", product, (blocks(m, n, *tile[:2]), 1, 1), make, (2,), expected, terms=k)


def tf32(x):
    """To nearest even."""
    bits = x.astype(np.float32).view(np.uint32)
    return ((bits + (0xFFF + (bits >> 13 & 1))) & ~np.uint32(0x1FFF)).view(np.float32)


def rounded_case(name, m, n, k, tile, out="float32", left=as_it_is, right=as_it_is):
    def make(rng):
        a, b, bias = (fresh(rng, shape, "float32", -1, 1) for shape in ((m, k), (k, n), (1, n)))
        return left(a), right(b), bias, blank((m, n), out), *tile

    def expected(a, b, bias, c, *_):
        columns = -(-n // tile[1]) * tile[1]
        sums = np.zeros((m, columns))
        sums[:, :n] = wide(tf32(a)) @ wide(tf32(b))
        parts = sums.reshape(m, -1, tile[1])
        return [((parts - parts.mean(2, keepdims=True)).reshape(m, columns)[:, :n] + bias).astype(c.dtype)]

    return Case(f"tf32 {name}", rounded, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (3,), expected, terms=k)


def tiles_of(matrix, axis, size, numbers):
    """The sum of products takes these tiles along K; past the end there are zeros."""
    parts = []
    for number in numbers:
        part = np.zeros((matrix.shape[0], size) if axis else (size, matrix.shape[1]))
        found = matrix[:, number * size : (number + 1) * size] if axis else matrix[number * size : (number + 1) * size]
        part[: found.shape[0], : found.shape[1]] = found
        parts.append(part)
    return parts


def sum_over(a, b, size, numbers):
    return sum(x @ y for x, y in zip(tiles_of(wide(a), 1, size, numbers), tiles_of(wide(b), 0, size, numbers)))


def backward_case(m, n, k, step, tile):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), np.zeros((m, n), np.float32), step, *tile

    return Case(f"backward by {step}", backward, (-(-m // tile[0]), -(-n // tile[1]), step), make, (2,), lambda a, b, *_: [3 * (wide(a) @ wide(b))], terms=3 * k)


def last_adds_case(m, n, k, splits, tile):
    grid = -(-m // tile[0]), -(-n // tile[1]), splits

    def make(rng):
        a, b = fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1)
        return a, b, blank((splits, m, n)), np.zeros(grid[:2], np.int32), blank((m, n)), *tile, splits

    def expect(a, b, parts, arrived, *_):
        share = -(-k // (tile[2] * splits)) * tile[2]
        sums = [wide(a[:, first : first + share]) @ wide(b[first : first + share]) for first in range(0, splits * share, share)]
        return [np.stack(sums), 0 * arrived, sum(sums)]

    return Case("the last one adds", last_adds, grid, make, (2, 3, 4), expect, terms=k)


def picked_case(m, n, k, tile):
    def make(rng):
        which = rng.integers(0, -(-k // tile[2]), 7).astype(np.int32)
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), which, *tile

    def expected(a, b, c, which, *_):
        steps = range(-(-k // tile[2]))
        return [0.5 * sum_over(a, b, tile[2], which) + sum_over(a, b, tile[2], steps[1::2])]

    return Case("tiles picked by a list", picked, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=8 * tile[2])


def persistent_case(m, n, k, count, tile, left):
    def make(rng):
        a, b, c = (fresh(rng, shape, "float16", -1, 1) for shape in ((m, k), (k, n), (k, n)))
        return left(a), b, c, blank((m, n)), *tile

    def expected(a, b, c, d, *_):
        return [np.maximum(wide(a) @ wide(b), 0) * (wide(a) @ wide(c))]

    return Case(f"persistent, {left.__name__}", persistent, (count, 1, 1), make, (3,), expected, terms=k, scale=8.0)


def changed_case(m, n, k, tile, kernel=changed):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), *tile

    def expected(a, b, *_):
        stays = np.arange(k) // tile[2] % 2 == 0 if kernel is changed_in_turns else np.zeros(k, bool)
        later = np.where(stays, wide(a), np.maximum(wide(a), 0))
        return [(wide(a) + later) @ wide(b) + wide(a).sum(1, keepdims=True)]

    name = "a factor takes another value" + (" at times" if kernel is changed_in_turns else "")
    return Case(name, kernel, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=3 * k)


def batch_of_one_case(batch, m, n, k, tile):
    def make(rng):
        factors = (fresh(rng, (batch, rows, k), "float16", -1, 1) for rows in (m, n))
        return *factors, fresh(rng, (tile[2], n), "float16", -1, 1), blank((batch, m, n)), *tile

    def expected(a, b, d, *_):
        times = np.where(np.arange(k) < tile[2], 3, 2)
        return [(wide(a) * times) @ wide(b).swapaxes(1, 2) + wide(d).sum(0)]

    return Case("batches of one", batch_of_one, (-(-m // tile[0]), -(-n // tile[1]), batch), make, (3,), expected, terms=3 * k)


def narrow_case(kernel, m, n, k, tile, dtype="float16", scale=1.0):
    def make(rng):
        return fresh(rng, (m, k), dtype, -1, 1), fresh(rng, (k, n), dtype, -1, 1), blank((m, n), "float16" if kernel is halved else "float32"), *tile

    name = f"{kernel.__wrapped__.__name__}, {np.dtype(dtype).name}"
    return Case(name, kernel, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), lambda a, b, *_: [wide(a) @ wide(b) + (kernel is halved)], terms=k, scale=scale, only_target=90 if tile[1] > 64 else None)


def widened_case(m, n, k, tile):
    def make(rng):
        steps = -(-k // tile[2])
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "int8"), fresh(rng, (steps, n), "float16", 0.01, 0.02), blank((m, n)), *tile

    def expected(a, w, s, *_):
        weights = (w.astype(np.float16) * np.repeat(s, tile[2], 0)[: len(w)]).astype(np.float16)
        return [wide(a) @ wide(weights)]

    return Case(f"right factors from registers, {'x'.join(map(str, tile))}", widened, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (3,), expected, terms=k)


def rounded_in_the_loop_case(m, n, k, tile):
    def make(rng):
        return fresh(rng, (m, k), "float32", -1, 1), fresh(rng, (n, k), "float32", -1, 1), blank((m, n)), *tile

    def expected(a, b, *_):
        return [wide(a.astype(bfloat16)) @ wide(b.astype(bfloat16)).T]

    return Case("both factors from registers", rounded_in_the_loop, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=k)


def changed_at_times_case(m, n, steps, tile):
    def make(rng):
        k = steps * tile[2]
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), *tile

    def expected(a, b, *_):
        left, right = np.split(wide(a), steps, 1), np.split(wide(b), steps)
        return [sum((np.maximum(x, 0) if k % 2 == 1 else x) @ (np.maximum(y, 0) if k % 3 == 2 else y) for k, (x, y) in enumerate(zip(left, right)))]

    return Case("factors take other values at times", changed_at_times, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=steps * tile[2])


def chunked_case(heads, length, chunk, width, dtype="float16"):
    def make(rng):
        q, k, v = (fresh(rng, (heads, length, width), dtype, -1, 1) for _ in range(3))
        return q, k, v, fresh(rng, (heads, length), "float32", -0.05, 0), 0.125, blank(v.shape), blank((heads, width, width)), chunk, width

    def expected(q, k, v, decays, scale, *_):
        sums = wide(decays).cumsum(1)
        fade = np.where(np.tri(length, dtype=bool), np.exp(np.minimum(sums[:, :, None] - sums[:, None], 0)), 0)
        weights = np.exp(sums[:, -1:] - sums)[:, :, None]
        return [(wide(q) * scale @ wide(k).swapaxes(1, 2) * fade) @ wide(v), (wide(k) * weights).swapaxes(1, 2) @ wide(v)]

    return Case(f"chunks of {chunk}, width {width}, {np.dtype(dtype).name}", chunked, (heads, 1, 1), make, (5, 6), expected, terms=length, scale=300.0 if dtype == "float16" else 2500.0, only_target=90)


def sums_before_case(m, n, steps, tile):
    def make(rng):
        k = steps * tile[2]
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((steps, m, n)), *tile

    def expected(a, b, *_):
        products = [x @ y for x, y in zip(np.split(wide(a), steps, 1), np.split(wide(b), steps))]
        return [np.cumsum([np.zeros((m, n)), *products[:-1]], axis=0)]

    return Case("sums before each step", sums_before, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=steps * tile[2])


def exchanged_case(tile, count):
    def make(rng):
        return fresh(rng, (tile, tile * count), "float16", -1, 1), fresh(rng, (tile, tile * count), "float16", -1, 1), blank((tile, tile)), tile

    def expected(a, b, *_):
        left, right = (np.split(wide(x), count, 1) for x in (a, b))
        return [sum(x.T @ y.T + np.maximum(y.T, 0) @ np.maximum(y.T, 0) for x, y in zip(left, right))]

    return Case("factors take each other's values", exchanged, (1, 1, 1), make, (2,), expected, terms=2 * tile * count)


def picked_from_a_tile_case(tile):
    def make(rng):
        order = np.array([3, 1, 0, 1], np.int32)
        return fresh(rng, (tile[0], 4 * tile[2]), "float16", -1, 1), fresh(rng, (4 * tile[2], tile[1]), "float16", -1, 1), order, blank(tile[:2]), *tile

    def expected(a, b, order, *_):
        left, right = np.split(wide(a), 4, 1), np.split(wide(b), 4)
        return [sum(left[k] @ right[k] for k in order)]

    return Case("steps from a tile", picked_from_a_tile, (1, 1, 1), make, (3,), expected, terms=4 * tile[2])


def fixed_case(m, n, k):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), 64, n, k

    return Case("the right factor stays", fixed_right, (2, 1, 1), make, (2,), lambda a, b, *_: [wide(a) @ wide(b)], terms=k)


def single_case(m, n, k, tile):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (n, k), "float16", -1, 1), blank((m, n)), *tile

    grid = (-(-m // tile[0]), -(-n // tile[0]), 1)
    return Case(f"one product, {tile[0]}x{tile[1]}", single, grid, make, (2,), lambda a, b, *_: [wide(a) @ wide(b).T], terms=k)


def two_dtypes_case(m, n, k, narrow_k, tile):
    def make(rng):
        narrow = (fresh(rng, (rows, narrow_k), float8_e4m3fn, -1, 1) for rows in (m, n))
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), *narrow, blank((m, n)), *tile

    def expected(a, b, c, d, *_):
        return [wide(a) @ wide(b) + wide(c) @ wide(d).T]

    return Case("two dtypes", two_dtypes, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (4,), expected, terms=k + narrow_k, scale=80.0)  # 8-bit floats are added in 14 bits, tile by tile


def until_large_case(m, n, k, tile, dtype, scale=1.0):
    def make(rng):
        return fresh(rng, (m, k), dtype, -1, 1), fresh(rng, (n, k), dtype, -1, 1), blank((m, n)), 1e9, *tile

    def expected(a, b, *_):
        return [wide(a) @ wide(b).T]

    return Case(f"led by the sums, {np.dtype(dtype).name}", until_large, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2,), expected, terms=k, scale=scale)


def kept_case(m, n, k, tile):
    def make(rng):
        return fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1), blank((m, n)), blank((m, n)), blank((m, n)), *tile

    def expected(a, b, *_):
        steps = range(-(-k // tile[2]))
        whole, last = wide(a) @ wide(b), sum_over(a, b, tile[2], steps[-1:])
        return [whole, whole + last, whole - last]

    return Case("sums are kept", kept, (-(-m // tile[0]), -(-n // tile[1]), 1), make, (2, 3, 4), expected, terms=2 * k)


def in_steps_case(batch, m, n, k, tile, dtype="float16", scale=1.0):
    def make(rng):
        return fresh(rng, (batch, m, k), dtype, -1, 1), fresh(rng, (batch, n, k), dtype, -1, 1), blank((batch, m, n)), *tile

    def expected(a, b, *_):
        return [wide(a) @ wide(b).swapaxes(1, 2)]

    name = f"in steps, {'x'.join(map(str, tile))} {np.dtype(dtype).name}"
    return Case(name, in_steps, (-(-m // tile[0]), -(-n // tile[1]), batch), make, (2,), expected, terms=k, scale=scale)


def begun_case(m, n, k, tile):
    def make(rng):
        factors = fresh(rng, (m, k), "float16", -1, 1), fresh(rng, (k, n), "float16", -1, 1)
        return *factors, fresh(rng, (m, n), "float32", -1, 1), blank((m, n)), *tile

    grid = (-(-m // tile[0]), -(-n // tile[1]), 1)
    return Case("sums that are loaded", begun, grid, make, (3,), lambda a, b, d, *_: [wide(d) + wide(a) @ wide(b)], terms=k)


def between_heads_case(batch, heads, m, n, k, tile):
    def make(rng):
        a, b = (fresh(rng, (batch, rows, heads, k), "float16", -1, 1) for rows in (m, n))
        return a, b, fresh(rng, (batch, k, heads, n), "float16", -1, 1), blank((batch, m, heads, n)), *tile

    def expected(a, b, d, *_):
        a, b, d = (wide(x).swapaxes(1, 2) for x in (a, b, d))
        whole = a @ b.swapaxes(2, 3) + a @ d + a[..., : tile[2]].sum(3, keepdims=True)
        return [whole.swapaxes(1, 2)]

    grid = (-(-m // tile[0]), -(-n // tile[1]), batch * heads)
    return Case(f"between heads, {'x'.join(map(str, tile))}", between_heads, grid, make, (3,), expected, terms=3 * k)


def apart_case(batch, m, n, k, tile):
    def make(rng):
        return fresh(rng, (m, k, batch), "float16", -1, 1), fresh(rng, (k, n, batch), "float16", -1, 1), blank((batch, m, n)), *tile

    grid = (-(-m // tile[0]), -(-n // tile[1]), batch)
    return Case("neighbours along no axis", apart, grid, make, (2,), lambda a, b, *_: [np.moveaxis(wide(a), 2, 0) @ np.moveaxis(wide(b), 2, 0)], terms=k)


def up_to_case(depths, m, n, tile):
    def make(rng):
        k = max(depths)
        factors = (fresh(rng, (len(depths), rows, k), "float16", -1, 1) for rows in (m, n))
        return *factors, np.array(depths, np.int32), blank((len(depths), m, n)), *tile

    def expected(a, b, *_):
        whole = [-(-depth // tile[2]) * tile[2] for depth in depths]
        return [np.stack([wide(x[:, :end]) @ wide(y[:, :end]).T for x, y, end in zip(a, b, whole)])]

    grid = (-(-m // tile[0]), -(-n // tile[1]), len(depths))
    return Case("ends that memory says", up_to, grid, make, (3,), expected, terms=max(depths))


def turned_in_place_case(m, n, k, tile):
    def make(rng):
        return fresh(rng, (k, m), "float16", -1, 1), fresh(rng, (n, k), "float16", -1, 1), blank((m, n)), *tile

    grid = (-(-m // tile[0]), -(-n // tile[1]), 1)
    return Case("turned in place", turned_in_place, grid, make, (2,), lambda a, b, *_: [wide(a).T @ wide(b).T], terms=k)


def attention_case(queries, keys, heads, key_heads, tile, width, causal, dtype="float16"):
    def make(rng):
        q = fresh(rng, (2, heads, queries, width), dtype, -1, 1)
        k, v = (fresh(rng, (2, key_heads, keys, width), dtype, -1, 1) for _ in range(2))
        return q, k, v, blank(q.shape, "float32"), 1 / np.sqrt(width), causal, *tile, width

    def expected(q, k, v, *_):
        k, v = (np.repeat(wide(x), heads // key_heads, 1) for x in (k, v))
        scores = wide(q) @ k.swapaxes(2, 3) / np.sqrt(width)
        if causal:
            scores = np.where(np.arange(keys) <= np.arange(queries)[:, None], scores, -np.inf)
        weights = np.exp(scores - scores.max(3, keepdims=True))
        # The weights are rounded to the dtype of the values before they are multiplied.
        return [weights / weights.sum(3, keepdims=True) @ v]

    name = f"attention {queries}x{keys}x{width}{' causal' if causal else ''} {dtype}"
    return Case(name, attention, (2, heads, -(-queries // tile[0])), make, (3,), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0)


def packed_case(batch, length, heads, width, tile):
    def make(rng):
        return fresh(rng, (batch, length, 3, heads, width), "float16", -1, 1), blank((batch, length, heads, width)), 1 / np.sqrt(width), *tile, width

    def expected(qkv, *_):
        q, k, v = (wide(qkv[:, :, n]).swapaxes(1, 2) for n in range(3))
        scores = q @ k.swapaxes(2, 3) / np.sqrt(width)
        weights = np.exp(scores - scores.max(3, keepdims=True))
        return [(weights / weights.sum(3, keepdims=True) @ v).swapaxes(1, 2)]

    return Case(f"queries, keys and values in one array, width {width}", packed, (batch, heads, -(-length // tile[0])), make, (1,), expected, terms=length, scale=300.0)


def backward_attention_case(heads, queries, keys, width, tile):
    def softmax(q, k):
        scores = wide(q) @ wide(k).swapaxes(1, 2) / np.sqrt(width)
        logs = np.log(np.exp(scores).sum(2))
        return np.exp(scores - logs[:, :, None]), logs

    def make(rng):
        q, do = (fresh(rng, (heads, queries, width), "float16", -1, 1) for _ in range(2))
        k, v = (fresh(rng, (heads, keys, width), "float16", -1, 1) for _ in range(2))
        weights, logs = softmax(q, k)
        delta = (wide(do) * (weights @ wide(v))).sum(2)
        return q, k, v, do, logs.astype(np.float32), delta.astype(np.float32), blank(k.shape), blank(v.shape), 1 / np.sqrt(width), *tile, width

    def expected(q, k, v, do, logs, delta, *_):
        weights, _ = softmax(q, k)
        of_scores = weights * (wide(do) @ wide(v).swapaxes(1, 2) - delta[:, :, None]) / np.sqrt(width)
        return [of_scores.swapaxes(1, 2) @ wide(q), weights.swapaxes(1, 2) @ wide(do)]

    name = f"backward of keys and values {queries}x{keys}x{width} by {tile[0]}x{tile[1]}"
    return Case(name, attended_backward, (-(-keys // tile[1]), heads), make, (6, 7), expected, terms=queries, scale=300.0, only_target=90)


def with_places_case(heads, queries, keys, width, places, tile):
    def make(rng):
        q, place_q = (fresh(rng, (heads, queries, n), "float16", -1, 1) for n in (width, places))
        k, place_k, v = (fresh(rng, shape, "float16", -1, 1) for shape in ((heads, keys, width), (keys, places), (heads, keys, width)))
        return q, place_q, k, place_k, v, blank((heads, queries, width)), 1 / np.sqrt(width + places), *tile, width, places

    def expected(q, place_q, k, place_k, v, *_):
        scores = (wide(q) @ wide(k).swapaxes(1, 2) + wide(place_q) @ wide(place_k).T) / np.sqrt(width + places)
        weights = np.exp(scores - scores.max(2, keepdims=True))
        return [weights / weights.sum(2, keepdims=True) @ wide(v)]

    name = f"features and places {queries}x{keys}x{width}"
    return Case(name, with_places, (-(-queries // tile[0]), heads), make, (5,), expected, terms=keys, scale=300.0, only_target=90)


def in_columns_case(lengths, keys, heads, rows, width, tn, dtype="float16"):
    def make(rng):
        q = fresh(rng, (len(lengths), heads, rows, width), dtype, -1, 1)
        k, v = (fresh(rng, (len(lengths), heads, keys, width), dtype, -1, 1) for _ in range(2))
        return q, k, v, np.array(lengths, np.int32), blank(q.shape), 1 / np.sqrt(width), rows, tn, width

    def expected(q, k, v, *_):
        out = np.zeros(q.shape)
        for batch, length in enumerate(lengths):
            scores = wide(q[batch]) @ wide(k[batch, :, :length]).swapaxes(1, 2) / np.sqrt(width)
            weights = np.exp(scores - scores.max(2, keepdims=True))
            out[batch] = weights / weights.sum(2, keepdims=True) @ wide(v[batch, :, :length])
        return [out]

    name = f"queries in {rows} columns, width {width}, {np.dtype(dtype).name}"
    return Case(name, decoded_in_columns, (len(lengths), heads), make, (4,), expected, terms=keys, scale=300.0 if dtype == "float16" else 2500.0)


def weights_as_read_case(m, n, k, tile):
    def make(rng):
        a, v = fresh(rng, (m, k), bfloat16, -1, 1), fresh(rng, (k, n), bfloat16, -1, 1)
        w = rng.integers(-8, 8, (k, n)).astype(np.int8)
        return a, w, np.full((1, n), 0.125, np.float32), v, blank((m, n)), *tile

    def expected(a, w, scales, v, *_):
        steps = [slice(s, s + tile[2]) for s in range(0, k, tile[2])]
        rounded = sum((wide(a)[:, s] @ wide(v)[s]).astype(bfloat16).astype(np.float64) for s in steps)
        return [wide(a) @ (wide(w) * scales + wide(v)) + rounded]

    return Case("weights in bytes", weights_as_read, (-(-m // tile[0]), -(-n // tile[1])), make, (4,), expected, terms=3 * k, scale=2500.0)


CASES = [
    product_case("whole tiles", 256, 256, 256, (128, 128, 64)),
    product_case("edges on all sides", 144, 272, 80, (128, 256, 64)),
    product_case("rows that do not align", 131, 77, 65, (64, 64, 32)),
    product_case("both turned", 160, 96, 144, (64, 64, 64), left=turned, right=turned),
    product_case("left turned, half as result", 160, 96, 144, (128, 64, 32), out="float16", left=turned),
    product_case("bfloat16, right turned", 160, 96, 144, (64, 128, 32), bfloat16, right=turned),
    product_case("every other row", 160, 96, 144, (64, 64, 64), left=every_other_row),
    product_case("a part of an array", 160, 96, 144, (64, 64, 64), left=inside, right=inside),
    product_case("narrow", 160, 16, 144, (64, 16, 32)),
    product_case("two blocks of rows", 256, 128, 96, (256, 128, 32)),
    product_case("int8, right turned", 160, 96, 144, (64, 64, 64), "int8", "int32", right=turned),
    product_case("int8", 160, 96, 144, (64, 64, 64), "int8", "int32"),
    product_case("int8, wide", 112, 272, 176, (64, 256, 64), "int8", "int32"),
    until_large_case(112, 80, 240, (64, 64, 64), "float16"),
    until_large_case(112, 80, 240, (64, 64, 64), float8_e4m3fn, 80.0),
    product_case("int8, four blocks of columns", 48, 528, 80, (32, 512, 64), "int8", "int32"),
    rounded_case("two blocks of columns", 144, 272, 80, (128, 256, 32)),
    rounded_case("one block of columns", 144, 80, 72, (256, 64, 16)),
    rounded_case("half as result", 96, 160, 64, (64, 128, 32), out="float16"),
    rounded_case("right turned", 96, 80, 72, (64, 64, 32), right=turned),
    rounded_case("left turned", 96, 80, 72, (64, 64, 32), left=turned),
    rounded_case("rows that do not align", 67, 77, 65, (64, 64, 32)),
    product_case("less than one tile along K", 80, 80, 3, (64, 64, 64)),
    backward_case(160, 96, 200, 1, (64, 64, 32)),
    backward_case(160, 96, 200, 3, (64, 64, 32)),
    last_adds_case(160, 96, 400, 3, (64, 64, 32)),
    picked_case(160, 96, 208, (64, 64, 32)),
    persistent_case(208, 144, 96, 2, (64, 64, 32), as_it_is),
    persistent_case(208, 144, 96, 3, (64, 64, 32), every_other_row),
    changed_case(160, 96, 144, (64, 64, 32)),
    batch_of_one_case(2, 144, 80, 208, (64, 64, 32)),
    narrow_case(added, 144, 80, 200, (64, 64, 32), scale=3000.0),
    narrow_case(added, 144, 144, 200, (128, 128, 64), bfloat16, 25000.0),
    narrow_case(halved, 144, 80, 200, (64, 64, 32), scale=12.0),
    changed_case(160, 96, 144, (64, 64, 32), changed_in_turns),
    widened_case(144, 80, 200, (64, 64, 32)),
    widened_case(272, 144, 192, (128, 128, 64)),
    rounded_in_the_loop_case(144, 80, 200, (64, 64, 32)),
    changed_at_times_case(80, 96, 6, (64, 64, 32)),
    sums_before_case(80, 96, 5, (64, 64, 32)),
    chunked_case(2, 192, 64, 64),
    chunked_case(1, 150, 64, 64, bfloat16),
    exchanged_case(64, 2),
    picked_from_a_tile_case((64, 64, 32)),
    fixed_case(336, 64, 64),
    two_dtypes_case(144, 80, 96, 128, (64, 64, 64)),
    kept_case(144, 80, 96, (64, 64, 32)),
    single_case(144, 80, 64, (64, 64)),
    single_case(144, 80, 24, (128, 32)),
    in_steps_case(2, 144, 80, 96, (64, 64, 64)),
    in_steps_case(2, 80, 160, 144, (64, 128, 64)),
    in_steps_case(2, 144, 80, 96, (64, 64, 64), float8_e4m3fn, 200.0),  # 14 bits of sums up to 10
    begun_case(144, 80, 96, (64, 64, 32)),
    between_heads_case(2, 3, 80, 144, 80, (64, 64, 32)),
    between_heads_case(1, 2, 144, 80, 96, (128, 64, 64)),
    apart_case(16, 80, 80, 48, (64, 64, 32)),
    up_to_case((96, 0, 40, 144), 80, 80, (64, 64, 32)),
    turned_in_place_case(144, 80, 96, (64, 64, 64)),
    packed_case(2, 144, 2, 64, (64, 64)),
    with_places_case(1, 136, 300, 128, 64, (128, 128)),
    in_columns_case((200, 33), 200, 2, 16, 64, 64),
    in_columns_case((150,), 150, 1, 32, 128, 128, bfloat16),
    weights_as_read_case(144, 80, 160, (64, 64, 64)),
    backward_attention_case(1, 144, 80, 64, (64, 128)),
    attention_case(160, 208, 4, 2, (64, 64), 64, False),
    attention_case(192, 192, 2, 1, (128, 128), 64, True),
    attention_case(128, 136, 2, 2, (128, 64), 128, False, bfloat16),
]
