"""Softmax and norms over rows in Triton, in the manner of its tutorials."""

import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr, length, TILE: tl.constexpr):
    row, lanes = tl.program_id(0).to(tl.int64), tl.arange(0, TILE)
    inside = lanes < length
    t = tl.load(x_ptr + row * length + lanes, mask=inside, other=-float("inf")).to(tl.float32)
    e = tl.exp(t - tl.max(t, 0))
    tl.store(y_ptr + row * length + lanes, (e / tl.sum(e, 0)).to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def softmax_long(x_ptr, y_ptr, length, TILE: tl.constexpr):
    row, lanes = tl.program_id(0).to(tl.int64), tl.arange(0, TILE)
    x_ptr += row * length
    y_ptr += row * length
    top = tl.full((TILE,), -1.0e30, tl.float32)
    total = tl.zeros((TILE,), tl.float32)
    for start in range(0, length, TILE):
        t = tl.load(x_ptr + start + lanes, mask=start + lanes < length, other=-float("inf")).to(tl.float32)
        new_top = tl.maximum(top, t)
        total = total * tl.exp(top - new_top) + tl.exp(t - new_top)
        top = new_top
    largest = tl.max(top, 0)
    whole = tl.sum(total * tl.exp(top - largest), 0)
    for start in range(0, length, TILE):
        t = tl.load(x_ptr + start + lanes, mask=start + lanes < length, other=-float("inf")).to(tl.float32)
        tl.store(y_ptr + start + lanes, (tl.exp(t - largest) / whole).to(y_ptr.dtype.element_ty), mask=start + lanes < length)


@triton.jit
def norm(x_ptr, weight_ptr, bias_ptr, y_ptr, length, eps, TILE: tl.constexpr, CENTRED: tl.constexpr):
    """Layer norm, or RMS norm without centring."""
    row, lanes = tl.program_id(0).to(tl.int64), tl.arange(0, TILE)
    inside = lanes < length
    t = tl.load(x_ptr + row * length + lanes, mask=inside, other=0.0).to(tl.float32)
    if CENTRED:
        t = tl.where(inside, t - tl.sum(t, 0) / length, 0.0)
    scale = tl.rsqrt(tl.sum(t * t, 0) / length + eps)
    out = t * scale * tl.load(weight_ptr + lanes, mask=inside, other=0.0).to(tl.float32)
    if CENTRED:
        out += tl.load(bias_ptr + lanes, mask=inside, other=0.0).to(tl.float32)
    tl.store(y_ptr + row * length + lanes, out.to(y_ptr.dtype.element_ty), mask=inside)


@triton.jit
def norm_long(x_ptr, weight_ptr, bias_ptr, y_ptr, length, eps, TILE: tl.constexpr, CENTRED: tl.constexpr):
    row, lanes = tl.program_id(0).to(tl.int64), tl.arange(0, TILE)
    x_ptr += row * length
    y_ptr += row * length
    mean = 0.0
    if CENTRED:
        sums = tl.zeros((TILE,), tl.float32)
        for start in range(0, length, TILE):
            sums += tl.load(x_ptr + start + lanes, mask=start + lanes < length, other=0.0).to(tl.float32)
        mean = tl.sum(sums, 0) / length
    squares = tl.zeros((TILE,), tl.float32)
    for start in range(0, length, TILE):
        inside = start + lanes < length
        t = tl.load(x_ptr + start + lanes, mask=inside, other=0.0).to(tl.float32)
        t = tl.where(inside, t - mean, 0.0)
        squares += t * t
    scale = tl.rsqrt(tl.sum(squares, 0) / length + eps)
    for start in range(0, length, TILE):
        inside = start + lanes < length
        t = tl.load(x_ptr + start + lanes, mask=inside, other=0.0).to(tl.float32)
        out = (t - mean) * scale * tl.load(weight_ptr + start + lanes, mask=inside, other=0.0).to(tl.float32)
        if CENTRED:
            out += tl.load(bias_ptr + start + lanes, mask=inside, other=0.0).to(tl.float32)
        tl.store(y_ptr + start + lanes, out.to(y_ptr.dtype.element_ty), mask=inside)
