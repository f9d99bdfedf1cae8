"""Matrix products: persistent, fused epilogues, split K, stream K, batched, grouped, 8-bit operands with scales."""

import numpy as np
from case import Case, blank, fresh
from ml_dtypes import float8_e4m3fn
from tilekit import ZERO, ConstBool, ConstInt, gelu, grouped_block, np_gelu, np_silu, silu, wide

import tile2cpp.lang as ct
from tile2cpp.lang import MemoryOrder, MemoryScope

ACTIVATIONS = {"none": 0, "gelu": 1, "silu": 2}


def operand_dtype(dtype):
    """Single precision goes through the tensor cores as tf32."""
    return ct.tfloat32 if dtype == ct.float32 else dtype


def dot_over_k(A, B, i, j, first, last, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """The part of a tile of `A @ B` that the tiles `first` to `last` along K give."""
    acc = ct.full((TM, TN), 0.0, dtype=ct.float32)
    dtype = operand_dtype(A.dtype)
    for k in range(first, last):
        a = ct.load(A, index=(i, k), shape=(TM, TK), padding_mode=ZERO, latency=3).astype(dtype)
        b = ct.load(B, index=(k, j), shape=(TK, TN), padding_mode=ZERO, latency=3).astype(dtype)
        acc = ct.mma(a, b, acc)
    return acc


@ct.kernel(num_ctas=ct.ByTarget(sm_100=2, default=1))
def matmul_swizzled(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, TURNED_A: ConstBool, TURNED_B: ConstBool):
    if TURNED_A:
        M, K = A.shape[1], A.shape[0]
    else:
        M, K = A.shape[0], A.shape[1]
    N = C.shape[1]
    i, j = grouped_block(ct.bid(0), ct.cdiv(M, TM), ct.cdiv(N, TN), 4)
    acc = ct.zeros((TM, TN), dtype=ct.float64 if A.dtype == ct.float64 else ct.float32)
    for k in range(ct.cdiv(K, TK)):
        if TURNED_A:
            a = ct.transpose(ct.load(A, (k, i), (TK, TM), padding_mode=ZERO))
        else:
            a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        if TURNED_B:
            b = ct.load(B, (k, j), (TK, TN), order=(1, 0), padding_mode=ZERO)
        else:
            b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel(occupancy=1)
def linear_persistent(x, w, bias, residual, out, TM: ConstInt, TN: ConstInt, TK: ConstInt, ACT: ConstInt, HAS_BIAS: ConstBool, HAS_RESIDUAL: ConstBool):
    """`act(x @ w + bias) + residual` by as many blocks as the machine runs at once."""
    rows, columns, steps = ct.cdiv(x.shape[0], TM), ct.cdiv(w.shape[1], TN), ct.num_tiles(x, axis=1, shape=(TM, TK))
    for tile in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        i, j = grouped_block(tile, rows, columns, 8)
        y = dot_over_k(x, w, i, j, 0, steps, TM, TN, TK)
        if HAS_BIAS:
            y = y + ct.load(bias, (j,), (TN,), padding_mode=ZERO).astype(ct.float32)[None, :]
        if ACT == 1:
            y = gelu(y)
        elif ACT == 2:
            y = silu(y)
        if HAS_RESIDUAL:
            y = y + ct.load(residual, (i, j), (TM, TN), padding_mode=ZERO).astype(ct.float32)
        ct.store(out, (i, j), y.astype(out.dtype), allow_tma=False)


@ct.kernel
def split_k_atomic(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, SPLITS: ConstInt):
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    steps = ct.cdiv(A.shape[1], TK)
    each = ct.cdiv(steps, SPLITS)
    acc = dot_over_k(A, B, i, j, part * each, min((part + 1) * each, steps), TM, TN, TK)
    rows, columns = i * TM + ct.arange(TM, dtype=ct.int32), j * TN + ct.arange(TN, dtype=ct.int32)
    ct.atomic_add(C, (rows[:, None], columns[None, :]), acc, memory_order=MemoryOrder.RELAXED)


@ct.kernel
def split_k_locked(A, B, C, locks, counts, TM: ConstInt, TN: ConstInt, TK: ConstInt, SPLITS: ConstInt):
    """The blocks of one tile add their parts in turn, in the output's own dtype."""
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN), 2)
    part = ct.bid(1)
    steps = ct.cdiv(A.shape[1], TK * SPLITS)
    acc = dot_over_k(A, B, i, j, part * steps, part * steps + steps, TM, TN, TK)
    lock = i * ct.cdiv(B.shape[1], TN) + j
    while ct.atomic_cas(locks, lock, 0, 1, memory_order=MemoryOrder.ACQUIRE) == 1:
        pass
    count = ct.gather(counts, lock)
    if count == 0:
        ct.store(C, (i, j), acc.astype(C.dtype))
    else:
        before = ct.load(C, (i, j), (TM, TN))
        ct.store(C, (i, j), (before.astype(ct.float32) + acc).astype(C.dtype))
    ct.scatter(counts, lock, (count + 1) % SPLITS)
    ct.atomic_xchg(locks, lock, 0, memory_order=MemoryOrder.RELEASE, memory_scope=MemoryScope.DEVICE)


@ct.kernel
def stream_k(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Every block takes an equal share of all steps of all tiles, wherever tiles begin and end."""
    columns, steps = ct.cdiv(B.shape[1], TN), ct.cdiv(A.shape[1], TK)
    total = ct.cdiv(A.shape[0], TM) * columns * steps
    share = ct.cdiv(total, ct.num_blocks(0))
    now = ct.bid(0) * share
    stop = min(now + share, total)
    tiles = C.tiled_view((TM, TN))
    while now < stop:
        tile, first = now // steps, now % steps
        last = min(first + stop - now, steps)
        i, j = tile // columns, tile % columns
        acc = dot_over_k(A, B, i, j, first, last, TM, TN, TK)
        if first == 0 and last == steps:
            tiles.store((i, j), acc)
        else:
            tiles.atomic_store_add((i, j), acc)
        now = now + last - first


@ct.kernel
def matmul_batched(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    batch, i, j = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.zeros((1, TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (1, TM, TK))):
        a = ct.load(A, (batch, i, k), (1, TM, TK), padding_mode=ZERO)
        b = ct.load(B, (batch, k, j), (1, TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (batch, i, j), acc.astype(C.dtype))


@ct.kernel
def matmul_grouped(A, W, C, ends, GROUPS: ConstInt, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Rows of A in GROUPS runs, run g times W[g]; `ends[g]` is where it ends."""
    columns = ct.cdiv(C.shape[1], TN)
    tile = ct.bid(0)
    start = 0
    for g in range(GROUPS):
        end = ct.load(ends, (g,), ())
        tiles = ct.cdiv(end - start, TM) * columns
        while tile >= 0 and tile < tiles:
            i, j = tile // columns, tile % columns
            rows = start + i * TM + ct.arange(TM, dtype=ct.int32)
            live = rows[:, None] < end
            acc = ct.zeros((TM, TN), ct.float32)
            for k in range(ct.cdiv(A.shape[1], TK)):
                inner = k * TK + ct.arange(TK, dtype=ct.int32)
                a = ct.gather(A, (rows[:, None], inner[None, :]), mask=live, padding_value=0.0)
                w = ct.load(W, (g, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
                acc = ct.mma(a, w, acc)
            ct.scatter(C, (rows[:, None], (j * TN + ct.arange(TN, dtype=ct.int32))[None, :]), acc.astype(C.dtype), mask=live)
            tile += ct.num_blocks(0)
        tile -= tiles
        start = end


@ct.kernel
def matmul_fp8(A, B, a_scale, b_scale, C, TM: ConstInt, TN: ConstInt, TK: ConstInt, BLOCK: ConstInt):
    """8-bit floats; rows of A have a scale for every BLOCK columns, B one for every BLOCK x BLOCK."""
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(A.shape[1], TK)):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        part = ct.mma(a, b, ct.zeros((TM, TN), ct.float32), use_fast_acc=False)
        scale = ct.load(a_scale, (i, k * TK // BLOCK), (TM, 1)) * ct.load(b_scale, (k * TK // BLOCK, j * TN // BLOCK), (1, 1))
        acc = acc + part * scale
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def matmul_int8(A, B, a_scale, b_scale, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((TM, TN), ct.int32)
    for k in range(ct.cdiv(A.shape[1], TK)):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    scales = ct.load(a_scale, (i,), (TM,))[:, None] * ct.load(b_scale, (j,), (TN,))[None, :]
    ct.store(C, (i, j), (acc.astype(ct.float32) * scales).astype(C.dtype))


# --- the same in NumPy ---


def product(A, B, C, *_):
    return [wide(A) @ wide(B)]


def turned_product(A, B, C, tm, tn, tk, turned_a, turned_b):
    return product(A.T if turned_a else A, B.T if turned_b else B, C)


def linear(x, w, bias, residual, out, tm, tn, tk, act, has_bias, has_residual):
    y = wide(x) @ wide(w) + has_bias * wide(bias)
    y = {0: wide, 1: np_gelu, 2: np_silu}[act](y)
    return [y + has_residual * wide(residual)]


def locked(A, B, C, locks, counts, *_):
    return [*product(A, B, C), 0 * locks, 0 * counts]


def grouped(A, W, C, ends, *_):
    parts = np.split(wide(A), ends[:-1])
    return [np.concatenate([part @ wide(w) for part, w in zip(parts, W)])]


def fp8_product(A, B, a_scale, b_scale, C, tm, tn, tk, block):
    wide_a = wide(A) * np.repeat(a_scale, block, 1)[:, : A.shape[1]]
    wide_b = wide(B) * np.repeat(np.repeat(b_scale, block, 0), block, 1)[: B.shape[0], : B.shape[1]]
    return [wide_a @ wide_b]


def int8_product(A, B, a_scale, b_scale, C, *_):
    return [wide(A) @ wide(B) * a_scale[:, None] * b_scale]


def pair(rng, m, n, k, dtype="float16", turned=(False, False)):
    a, b = fresh(rng, (k, m) if turned[0] else (m, k), dtype), fresh(rng, (n, k) if turned[1] else (k, n), dtype)
    return a, b


def swizzled_case(name, m, n, k, turned, dtype="float16"):
    grid = (-(-m // 32) * -(-n // 32),)
    return Case(name, matmul_swizzled, grid,
                lambda rng: (*pair(rng, m, n, k, dtype, turned), blank((m, n), dtype), 32, 32, 16, *turned),
                (2,), turned_product, terms=k, scale=4)  # fmt: skip


def linear_case(name, act, bias, residual, x_dtype="float16"):
    def make(rng):
        # Whole numbers, so that tf32 changes nothing.
        x, w = np.rint(fresh(rng, (70, 50), x_dtype)), np.rint(fresh(rng, (50, 90), x_dtype))
        return x, w / 8, fresh(rng, 90, x_dtype), fresh(rng, (70, 90), x_dtype), blank((70, 90), x_dtype), 32, 32, 16, ACTIVATIONS[act], bias, residual

    return Case(name, linear_persistent, (4,), make, (4,), linear, terms=50, scale=4)


def scales(rng, *shape):
    return fresh(rng, shape, low=0.01, high=0.1)


CASES = [
    swizzled_case("swizzled", 90, 150, 70, (False, False)),
    swizzled_case("A turned", 50, 40, 33, (True, False)),
    swizzled_case("B turned", 50, 40, 33, (False, True)),
    swizzled_case("both turned", 64, 64, 64, (True, True)),
    swizzled_case("float64", 40, 40, 40, (False, False), "float64"),
    linear_case("persistent", "none", bias=False, residual=False),
    linear_case("bias and gelu", "gelu", bias=True, residual=False),
    linear_case("bias, silu, residual", "silu", bias=True, residual=True),
    linear_case("tf32", "none", bias=True, residual=True, x_dtype="float32"),
    Case("split k, atomic", split_k_atomic, (2, 2, 3), lambda rng: (*pair(rng, 50, 40, 130), np.zeros((50, 40), "float32"), 32, 32, 16, 3),
         (2,), product, terms=130, scale=4),
    Case("split k, locked", split_k_locked, (4, 4),
         lambda rng: (*pair(rng, 50, 40, 130), blank((50, 40)), np.zeros(4, "int32"), np.zeros(4, "int32"), 32, 32, 16, 4),
         (2, 3, 4), locked, terms=130, scale=4),
    Case("stream k", stream_k, (5,), lambda rng: (*pair(rng, 90, 70, 100), np.zeros((90, 70), "float32"), 32, 32, 16), (2,), product, terms=100, scale=4),
    Case("batched", matmul_batched, (2, 2, 3),
         lambda rng: (fresh(rng, (3, 40, 50), "float16"), fresh(rng, (3, 50, 60), "float16"), blank((3, 40, 60), "float16"), 32, 32, 16),
         (2,), product, terms=50, scale=4),
    Case("grouped", matmul_grouped, (3,),
         lambda rng: (fresh(rng, (100, 40), "float16"), fresh(rng, (4, 40, 50), "float16"), blank((100, 50)), np.array([30, 30, 95, 100], "int32"), 4, 32, 32, 16),
         (2,), grouped, terms=40, scale=4),
    Case("fp8 with scales", matmul_fp8, (2, 2),
         lambda rng: (fresh(rng, (50, 96), float8_e4m3fn), fresh(rng, (96, 64), float8_e4m3fn), scales(rng, 50, 3), scales(rng, 3, 2), blank((50, 64), "float16"), 32, 32, 32, 32),
         (4,), fp8_product, terms=96, scale=1),
    Case("int8", matmul_int8, (2, 2),
         lambda rng: (fresh(rng, (50, 70), "int8", -128, 127), fresh(rng, (70, 40), "int8", -128, 127), scales(rng, 50), scales(rng, 40), blank((50, 40)), 32, 32, 32),
         (4,), int8_product, terms=1, scale=100),
]  # fmt: skip
