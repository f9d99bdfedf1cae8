"""Kernels written thread by thread, and the tile kernels that do the same."""

from __future__ import annotations

from typing import Sequence

from benchmarks import rivals
from benchmarks.arrays import wide
from benchmarks.kernels import memory, products
from benchmarks.work import Array, Bar, Launch, Rival, Work
from benchmarks.works.products import TF32_TILES, cdiv, forms, size_of, times

SHARED, REGISTERS = "SIMT, shared memory", "SIMT, 4x4 in registers"


def product(m: int, n: int, k: int, tensor_cores: bool, tiles: Sequence[Sequence[int]], bars: Sequence[Bar] = (), **options) -> Work:
    """float32 by the tensor cores as tf32, or all in float32 as the threads do it."""
    arrays = {"A": Array((m, k), "float32"), "B": Array((k, n), "float32"), "C": Array((m, n), "float32", "empty")}
    kernel, short = (products.product_tf32, "tf32") if tensor_cores else (products.product, "f32")
    return Work(
        f"simt-product-{short}-{size_of(m, n, k)}", "simt", f"hand-written float32 product {m}x{n}x{k}, tile kernel in {short}", 2.0 * m * n * k, "TFLOP/s",
        arrays, forms(kernel, m, n, "ABC", tiles),
        {SHARED: Rival(rivals.simt_product("product_shared")), REGISTERS: Rival(rivals.simt_product("product_registers"))},
        times, 1e-3 if tensor_cores else 1e-5, tuple(bars), **options,
    )  # fmt: skip


def transpose(m: int, n: int, tiles: Sequence[Sequence[int]] = ((64, 64), (32, 128), (128, 32)), bars: Sequence[Bar] = (), **options) -> Work:
    arrays = {"x": Array((m, n), "float32"), "y": Array((n, m), "float32", "empty")}
    return Work(
        f"simt-transpose-f32-{size_of(m, n, n)}", "simt", f"hand-written float32 transpose {m}x{n}", 8.0 * m * n, "GB/s", arrays,
        {f"{tm}x{tn}": (Launch(memory.transpose, (cdiv(m, tm), cdiv(n, tn)), ("x", "y", tm, tn)),) for tm, tn in tiles},
        {SHARED: Rival(rivals.simt_transpose)}, lambda a, xp: wide(a["x"]).T, 0.0, tuple(bars), "y", **options,
    )  # fmt: skip


def small() -> list[Work]:
    return [product(70, 50, 40, False, ((32, 32, 16),))]


def all_works() -> list[Work]:
    five = (Bar((SHARED, REGISTERS), 5.0),)
    return [
        product(4096, 4096, 4096, True, TF32_TILES, five, quick=True),
        product(4096, 4096, 4096, False, ((64, 64, 16), (128, 64, 16), (128, 128, 16))),
        transpose(8192, 8192, bars=(Bar((SHARED,), 1.0),)),
    ]
