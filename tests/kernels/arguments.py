"""Kernels whose arguments are more than arrays and numbers: lists of problems, slices of ragged batches, options in a dataclass."""

import enum
import math
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from case import Case, blank, fresh
from tilekit import ZERO, ConstBool, ConstInt, gelu, np_gelu, np_silu, np_softmax, silu, wide

import tile2cpp.lang as ct


class Activation(enum.Enum):
    NONE = "none"
    GELU = "gelu"
    SILU = "silu"


@dataclass(frozen=True)
class Tiling:
    """How a product is cut, with what follows from it."""

    rows: int
    columns: int
    depth: int

    def accumulator(self):
        return ct.zeros((self.rows, self.columns), ct.float32)

    @property
    def turned(self):
        return replace(self, rows=self.columns, columns=self.rows)


@dataclass(frozen=True)
class Epilogue:
    activation: Activation = Activation.NONE
    scale: float = 1.0

    def __call__(self, acc):
        acc = acc * self.scale
        if self.activation is Activation.GELU:
            return gelu(acc)
        return silu(acc) if self.activation == Activation.SILU else acc


SMALL = Tiling(32, 16, 16)
FINISH = {"gelu": Epilogue(Activation.GELU, 0.5), "silu": Epilogue(Activation.SILU)}
GELU, SILU = FINISH["gelu"], FINISH["silu"]


def product_of(A, B, i, j, tiling, *, order="C"):
    acc = tiling.accumulator()
    for k in range(ct.cdiv(A.shape[1], tiling.depth)):
        a = ct.load(A, (i, k), (tiling.rows, tiling.depth), padding_mode=ZERO)
        b = ct.load(B, (k, j), (tiling.depth, tiling.columns), order=order, padding_mode=ZERO)
        acc = ct.mma(a, b, acc)
    return acc


@ct.kernel
def products_of_lists(As, Bs, Cs, WIDE: ConstBool):
    """`C = finish(A @ B.T)` for problems of any sizes, one after the other, by blocks that stay."""
    tiling = SMALL.turned if WIDE else SMALL
    finish = SILU if WIDE else GELU
    tile = ct.bid(0)
    for problem in range(len(As)):
        A, B, C = As[problem], Bs[problem], Cs[problem]
        columns = ct.cdiv(C.shape[1], tiling.columns)
        tiles = ct.cdiv(C.shape[0], tiling.rows) * columns
        while tile < tiles:
            i, j = tile // columns, tile % columns
            ct.store(C, (i, j), finish(product_of(A, B, i, j, tiling, order="F")).astype(C.dtype))
            tile = tile + ct.num_blocks(0)
        tile = tile - tiles


@ct.kernel
def attention_of_ragged(Q, K, V, starts, Out, scale: float, D: ConstInt, TM: ConstInt, TN: ConstInt):
    """Sequences of different lengths behind each other; a slice of the arrays is one of them."""
    i, sequence = ct.bid(0), ct.bid(1)
    begin, end = ct.gather(starts, sequence), ct.gather(starts, sequence + 1)
    if i * TM >= end - begin:
        return
    q, k, v, out = tuple(x.slice(0, begin, end) for x in ct.static_iter((Q, K, V, Out)))
    keys = k.tiled_view((TN, D), padding_mode=ct.PaddingMode.ZERO)
    values = v.tiled_view((TN, D), padding_mode=ct.PaddingMode.ZERO)
    mine = ct.load(q, (i, 0), (TM, D), padding_mode=ZERO)
    top, total, acc = ct.full((TM, 1), -math.inf, ct.float32), ct.zeros((TM, 1), ct.float32), ct.zeros((TM, D), ct.float32)
    for j in range(keys.num_tiles(0)):
        scores = ct.mma(mine, ct.transpose(keys.load((j, 0))), ct.zeros((TM, TN), ct.float32)) * scale
        live = (j * TN + ct.arange(TN, dtype=ct.int32))[None, :] < k.shape[0]
        scores = ct.where(live, scores, -math.inf)
        new = ct.maximum(top, ct.max(scores, 1, keepdims=True))
        p = ct.exp(scores - new)
        fade = ct.exp(top - new)
        total = total * fade + ct.sum(p, 1, keepdims=True)
        acc = ct.mma(p.astype(v.dtype), values.load((j, 0)), acc * fade)
        top = new
    ct.store(out, (i, 0), (acc / total).astype(out.dtype))


Fixed = Annotated[ct.Array, ct.ArrayAnnotation(static_shape_dims=(1,))]


@ct.kernel
def rows_of_known_width(x: Fixed, weights: "tuple[ct.Constant[float], float]", y):
    """The extent of the last axis is part of the type: it may be the extent of a tile."""
    width = ct.ensure_constant(x.shape[1])
    ct.static_assert(width & (width - 1) == 0, f"a width of {width} is no power of two")
    first, second = weights
    t = ct.load(x, (ct.bid(0), 0), (1, width))
    ct.store(y, (ct.bid(0), 0), t * first + ct.cumsum(t, axis=1, reverse=True) * second)


# --- the same in NumPy ---


def list_products(As, Bs, Cs, wide_tiles):
    finish = np_silu if wide_tiles else lambda x: np_gelu(x * 0.5)
    return [[finish(wide(a) @ wide(b).T) for a, b in zip(As, Bs)]]


def ragged(Q, K, V, starts, Out, scale, *_):
    parts = [slice(a, b) for a, b in zip(starts, starts[1:])]
    return [np.concatenate([np_softmax(wide(Q[s]) @ wide(K[s]).T * scale) @ wide(V[s]) for s in parts])]


CASES = [
    Case("ragged attention", attention_of_ragged, (2, 3),
         lambda rng: (*(fresh(rng, (75, 32), "float16") for _ in range(3)), np.array([0, 40, 45, 75], "int32"), blank((75, 32), "float16"), 0.2, 32, 32, 16),
         (4,), ragged, terms=8, scale=4),
    Case("static extent", rows_of_known_width, (5,), lambda rng: (fresh(rng, (5, 32)), (2.0, 0.5), blank((5, 32))), (2,),
         lambda x, w, y: [wide(x) * w[0] + wide(x)[:, ::-1].cumsum(1)[:, ::-1] * w[1]], terms=32, scale=2),
]  # fmt: skip

SIZES = ((40, 20, 30), (7, 50, 33), (64, 32, 16))


def run_lists(backend):
    """Lists of arrays, which a `Case` does not know."""
    import tile2cpp

    rng = np.random.default_rng(5)
    As, Bs = [fresh(rng, (m, k), "float16") for m, _, k in SIZES], [fresh(rng, (n, k), "float16") for _, n, k in SIZES]
    for wide_tiles in (False, True):
        Cs = [blank((m, n)) for m, n, _ in SIZES]
        tile2cpp.launch(0, (3,), products_of_lists, (As, Bs, Cs, wide_tiles), backend=backend)
        for got, want in zip(Cs, list_products(As, Bs, Cs, wide_tiles)[0]):
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-3)
