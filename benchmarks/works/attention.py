"""Attention: forward, causal, with grouped heads, and for one query per head."""

from __future__ import annotations

import math
from typing import Any, Sequence

from benchmarks import rivals
from benchmarks.arrays import wide
from benchmarks.kernels import attention as kernels
from benchmarks.work import CUTILE, VENDOR, Array, Bar, Launch, Rival, Work
from benchmarks.works.products import COMPILERS, SHORT, SPOKEN, cdiv

LIMITS = {"float16": 2e-3, "bfloat16": 1e-2}  # the weights are rounded before the second product
TILES = {64: ((128, 128), (128, 64)), 128: ((128, 128), (128, 64)), 256: ((128, 64), (64, 64))}
# Keys of a tile, and parts that the keys of a head are split in: few blocks that run long, and many.
SPLITS = (128, 2), (128, 4), (128, 8), (64, 4), (64, 8), (64, 16)
TOGETHER = 4  # heads whose causal blocks begin with the longest: the last ones of few heads are not enough to fill a GPU, and all heads would not fit its cache
FEWEST_ROWS = 16  # of a tile that goes through the tensor cores


def softmax(scores: Any, xp: Any) -> Any:
    e = xp.exp(scores - xp.amax(scores, -1)[..., None])
    return e / e.sum(-1)[..., None]


def attended(arrays: Any, xp: Any, scale: float, causal: bool) -> Any:
    """Head by head: all scores at once would not fit."""
    q, k, v = arrays["q"], arrays["k"], arrays["v"]
    group = q.shape[1] // k.shape[1]
    heads = []
    for batch in range(q.shape[0]):
        for head in range(q.shape[1]):
            scores = wide(q[batch, head]) @ wide(k[batch, head // group]).T * scale
            if causal:
                scores = scores + xp.triu(xp.full_like(scores, -math.inf), 1)
            heads.append(softmax(scores, xp) @ wide(v[batch, head // group]))
    return xp.stack(heads).reshape(q.shape)


def forward(
    dtype: str, batch: int, heads: int, length: int, d: int, *, kv_heads: int | None = None, causal: bool = False,
    tiles: Sequence[Sequence[int]] = (), bars: Sequence[Bar] = (), **options,
) -> Work:  # fmt: skip
    kv_heads, scale = kv_heads or heads, 1 / math.sqrt(d)
    shape, shared = (batch, heads, length, d), (batch, kv_heads, length, d)
    arrays = {"q": Array(shape, dtype), "k": Array(shared, dtype), "v": Array(shared, dtype), "out": Array(shape, dtype, "empty")}
    numbers = heads, heads // kv_heads
    together = math.gcd(batch * heads, TOGETHER)  # heads of a causal one
    ours = {
        f"{tm}x{tn}": (Launch(kernels.attention, (together, cdiv(length, tm), batch * heads // together) if causal else (cdiv(length, tm), batch * heads), ("q", "k", "v", "out", scale, *numbers, tm, tn, d, causal)),)
        for tm, tn in tiles or TILES[d]
    }
    marks = f"{'-causal' if causal else ''}{f'-{kv_heads}kv' if kv_heads != heads else ''}"
    words = f"{', causal' if causal else ''}{f', {kv_heads} heads of keys' if kv_heads != heads else ''}"
    # A product of queries and keys and one of weights and values; half of both when causal.
    amount = 4.0 * batch * heads * length * length * d * (0.5 if causal else 1.0)
    return Work(
        f"attention-{SHORT[dtype]}-{batch}x{heads}x{length}x{d}{marks}", "attention", f"{SPOKEN[dtype]} attention {batch}x{heads}x{length}x{d}{words}",
        amount, "TFLOP/s", arrays, ours,
        {
            "cuDNN": Rival(lambda a: rivals.torch_attention(a, causal, "CUDNN_ATTENTION")),
            "torch flash": Rival(lambda a: rivals.torch_attention(a, causal, "FLASH_ATTENTION")),
            "Triton": Rival(lambda a: rivals.triton_attention(a, causal)), VENDOR: Rival(rivals.vendor), CUTILE: Rival(rivals.cutile),
        },
        lambda a, xp: attended(a, xp, scale, causal), LIMITS[dtype], tuple(bars), "out", **options,
    )  # fmt: skip


def decode(batch: int, heads: int, kv_heads: int, keys: int, d: int, *, splits: Sequence[tuple[int, int]] = SPLITS, bars: Sequence[Bar] = (), **options) -> Work:
    """One query per head; what counts is how fast keys and values are read."""
    group, scale = heads // kv_heads, 1 / math.sqrt(d)
    rows, pairs = max(FEWEST_ROWS, group), batch * kv_heads
    cache = Array((batch, kv_heads, keys, d), "float16")
    arrays = {"q": Array((batch, kv_heads, group, d), "float16"), "k": cache, "v": cache, "out": Array((batch * heads, d), "float16", "empty")}
    ours = {}
    for tile, p in splits:
        span = cdiv(cdiv(keys, tile), p) * tile
        arrays |= {f"part_{p}": Array((pairs, p, rows, d), "float32", "empty"), f"log_{p}": Array((pairs, p, rows), "float32", "empty")}
        one = Launch(kernels.decode, (pairs, p), ("q", "k", "v", f"part_{p}", f"log_{p}", scale, kv_heads, group, rows, tile, d, span))
        ours[f"{p} parts of tiles of {tile}"] = (one, Launch(kernels.join_parts, (pairs, group), (f"part_{p}", f"log_{p}", "out", group, p, d), early=True))
    amount = 2.0 * 2 * batch * kv_heads * keys * d
    return Work(
        f"decode-f16-{batch}x{heads}x{keys}x{d}-{kv_heads}kv", "attention", f"fp16 decode attention {batch}x{heads} heads ({kv_heads} of keys), {keys} keys, {d}",
        amount, "GB/s", arrays, ours,
        {"copy": Rival(rivals.copy_of_same_size("k"), checked=False), "torch": Rival(rivals.torch_decode), CUTILE: Rival(rivals.cutile)},
        lambda a, xp: attended(a, xp, scale, False).reshape((batch * heads, d)), 2e-3, tuple(bars), "out", reads=True, **options,
    )  # fmt: skip


def small() -> list[Work]:
    tiles = ((32, 16),)
    return [
        forward("float16", 2, 2, 70, 32, tiles=tiles), forward("float16", 1, 4, 70, 32, kv_heads=2, causal=True, tiles=tiles),
        forward("bfloat16", 1, 2, 64, 32, causal=True, tiles=tiles), decode(2, 8, 2, 90, 32, splits=((16, 4),)), decode(1, 8, 2, 330, 64, splits=((64, 2),)),
    ]  # fmt: skip


def all_works() -> list[Work]:
    peers = (Bar((CUTILE,), 1.10), Bar(("Triton",), 1.25), *COMPILERS)
    works = []
    for dtype, kv_heads in (("float16", 32), ("bfloat16", 32), ("float16", 8), ("bfloat16", 8)):
        for length, d in ((8192, 128), (4096, 64)):
            for causal in (False, True):
                bars = (Bar(("cuDNN",), 1.0 if causal else 1.05), *peers)
                quick = dtype == "float16" and (kv_heads == 32 or d == 128 and causal)
                works.append(forward(dtype, 1, 32, length, d, kv_heads=kv_heads, causal=causal, bars=bars, quick=quick))
    works.append(forward("float16", 1, 16, 4096, 256))
    works.append(decode(8, 32, 8, 8192, 128, bars=(Bar(("copy",), 0.90),), quick=True))
    return works
