"""How the hand-written kernels are called, and what they compute, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import ml_dtypes
import numpy as np

from tile2cpp.dtypes import int32
from tile2cpp.emitted import Emitted, Parameter, Schedule

FOLDER = Path(__file__).parent
SPELLINGS = {
    "float16": "__half", "bfloat16": "__nv_bfloat16", "float8_e4m3fn": "__nv_fp8_e4m3", "float32": "float", "int32": "int",
    "uint32": "unsigned", "int64": "long long", "uint64": "unsigned long long", "uint8": "unsigned char",
}  # fmt: skip
ON_TENSOR_CORES = Schedule(threads=128, vector=2, column_threads=8, product=True)


@dataclass(frozen=True)
class Case:
    """One instance of one kernel. `expected` gives, by position, what arrays hold afterwards, within `rtol`."""

    file: str
    instance: str
    grid: tuple[int, ...]
    arguments: Callable[[], list[Any]]
    expected: Callable[..., dict[int, Any]]
    rtol: float = 0.0
    name: str = ""
    schedule: Schedule = Schedule()

    @property
    def id(self) -> str:
        return self.name or self.file

    def blocks(self) -> tuple[int, int, int]:
        return (*self.grid, *[1] * (3 - len(self.grid)))

    def emitted(self) -> Emitted:
        """The file, and below it a caller of the instance that has a plain name."""
        kinds = [SPELLINGS[str(a.dtype)] + ("*" if isinstance(a, np.ndarray) else "") for a in self.arguments()]
        parameters = tuple(Parameter(f"p{i}", kind, "scalar", i, int32) for i, kind in enumerate(kinds))
        declared, given = ", ".join(f"{p.cpp} {p.name}" for p in parameters), ", ".join(p.name for p in parameters)
        text = (FOLDER / f"{self.file}.cu").read_text().replace("#pragma once\n", "")
        text += f"\n__tile_global__ void {self.id}({declared}) {{ {self.instance}({given}); }}\n"
        return Emitted(self.id, f"{self.file}.cu", text, parameters, self.schedule, self.id)

    def check(self, after: list[Any]) -> None:
        for position, wanted in self.expected(*self.arguments()).items():
            got = after[position].astype("float64") if self.rtol else after[position]
            wanted = np.asarray(wanted)
            if self.rtol:
                np.testing.assert_allclose(got, wanted.astype("float64").reshape(got.shape), rtol=self.rtol, atol=self.rtol)
            else:
                np.testing.assert_array_equal(got.reshape(-1), wanted.reshape(-1).astype(got.dtype))


def numbers(*shape: int, dtype="float32", seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype("float32").astype(dtype)


def integers(low: int, high: int, *shape: int, dtype="int32", seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, shape).astype(dtype)


def blank(*shape: int, dtype="float32") -> np.ndarray:
    return np.zeros(shape, dtype)


def f(x) -> np.ndarray:
    return np.asarray(x).astype("float64")


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(f(x) - f(x).max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def rms_norm(out, x, w, n, stride, eps, offset):
    rows = f(x)[:, :n]
    made = f(out)
    made[:, :n] = rows / np.sqrt((rows**2).mean(1, keepdims=True) + eps) * (f(w) + offset)
    return {0: made}


def rope(x, c, s, *_):
    a, b = f(x)[..., :16], f(x)[..., 16:]
    c, s = f(c)[None, :, None], f(s)[None, :, None]
    return {0: np.concatenate([a * c - b * s, b * c + a * s], -1)}


def attention(causal: bool):
    def expected(q, k, v, o, heads, group, q_len, k_len, scale):
        k, v = np.repeat(f(k), group, 0), np.repeat(f(v), group, 0)
        scores = f(q) @ k.transpose(0, 2, 1) * scale
        if causal:
            scores = np.where(np.arange(q_len)[:, None] >= np.arange(k_len), scores, -np.inf)
        return {3: softmax(scores) @ v}

    return expected


def moe_align(ids, order, experts, total, counts, starts, n, size):
    many = np.bincount(ids, minlength=8)
    padded = -(-many // size) * size
    begins = np.cumsum(padded) - padded
    order = order.copy()
    for e in range(8):
        order[begins[e] : begins[e] + many[e]] = np.flatnonzero(ids == e)
    blocks = np.repeat(np.arange(8), padded // size)
    return {1: order, 2: np.concatenate([blocks, experts[len(blocks) :]]), 3: [padded.sum()], 4: many, 5: begins + many}


def quantize(x, codes, scales, cols):
    scale = (np.maximum(np.abs(x).max(1), np.float32(1e-12)) / np.float32(448)).astype("float32")
    return {1: (x / scale[:, None]).astype(codes.dtype), 2: scale}


def dropout(x, out, n, rate, seed):
    left, right, key = np.arange(n, dtype="uint32"), np.zeros(n, "uint32"), int(seed)
    for _ in range(4):
        product = left.astype("uint64") * 0xD256D193
        left, right = (product >> 32).astype("uint32") ^ np.uint32(key) ^ right, product.astype("uint32")
        key = (key + 0x9E3779B9) % 2**32
    uniform = (left >> 8).astype("float32") * np.float32(2.0**-24)
    return {1: np.where(uniform >= rate, x / (np.float32(1) - rate), 0)}


def cross_entropy(logits, targets, losses, vocab, ignore):
    p, kept = softmax(logits), targets != ignore
    chosen = p[np.arange(len(targets)), np.where(kept, targets, 0)]
    gradient = p - (np.arange(vocab) == targets[:, None])
    return {0: gradient * kept[:, None], 2: np.where(kept, -np.log(chosen), 0)}


def embedding_backward(g, ids, grad, width, n):
    made = f(grad)
    np.add.at(made, ids, f(g))
    return {2: made}


def grouped(a, b, c, rows, problems, n, k):
    parts = np.split(f(a), np.cumsum(rows)[:-1])
    return {2: np.concatenate([part @ f(b)[p] for p, part in enumerate(parts)])}


def argmax(x, banned, place, best, found, n, cols):
    left = x.copy()
    left[:, banned] = -np.inf
    return {2: left.argmax(1), 3: left.max(1), 4: [list(banned).index(5)]}


def clipped(kind):
    def expected(out, x, limits, count, steps, rows, columns, _):
        x = f(x)
        length = {0: np.abs(x).max(1), 1: np.abs(x).sum(1), 2: np.sqrt((x * x).sum(1))}[kind][:, None]
        limit = f(limits[:3]).min()
        return {0: np.where(length > limit, x * limit / length, x), 3: [(length > limit).sum() * 10**kind], 4: [4, 8, 16, 32]}

    return expected


i32, i64, f32, u32 = np.int32, np.int64, np.float32, np.uint32
e4m3, bf16 = ml_dtypes.float8_e4m3fn, ml_dtypes.bfloat16
IDS = integers(0, 8, 100)
TARGETS = np.array([3, 149, -100, 0, 77], "int64")

CASES = (
    Case(
        "rms_norm", "norms::rms_norm_kernel<__half, 256>", (3,),
        lambda: [blank(3, 600, dtype="float16"), numbers(3, 600, dtype="float16"), numbers(590, dtype="float16", seed=2), i32(590), i32(600), f32(1e-6), f32(1)],
        rms_norm, 4e-3,
    ),
    Case(
        "online_softmax", "online_softmax<float, 128>", (2,),
        lambda: [blank(5, 300), numbers(5, 300), i32(5), i32(300)], lambda out, x, *_: {0: softmax(x)}, 2e-5,
    ),
    Case(
        "rope", "rope_kernel<__half, 32, 4>", (7, 2),
        lambda: [numbers(2, 7, 6, 32, dtype="float16"), np.cos(numbers(7, 16)), np.sin(numbers(7, 16)), i32(7), i32(6)], rope, 4e-3,
    ),
    Case(
        "swiglu", "swiglu_forward<__nv_bfloat16, 512>", (4,),
        lambda: [numbers(1100, dtype=bf16), numbers(1100, dtype=bf16, seed=2), blank(1100, dtype=bf16), i32(1100)],
        lambda g, u, out, n: {2: f(g) / (1 + np.exp(-f(g))) * f(u)}, 1.6e-2,
    ),
    *(
        Case(
            "attention", f"attention_kernel<__half, 32, 32, 32, Mask::{mask}>", (2, 4),
            lambda: [
                numbers(4, 50, 32, dtype="float16"), numbers(2, 50, 32, dtype="float16", seed=2), numbers(2, 50, 32, dtype="float16", seed=3),
                blank(4, 50, 32, dtype="float16"), i32(4), i32(2), i32(50), i32(50), f32(0.18),
            ],
            attention(mask == "causal"), 5e-3, f"attention_{mask}",
        )
        for mask in ("none", "causal")
    ),
    Case(
        "matmul", "matmul_kernel<__half, __half, 32, 32, 16, 4>", (9,),
        lambda: [numbers(70, 40, dtype="float16"), numbers(90, 40, dtype="float16", seed=2), numbers(90, dtype="float16", seed=3), blank(70, 90, dtype="float16"), i32(70), i32(90), i32(40)],
        lambda a, b, bias, c, *_: {3: f(a) @ f(b).T + f(bias)}, 1e-2, "matmul_half",
    ),
    Case(
        "matmul", "matmul_kernel<__nv_bfloat16, float, 64, 64, 32, 8>", (4,),
        lambda: [numbers(70, 40, dtype=bf16), numbers(90, 40, dtype=bf16, seed=2), numbers(90, seed=3), blank(70, 90), i32(70), i32(90), i32(40)],
        lambda a, b, bias, c, *_: {3: f(a) @ f(b).T + f(bias)}, 1e-4, "matmul_bfloat16", ON_TENSOR_CORES,
    ),
    Case(
        "fp8", "quantize_rows<128>", (6,), lambda: [numbers(6, 100), blank(6, 100, dtype=e4m3), blank(6), i32(100)], quantize, 0, "fp8_quantize",
    ),
    Case(
        "fp8", "fp8_matmul<float, 32, 32, 32>", (2, 2),
        lambda: [numbers(40, 70, dtype=e4m3), numbers(50, 70, dtype=e4m3, seed=2), numbers(40, seed=3), numbers(50, seed=4), blank(40, 50), i32(40), i32(50), i32(70)],
        lambda a, b, x, y, c, *_: {4: f(a) @ f(b).T * f(x)[:, None] * f(y)}, 1e-3, "fp8_matmul_rows",
    ),
    Case(
        "moe_align", "moe_align_kernel<8, 32>", (1,),
        lambda: [IDS, np.full(164, 100, "int32"), np.full(41, -1, "int32"), blank(1, dtype="int32"), blank(8, dtype="int32"), blank(8, dtype="int32"), i32(100), i32(4)],
        moe_align,
    ),
    Case(
        "histogram", "histogram_kernel<64>", (5,),
        lambda: [integers(0, 250, 300, dtype="uint8"), blank(256, dtype="uint64"), blank(1), blank(1, dtype="uint32"), i32(300)],
        lambda x, *_: {1: np.bincount(x, minlength=256), 2: [x.sum(dtype="int64")], 3: [x.max()]},
    ),
    *(
        Case(
            "cumsum", f"cumsum_kernel<int, long long, 64, {reverse}>", (3,),
            lambda: [integers(-(2**30), 2**30, 3, 200), blank(3, 200, dtype="int64"), i64(200), i32(200)],
            (lambda x, *_: {1: np.cumsum(x[:, ::-1].astype("int64"), 1)[:, ::-1]}) if reverse == "true" else (lambda x, *_: {1: np.cumsum(x.astype("int64"), 1)}),
            0, f"cumsum_{reverse}",
        )
        for reverse in ("true", "false")
    ),
    Case("dropout", "dropout_kernel<128>", (3,), lambda: [numbers(300), blank(300), i32(300), f32(0.25), u32(12345)], dropout, 1e-6),
    Case(
        "cross_entropy", "cross_entropy_kernel<float, 64>", (5,),
        lambda: [numbers(5, 150), TARGETS, blank(5), i32(150), i32(-100)], cross_entropy, 2e-5,
    ),
    Case(
        "embedding", "embedding_forward<__half, 8, 16>", (3, 2),
        lambda: [numbers(30, 24, dtype="float16"), integers(0, 30, 20), blank(20, 24, dtype="float16"), i32(30), i32(24), i32(20)],
        lambda table, ids, *_: {2: table[ids]}, 0, "embedding_rows",
    ),
    Case(
        "embedding", "embedding_backward<__half, 8, 16>", (3, 2),
        lambda: [numbers(20, 24, dtype="float16"), integers(0, 6, 20), blank(6, 24), i32(24), i32(20)], embedding_backward, 1e-5, "embedding_gradient",
    ),
    Case(
        "grouped", "grouped_matmul<__half, 16>", (3,),
        lambda: [numbers(60, 40, dtype="float16"), numbers(3, 40, 24, dtype="float16", seed=2), blank(60, 24), np.array([17, 3, 40], "int32"), i32(3), i32(24), i32(40)],
        grouped, 1e-3,
    ),
    Case(
        "argmax", "argmax_kernel<4, 64>", (3,),
        lambda: [numbers(12, 50), np.array([7, 5, 31], "int32"), blank(12, dtype="uint32"), blank(12), blank(1, dtype="int32"), i32(3), i32(50)], argmax,
    ),
    *(
        Case(
            "clipped_norm", "clipped_norm<__half, 64>", (4,),
            lambda kind=kind: [
                blank(9, 100, dtype="float16"), numbers(9, 100, dtype="float16"), np.array([9, 2.5 * (1 + 3 * kind), 99, 0], "float32"),
                blank(1, dtype="int32"), blank(4, dtype="uint32"), i32(9), i32(100), i32(kind),
            ],
            clipped(kind), 2e-3, f"clipped_norm_{kind}",
        )
        for kind in (0, 1, 2)
    ),
)  # fmt: skip
