"""Transforms and convolutions: radix stages of a Fourier transform, gathers of windows, pooling, transposes."""

import math

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstBool, ConstInt, columns_of, np_silu, silu, wide

import tile2cpp.lang as ct

TAU = 2.0 * math.pi


def complex_product(a, b):
    (ar, ai), (br, bi) = a, b
    return ar * br - ai * bi, ar * bi + ai * br


def butterflies(x, ROWS: ConstInt, n: ConstInt, stride: ConstInt):
    """One radix-2 stage of Stockham's order: pairs n/2 apart meet, the difference is turned."""
    half = n // 2
    angle = ct.arange(half, dtype=ct.float32) * (-TAU / n)
    turn = ct.cos(angle).reshape((1, half, 1)), ct.sin(angle).reshape((1, half, 1))
    a, b = tuple(tuple(ct.extract(part.reshape((ROWS, 2, half * stride)), (0, k, 0), (ROWS, 1, half * stride)).reshape((ROWS, half, stride))
                       for part in ct.static_iter(x)) for k in ct.static_iter(range(2)))  # fmt: skip
    total = tuple(p + q for p, q in ct.static_iter(((a[0], b[0]), (a[1], b[1]))))
    difference = complex_product((a[0] - b[0], a[1] - b[1]), turn)
    joined = tuple(ct.cat((p.reshape((ROWS, half, 1, stride)), q.reshape((ROWS, half, 1, stride))), 2) for p, q in ct.static_iter(((total[0], difference[0]), (total[1], difference[1]))))
    return tuple(part.reshape((ROWS, n * stride)) for part in ct.static_iter(joined))


@ct.kernel
def fft(real, imaginary, ROWS: ConstInt, LOG_N: ConstInt):
    """In place, over the rows of two arrays of 2**LOG_N columns."""
    i = ct.bid(0)
    x = ct.load(real, (i, 0), (ROWS, 1 << LOG_N), padding_mode=ZERO), ct.load(imaginary, (i, 0), (ROWS, 1 << LOG_N), padding_mode=ZERO)
    for stage in ct.static_iter(range(LOG_N)):
        x = butterflies(x, ROWS, 1 << (LOG_N - stage), 1 << stage)
    ct.store(real, (i, 0), x[0])
    ct.store(imaginary, (i, 0), x[1])


@ct.kernel
def dft_by_products(real, imaginary, cos, sin, out_real, out_imaginary, TM: ConstInt, N: ConstInt):
    """A transform of N points as four products with the table of turns."""
    i = ct.bid(0)
    a, b = (ct.load(real, (i, 0), (TM, N), padding_mode=ZERO), ct.load(imaginary, (i, 0), (TM, N), padding_mode=ZERO))
    c, s = ct.load(cos, (0, 0), (N, N)), ct.load(sin, (0, 0), (N, N))
    zero = ct.zeros((TM, N), ct.float32)
    ct.store(out_real, (i, 0), ct.mma(b, s, ct.mma(a, c, zero)))
    ct.store(out_imaginary, (i, 0), ct.mma(b, c, zero) - ct.mma(a, s, zero))


@ct.kernel
def conv2d(x, w, bias, y, R: ConstInt, S: ConstInt, STRIDE: ConstInt, PAD: ConstInt, TM: ConstInt, TN: ConstInt, TK: ConstInt, RELU: ConstBool):
    """Windows of the input are gathered as rows of a matrix: (pixels, C*R*S) times (C*R*S, filters)."""
    rows, filters = columns_of(ct.bid(0), TM), columns_of(ct.bid(1), TN)
    height, width = y.shape[2], y.shape[3]
    image, pixel = rows // (height * width), rows % (height * width)
    top, left = pixel // width * STRIDE - PAD, pixel % width * STRIDE - PAD
    depth = w.shape[1]
    acc = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(depth, TK)):
        inner = columns_of(k, TK)
        channel, place = inner // (R * S), inner % (R * S)
        r, s = place // S, place % S
        window = ct.gather(x, (image[:, None], channel[None, :], top[:, None] + r[None, :], left[:, None] + s[None, :]))
        weights = ct.gather(w, (filters[None, :], inner[:, None]))
        acc = ct.mma(window, weights, acc)
    acc += ct.gather(bias, filters)[None, :]
    if RELU:
        acc = ct.maximum(acc, 0.0)
    place = (image[:, None], filters[None, :], (pixel // width)[:, None], (pixel % width)[:, None])
    ct.scatter(y, place, acc.astype(y.dtype))


@ct.kernel
def conv1d_causal(x, w, bias, y, WIDTH: ConstInt, CHANNELS: ConstInt, TILE: ConstInt, ACTIVE: ConstBool = True):
    """Each channel has a filter of its own over the last WIDTH positions; arrays are (batch, channels, length)."""
    batch, c, t = ct.bid(0), columns_of(ct.bid(1), CHANNELS)[:, None], columns_of(ct.bid(2), TILE)[None, :]
    acc = ct.broadcast_to(ct.gather(bias, c).astype(ct.float32), (CHANNELS, TILE))
    for k in ct.static_iter(range(WIDTH)):
        acc = acc + ct.gather(x, (batch, c, t - (WIDTH - 1 - k))).astype(ct.float32) * ct.gather(w, (c, k)).astype(ct.float32)
    if ACTIVE:
        acc = silu(acc)
    ct.scatter(y, (batch, c, t), acc.astype(y.dtype))


@ct.kernel
def max_pool(x, y, places, SIZE: ConstInt, STRIDE: ConstInt, PAD: ConstInt, ROWS: ConstInt, TILE: ConstInt):
    """Largest value of each window, and where in the image it stands."""
    image, rows, columns = ct.bid(0), columns_of(ct.bid(1), ROWS)[:, None], columns_of(ct.bid(2), TILE)[None, :]
    best = ct.full((ROWS, TILE), -math.inf, ct.float32)
    where = ct.zeros((ROWS, TILE), ct.int32)
    for r in range(SIZE):
        for s in range(SIZE):
            i, j = rows * STRIDE + (r - PAD), columns * STRIDE + (s - PAD)
            t = ct.gather(x, (image, i, j), padding_value=-math.inf)
            better = t > best
            best = ct.where(better, t, best)
            where = ct.where(better, i * x.shape[2] + j, where)
    ct.scatter(y, (image, rows, columns), best)
    ct.scatter(places, (image, rows, columns), where)


@ct.kernel
def transpose_batched(x, y, TM: ConstInt, TN: ConstInt, BY_ORDER: ConstBool):
    i, j, batch = ct.bid(0), ct.bid(1), ct.bid(2)
    if BY_ORDER:
        t = ct.load(x, (batch, j, i), (1, TN, TM), order=(0, 2, 1))
    else:
        t = ct.permute(ct.load(x, (batch, i, j), (1, TM, TN)), (0, 2, 1))
    ct.store(y, (batch, j, i), t)


# --- the same in NumPy ---


def transformed(real, imaginary, *_):
    z = np.fft.fft(wide(real) + 1j * wide(imaginary))
    return [z.real, z.imag]


def windows(x, r, s, stride, pad, value=0.0):
    padded = np.pad(wide(x), ((0, 0),) * (x.ndim - 2) + ((pad, pad), (pad, pad)), constant_values=value)
    return np.lib.stride_tricks.sliding_window_view(padded, (r, s), axis=(-2, -1))[..., ::stride, ::stride, :, :]


def convolved(x, w, bias, y, r, s, stride, pad, tm, tn, tk, relu):
    taken = windows(x, r, s, stride, pad)
    out = np.einsum("nchwrs,ocrs->nohw", taken, wide(w).reshape(len(w), -1, r, s)) + bias[:, None, None]
    return [np.maximum(out, 0) if relu else out]


def filtered(x, w, bias, y, width, channels, tile, active):
    padded = np.pad(wide(x), ((0, 0), (0, 0), (width - 1, 0)))
    taken = np.lib.stride_tricks.sliding_window_view(padded, width, axis=2)
    out = (taken * wide(w)[:, None]).sum(3) + bias[:, None]
    return [np_silu(out) if active else out]


def pooled(x, y, places, size, stride, pad, *_):
    taken = windows(x, size, size, stride, pad, -np.inf)
    at = taken.reshape(*taken.shape[:3], -1).argmax(-1)
    rows = np.arange(y.shape[1])[:, None] * stride - pad + at // size
    columns = np.arange(y.shape[2]) * stride - pad + at % size
    return [taken.max((-2, -1)), rows * x.shape[2] + columns]


def turns(n):
    angle = 2 * np.pi * np.outer(np.arange(n), np.arange(n)) / n
    return np.cos(angle).astype("float32"), np.sin(angle).astype("float32")


CASES = [
    Case("fft of 8", fft, (2,), lambda rng: (fresh(rng, (5, 8)), fresh(rng, (5, 8)), 4, 3), (0, 1), transformed, terms=8, scale=8),
    Case("fft of 128", fft, (3,), lambda rng: (fresh(rng, (3, 128)), fresh(rng, (3, 128)), 1, 7), (0, 1), transformed, terms=16, scale=16),
    Case("dft by products", dft_by_products, (2,), lambda rng: (fresh(rng, (20, 16)), fresh(rng, (20, 16)), *turns(16), blank((20, 16)), blank((20, 16)), 16, 16),
         (4, 5), transformed, terms=32, scale=4),
    Case("conv2d", conv2d, (3, 1), lambda rng: (fresh(rng, (2, 3, 7, 6), "float16"), fresh(rng, (5, 27), "float16"), fresh(rng, 5), blank((2, 5, 7, 6)), 3, 3, 1, 1, 32, 16, 16, True),
         (3,), convolved, terms=27, scale=4),
    Case("conv2d, strided", conv2d, (1, 2), lambda rng: (fresh(rng, (2, 4, 9, 8)), fresh(rng, (20, 16)), fresh(rng, 20), blank((2, 20, 4, 4)), 2, 2, 2, 0, 32, 16, 8, False),
         (3,), convolved, terms=16, scale=4),
    Case("conv1d", conv1d_causal, (2, 2, 2), lambda rng: (fresh(rng, (2, 6, 40), "float16"), fresh(rng, (6, 4)), fresh(rng, 6), blank((2, 6, 40), "float16"), 4, 4, 32, True),
         (3,), filtered, terms=4, scale=4),
    Case("max pool", max_pool, (3, 1, 1), lambda rng: (fresh(rng, (3, 10, 13)), blank((3, 5, 7)), blank((3, 5, 7), "int32"), 3, 2, 1, 8, 8), (1, 2), pooled),
    Case("transpose", transpose_batched, (3, 2, 2), lambda rng: (fresh(rng, (2, 70, 40), "float16"), blank((2, 40, 70), "float16"), 32, 32, False), (1,),
         lambda x, *_: [x.swapaxes(1, 2)]),
    Case("transpose by order", transpose_batched, (3, 2, 2), lambda rng: (fresh(rng, (2, 70, 40)), blank((2, 40, 70)), 32, 32, True), (1,), lambda x, *_: [x.swapaxes(1, 2)]),
]  # fmt: skip
