"""Matrix products."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from benchmarks import rivals
from benchmarks.arrays import wide
from benchmarks.kernels import article, products
from benchmarks.work import CUTILE, VENDOR, Array, Bar, Launch, Rival, Work

SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "tf32", "float8_e4m3fn": "fp8", "int8": "int8"}
SPOKEN = {"float16": "fp16", "bfloat16": "bf16", "float32": "tf32", "float8_e4m3fn": "fp8 e4m3", "int8": "int8"}
# Rounding of the result, twice over; tf32 rounds the factors.
LIMITS = {"float16": 6e-4, "bfloat16": 5e-3, "float32": 1e-3, "float8_e4m3fn": 5e-3, "int8": 0.0}
RESULTS = {"float8_e4m3fn": "bfloat16", "int8": "int32"}

WIDE_TILES = ((128, 256, 64), (128, 128, 64))
SMALL_TILES = ((128, 128, 64), (64, 128, 64), (64, 128, 128), (128, 64, 128), (64, 64, 64))
ARTICLE_TILES = ((128, 256, 64), (256, 128, 64), (128, 128, 64), (128, 128, 32), (64, 256, 64), (64, 128, 64))
FP8_TILES = ((128, 256, 256), (128, 128, 256), (128, 256, 128))
TF32_TILES = ((256, 128, 32), (128, 256, 32), (128, 128, 32))
SUM_WIDTH = 128  # columns
SUM_PARTS = products.sum_parts.replace_hints(num_worker_warps=1)  # each lane has its own columns: nobody waits for others
COMPILERS = (Bar((VENDOR,), 1.0), Bar((CUTILE,), 0.98, of=VENDOR))


def cdiv(a: int, b: int) -> int:
    return -(-a // b)


def label(tiles: Sequence[int]) -> str:
    return "x".join(map(str, tiles))


def size_of(m: int, n: int, k: int) -> str:
    return f"{m}" if m == n == k else f"{m}x{n}x{k}"


def times(arrays: Any, xp: Any) -> Any:
    """The product in double precision; a turned factor is told by its name."""
    return wide(arrays["A"]) @ (wide(arrays["B"]) if "B" in arrays else wide(arrays["BT"]).T)


def forms(kernel: Any, m: int, n: int, names: Sequence[str], tiles: Sequence[Sequence[int]], batch: tuple[int, ...] = ()) -> dict:
    """One launch for each tile size."""
    return {label(t): (Launch(kernel, (cdiv(m, t[0]) * cdiv(n, t[1]), *batch), (*names, *t)),) for t in tiles}


def plain(dtype: str, m: int, n: int, k: int, tiles: Sequence[Sequence[int]] = WIDE_TILES, bars: Sequence[Bar] = (), **options) -> Work:
    """fp16, bf16, and tf32 for float32."""
    kernel = products.product_tf32 if dtype == "float32" else products.product
    arrays = {"A": Array((m, k), dtype), "B": Array((k, n), dtype), "C": Array((m, n), dtype, "empty")}
    return Work(
        f"product-{SHORT[dtype]}-{size_of(m, n, k)}", "products", f"{SPOKEN[dtype]} product {m}x{n}x{k}", 2.0 * m * n * k, "TFLOP/s",
        arrays, forms(kernel, m, n, "ABC", tiles),
        {"cuBLAS": Rival(rivals.torch_product), "Triton": Rival(rivals.triton_product), VENDOR: Rival(rivals.vendor), CUTILE: Rival(rivals.cutile)},
        times, LIMITS[dtype], tuple(bars), **options,
    )  # fmt: skip


def turned(dtype: str, m: int, n: int, k: int, tiles: Sequence[Sequence[int]] = FP8_TILES, bars: Sequence[Bar] = (), **options) -> Work:
    """fp8 and int8, whose second factor is stored turned, as cuBLASLt wants it."""
    kernel = products.product_int8 if dtype == "int8" else products.product_turned
    fill = "bytes" if dtype == "int8" else "normal"
    arrays = {"A": Array((m, k), dtype, fill), "BT": Array((n, k), dtype, fill), "C": Array((m, n), RESULTS[dtype], "empty")}
    return Work(
        f"product-{SHORT[dtype]}-{size_of(m, n, k)}", "products", f"{SPOKEN[dtype]} product {m}x{n}x{k}", 2.0 * m * n * k,
        "TOP/s" if dtype == "int8" else "TFLOP/s", arrays, forms(kernel, m, n, ("A", "BT", "C"), tiles),
        {"cuBLASLt": Rival(rivals.torch_8_bit), "Triton": Rival(rivals.triton_turned), VENDOR: Rival(rivals.vendor), CUTILE: Rival(rivals.cutile)},
        times, LIMITS[dtype], tuple(bars), **options,
    )  # fmt: skip


def batched(batch: int, m: int, n: int, k: int, tiles: Sequence[Sequence[int]] = WIDE_TILES, bars: Sequence[Bar] = (), **options) -> Work:
    arrays = {"A": Array((batch, m, k), "float16"), "B": Array((batch, k, n), "float16"), "C": Array((batch, m, n), "float16", "empty")}
    return Work(
        f"batched-f16-{batch}x{size_of(m, n, k)}", "products", f"fp16 batched product {batch}x{m}x{n}x{k}", 2.0 * batch * m * n * k, "TFLOP/s",
        arrays, forms(products.product_batched, m, n, "ABC", tiles, (batch,)),
        {"torch": Rival(rivals.torch_product), "Triton": Rival(rivals.triton_batched), CUTILE: Rival(rivals.cutile)},
        times, LIMITS["float16"], tuple(bars), **options,
    )  # fmt: skip


def grouped(sizes: Sequence[int], n: int, k: int, tiles: Sequence[Sequence[int]] = WIDE_TILES, bars: Sequence[Bar] = (), **options) -> Work:
    """Groups of rows of one matrix, each by a matrix of its own."""
    m, starts = sum(sizes), [0, *np.cumsum(sizes).tolist()]
    arrays = {
        "A": Array((m, k), "bfloat16"), "B": Array((len(sizes), k, n), "bfloat16"), "C": Array((m, n), "bfloat16", "empty"),
        "starts": Array((len(starts),), "int32", starts),
    }  # fmt: skip
    ours = {}
    for t in tiles:
        places = [(g, i) for g, rows in enumerate(sizes) for i in range(cdiv(rows, t[0]))]
        for position, name in enumerate(("group_of", "row_of")):
            arrays[f"{name}_{t[0]}"] = Array((len(places),), "int32", [place[position] for place in places])
        names = ("A", "B", "C", "starts", f"group_of_{t[0]}", f"row_of_{t[0]}")
        ours[label(t)] = (Launch(products.product_grouped, (cdiv(n, t[1]), len(places)), (*names, *t)),)

    def each(arrays: Any, xp: Any) -> Any:
        pairs = zip(starts, starts[1:])
        return xp.concatenate([wide(arrays["A"][first:last]) @ wide(arrays["B"][g]) for g, (first, last) in enumerate(pairs)])

    return Work(
        f"grouped-bf16-{len(sizes)}x{n}x{k}", "products", f"bf16 grouped product, {len(sizes)} groups of {min(sizes)} to {max(sizes)} rows, {n}x{k}",
        2.0 * m * n * k, "TFLOP/s", arrays, ours,
        {"torch": Rival(rivals.torch_grouped), "Triton": Rival(rivals.triton_grouped), CUTILE: Rival(rivals.cutile)},
        each, LIMITS["bfloat16"], tuple(bars), **options,
    )  # fmt: skip


def split_k(
    m: int, n: int, k: int, tiles: Sequence[Sequence[int]] = ((128, 128, 64), (64, 128, 64)), splits: Sequence[int] = (8, 16), bars: Sequence[Bar] = (), **options
) -> Work:  # fmt: skip
    """A small result of long sums: parts of K in parallel, then their sum."""
    arrays = {"A": Array((m, k), "float16"), "B": Array((k, n), "float16"), "C": Array((m, n), "float16", "empty")}
    ours = {}
    for s in splits:
        arrays[f"parts_{s}"] = Array((s, m, n), "float32", "empty")
        for t in tiles:
            width = min(SUM_WIDTH, 1 << (n.bit_length() - 1))
            first = Launch(products.product_parts, (cdiv(m, t[0]), cdiv(n, t[1]), s), ("A", "B", f"parts_{s}", *t, s))
            ours[f"{label(t)}, {s} parts"] = (first, Launch(SUM_PARTS, (m, cdiv(n, width)), (f"parts_{s}", "C", s, width), early=True))
    return Work(
        f"split-k-f16-{size_of(m, n, k)}", "products", f"fp16 product {m}x{n}x{k}, K split", 2.0 * m * n * k, "TFLOP/s", arrays, ours,
        {"torch": Rival(rivals.torch_product), "Triton": Rival(rivals.triton_split_k), CUTILE: Rival(rivals.cutile)},
        times, LIMITS["float16"], tuple(bars), **options,
    )  # fmt: skip


def of_article(m: int, n: int, k: int, tiles: Sequence[Sequence[int]] = ARTICLE_TILES, bars: Sequence[Bar] = (), **options) -> Work:
    """The article's kernel, which reads the sizes from globals."""
    arrays = {"A": Array((m, k), "float16"), "B": Array((k, n), "float16"), "C": Array((m, n), "float16", "empty")}
    return Work(
        f"article-f16-{size_of(m, n, k)}", "products", f"the article's kernel, fp16 {m}x{n}x{k}, best of {len(tiles)} tiles", 2.0 * m * n * k, "TFLOP/s",
        arrays, forms(article.matmul_kernel, m, n, "ABC", tiles),
        {"cuBLAS": Rival(rivals.torch_product), CUTILE: Rival(rivals.cutile)},
        times, LIMITS["float16"], tuple(bars), globals_of={"M": m, "N": n}, **options,
    )  # fmt: skip


def small() -> list[Work]:
    """All kernels of this family at sizes for tests, with edges that no tile fills."""
    tiles = ((32, 32, 16),)
    return [
        plain("float16", 70, 50, 40, tiles), plain("bfloat16", 70, 50, 40, tiles), plain("float32", 70, 50, 40, tiles),
        turned("float8_e4m3fn", 70, 50, 48, ((32, 32, 32),)), turned("int8", 70, 50, 48, ((32, 32, 32),)),
        batched(3, 40, 50, 30, tiles), grouped((17, 40, 33), 50, 40, tiles), split_k(40, 48, 256, tiles, (4,)), of_article(70, 50, 40, tiles),
    ]  # fmt: skip


def all_works() -> list[Work]:
    plain_bars = (Bar(("cuBLAS",), 1.0), Bar(("Triton",), 1.03), *COMPILERS)
    best = (Bar(("torch", "Triton"), 0.95),)
    sizes = ((4096,) * 3, (8192,) * 3, (8192, 8192, 1024), (12288, 4096, 2560))
    quick = {("float16", sizes[0]), ("float16", sizes[1]), ("bfloat16", sizes[1])}
    return [
        *(plain(dtype, *size, bars=plain_bars, quick=(dtype, size) in quick) for dtype in ("float16", "bfloat16") for size in sizes),
        plain("float16", 1024, 1024, 1024, SMALL_TILES, (Bar(("cuBLAS",), 0.9),), quick=True),
        plain("float16", 2048, 2048, 2048, SMALL_TILES[:2] + WIDE_TILES[:1], (Bar(("cuBLAS",), 0.9),)),
        plain("float16", 4097, 4095, 4093, bars=(Bar(("cuBLAS",), 0.8),), quick=True),
        plain("float32", 4096, 4096, 4096, TF32_TILES, (Bar(("cuBLAS",), 0.9),), quick=True),
        turned("float8_e4m3fn", 8192, 8192, 8192, bars=(Bar(("cuBLASLt",), 0.9),), quick=True),
        turned("int8", 8192, 8192, 8192, bars=(Bar(("cuBLASLt",), 0.9),), quick=True),
        batched(32, 1024, 1024, 1024, bars=best, quick=True),
        grouped((1408, 640, 2176, 97, 1000, 1871, 512, 488), 4096, 4096, bars=best, quick=True),
        split_k(512, 512, 32768, bars=best, quick=True),
        of_article(8192, 8192, 8192, bars=(Bar(("cuBLAS",), 1.0),), quick=True),
        of_article(4096, 4096, 4096, bars=(Bar(("cuBLAS",), 1.0),)),
    ]  # fmt: skip
