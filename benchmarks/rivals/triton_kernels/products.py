"""Matrix products in Triton, in the manner of its tutorials."""

import triton
import triton.language as tl


@triton.jit
def grouped_block(block, rows, columns, GROUP: tl.constexpr):
    in_group = GROUP * columns
    first = block // in_group * GROUP
    height = min(rows - first, GROUP)
    return first + block % in_group % height, block % in_group // height


@triton.jit
def product(
    a_ptr, b_ptr, c_ptr, M, N, K, stride_ab, stride_am, stride_ak, stride_bb, stride_bk, stride_bn, stride_cb, stride_cm, stride_cn,
    TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr, ACC: tl.constexpr, TF32: tl.constexpr,
):  # fmt: skip
    """One matrix, or with a grid of two axes a batch of them."""
    batch = tl.program_id(1).to(tl.int64)
    i, j = grouped_block(tl.program_id(0), tl.cdiv(M, TM), tl.cdiv(N, TN), 8)
    rows = (i * TM + tl.arange(0, TM)) % M
    columns = (j * TN + tl.arange(0, TN)) % N
    steps = tl.arange(0, TK)
    a = a_ptr + batch * stride_ab + rows[:, None] * stride_am + steps[None, :] * stride_ak
    b = b_ptr + batch * stride_bb + steps[:, None] * stride_bk + columns[None, :] * stride_bn
    acc = tl.zeros((TM, TN), ACC)
    for k in range(0, tl.cdiv(K, TK)):
        left = K - k * TK
        x = tl.load(a, mask=steps[None, :] < left, other=0.0)
        y = tl.load(b, mask=steps[:, None] < left, other=0.0)
        if TF32:
            acc = tl.dot(x, y, acc, input_precision="tf32")
        else:
            acc = tl.dot(x, y, acc, out_dtype=ACC)
        a += TK * stride_ak
        b += TK * stride_bk
    out_rows, out_columns = i * TM + tl.arange(0, TM), j * TN + tl.arange(0, TN)
    c = c_ptr + batch * stride_cb + out_rows[:, None] * stride_cm + out_columns[None, :] * stride_cn
    tl.store(c, acc.to(c_ptr.dtype.element_ty), mask=(out_rows[:, None] < M) & (out_columns[None, :] < N))


@triton.jit
def product_grouped(
    a_ptr, b_ptr, c_ptr, starts_ptr, group_ptr, row_ptr, N, K, stride_am, stride_bg, stride_bk, stride_cm,
    TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr,
):  # fmt: skip
    """Runs of rows of A, each by a matrix of its own."""
    j, place = tl.program_id(0), tl.program_id(1)
    group, i = tl.load(group_ptr + place), tl.load(row_ptr + place)
    first, last = tl.load(starts_ptr + group), tl.load(starts_ptr + group + 1)
    rows = first + i * TM + tl.arange(0, TM)
    columns = j * TN + tl.arange(0, TN)
    steps = tl.arange(0, TK)
    live = rows[:, None] < last
    a = a_ptr + rows[:, None].to(tl.int64) * stride_am + steps[None, :]
    b = b_ptr + group.to(tl.int64) * stride_bg + steps[:, None] * stride_bk + columns[None, :]
    acc = tl.zeros((TM, TN), tl.float32)
    for k in range(0, tl.cdiv(K, TK)):
        left = K - k * TK
        x = tl.load(a, mask=live & (steps[None, :] < left), other=0.0)
        y = tl.load(b, mask=(steps[:, None] < left) & (columns[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc)
        a += TK
        b += TK * stride_bk
    c = c_ptr + rows[:, None].to(tl.int64) * stride_cm + columns[None, :]
    tl.store(c, acc.to(c_ptr.dtype.element_ty), mask=live & (columns[None, :] < N))


@triton.jit
def product_split(a_ptr, b_ptr, sums_ptr, M, N, K, TM: tl.constexpr, TN: tl.constexpr, TK: tl.constexpr, SPLITS: tl.constexpr):
    """Each program adds its run along K to the sums; contiguous matrices."""
    block, part = tl.program_id(0), tl.program_id(1)
    i, j = grouped_block(block, tl.cdiv(M, TM), tl.cdiv(N, TN), 8)
    rows = (i * TM + tl.arange(0, TM)) % M
    columns = (j * TN + tl.arange(0, TN)) % N
    steps = part * TK + tl.arange(0, TK)
    a = a_ptr + rows[:, None] * K + steps[None, :]
    b = b_ptr + steps[:, None] * N + columns[None, :]
    acc = tl.zeros((TM, TN), tl.float32)
    for k in range(0, tl.cdiv(K, TK * SPLITS)):
        left = K - k * TK * SPLITS
        x = tl.load(a, mask=steps[None, :] < left, other=0.0)
        y = tl.load(b, mask=steps[:, None] < left, other=0.0)
        acc = tl.dot(x, y, acc)
        a += TK * SPLITS
        b += TK * SPLITS * N
    out_rows, out_columns = i * TM + tl.arange(0, TM), j * TN + tl.arange(0, TN)
    sums = sums_ptr + out_rows[:, None] * N + out_columns[None, :]
    tl.atomic_add(sums, acc, mask=(out_rows[:, None] < M) & (out_columns[None, :] < N), sem="relaxed")
