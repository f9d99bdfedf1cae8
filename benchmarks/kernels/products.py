"""Matrix products: plain, with a turned second factor, batched, grouped, and with K split among blocks."""

import tile2cpp.lang as ct

ConstInt = ct.Constant[int]
ZERO = ct.PaddingMode.ZERO


def grouped_block(block, rows, columns, group):
    """Walk `group` tile rows together, so the tiles of B are read while they are in the cache."""
    in_group = group * columns
    first = block // in_group * group
    # The last group may be lower than the others.
    height = min(rows - first, group)
    return first + block % height, block % in_group // height


@ct.kernel
def product(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN), 8)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def product_tf32(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[1], TN), 8)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO).astype(ct.tfloat32)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO).astype(ct.tfloat32)
        acc = ct.mma(a, b, acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def product_turned(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """`A @ B.T`: rows of both factors lie along K."""
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[0], TN), 8)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (j, k), (TN, TK), padding_mode=ZERO)
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(C, (i, j), acc.astype(C.dtype))


@ct.kernel
def product_int8(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """`A @ B.T` of bytes, summed in int32."""
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[0], TM), ct.cdiv(B.shape[0], TN), 8)
    acc = ct.zeros((TM, TN), ct.int32)
    for k in range(ct.num_tiles(A, 1, (TM, TK))):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (j, k), (TN, TK), padding_mode=ZERO)
        acc = ct.mma(a, ct.transpose(b), acc)
    ct.store(C, (i, j), acc)


@ct.kernel
def product_batched(A, B, C, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    batch = ct.bid(1)
    i, j = grouped_block(ct.bid(0), ct.cdiv(A.shape[1], TM), ct.cdiv(B.shape[2], TN), 8)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.num_tiles(A, 2, (1, TM, TK))):
        a = ct.load(A, (batch, i, k), (1, TM, TK), padding_mode=ZERO).reshape((TM, TK))
        b = ct.load(B, (batch, k, j), (1, TK, TN), padding_mode=ZERO).reshape((TK, TN))
        acc = ct.mma(a, b, acc)
    ct.store(C, (batch, i, j), acc.astype(C.dtype).reshape((1, TM, TN)))


@ct.kernel
def product_grouped(A, B, C, starts, group_of, row_of, TM: ConstInt, TN: ConstInt, TK: ConstInt):
    """Rows `starts[g]` to `starts[g + 1]` of A by `B[g]`; `group_of` and `row_of` say which tile row each block takes."""
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


@ct.kernel
def product_parts(A, B, parts, TM: ConstInt, TN: ConstInt, TK: ConstInt, SPLITS: ConstInt):
    """Each block sums one of SPLITS runs along K."""
    i, j, part = ct.bid(0), ct.bid(1), ct.bid(2)
    steps = ct.cdiv(A.shape[1], TK * SPLITS)
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(part * steps, (part + 1) * steps):
        a = ct.load(A, (i, k), (TM, TK), padding_mode=ZERO)
        b = ct.load(B, (k, j), (TK, TN), padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    ct.grid_dependency_control_launch_dependents()
    ct.store(parts, (part, i, j), acc.reshape((1, TM, TN)))


@ct.kernel
def sum_parts(parts, C, SPLITS: ConstInt, TILE: ConstInt):
    i, j = ct.bid(0), ct.bid(1)
    ct.grid_dependency_control_wait()  # for all parts
    total = ct.sum(ct.load(parts, (0, i, j), (SPLITS, 1, TILE), padding_mode=ZERO), 0)
    ct.store(C, (i, j), total.astype(C.dtype))
