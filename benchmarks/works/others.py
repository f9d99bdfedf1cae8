"""Kernels written by another hand, beside those of the other families: no speed may hang on how one kernel is spelt."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence

from benchmarks import rivals
from benchmarks.kernels import others as kernels
from benchmarks.work import Bar, Launch, Rival, Work
from benchmarks.works import attention, memory, products
from benchmarks.works.products import cdiv, label

FIRST = "tile2cpp, other text"
AS_FAST = (Bar((FIRST,), 0.97),)
PEERS = ("cuBLAS", "cuDNN", "copy")
MULTIPROCESSORS = 132  # how many blocks a persistent kernel gets


def beside(work: Work, name: str, words: str, ours: dict[str, tuple[Launch, ...]], **options: Any) -> Work:
    """The same arrays and reference with other kernels; the first ones take part as a rival."""
    others = {FIRST: Rival(rivals.launches(work.ours)), **{peer: rival for peer, rival in work.rivals.items() if peer in PEERS}}
    return replace(work, name=f"other-{name}", group="others", title=f"{work.title}, {words}", ours=ours, rivals=others, bars=AS_FAST, quick=False, **options)


def product_by_views(m: int, n: int, k: int, tiles: Sequence[Sequence[int]]) -> Work:
    ours = {label(t): (Launch(kernels.product_by_views, (cdiv(m, t[0]), cdiv(n, t[1])), ("A", "B", "C", *t)),) for t in tiles}
    return beside(products.plain("float16", m, n, k, tiles), f"product-views-{products.size_of(m, n, k)}", "by views", ours)


def product_persistent(m: int, n: int, k: int, tiles: Sequence[Sequence[int]], blocks: int = MULTIPROCESSORS) -> Work:
    ours = {label(t): (Launch(kernels.product_persistent, (blocks,), ("A", "B", "C", *t)),) for t in tiles}
    return beside(products.plain("float16", m, n, k, tiles), f"product-persistent-{products.size_of(m, n, k)}", "persistent", ours)


def attention_by_helpers(heads: int, length: int, d: int, causal: bool, tiles: Sequence[Sequence[int]] = (), kv_heads: int | None = None) -> Work:
    work = attention.forward("float16", 1, heads, length, d, kv_heads=kv_heads, causal=causal, tiles=tiles)
    ours = {
        label(t): (replace(work.ours[label(t)][0], kernel=kernels.attention_by_helpers, grid=(cdiv(length, t[0]), heads)),) for t in tiles or attention.TILES[d]
    }
    return beside(work, work.name, "by helpers", ours)


def softmax_by_gathers(count: int, length: int, blocks: int = 8 * MULTIPROCESSORS) -> Work:
    work = memory.rows("softmax", count, length)
    block = 1 << (length - 1).bit_length()
    return beside(work, work.name, "by gathers", {f"{blocks} blocks": (Launch(kernels.softmax_by_gathers, (min(blocks, count),), ("x", "y", block)),)})


def layer_norm_by_moments(count: int, length: int) -> Work:
    work = memory.rows("layer_norm", count, length)
    block = 1 << (length - 1).bit_length()
    launch = Launch(kernels.layer_norm_by_moments, (count,), ("x", "weight", "bias", "y", memory.EPS, block))
    return beside(work, work.name, "by moments", {"a row": (launch,)})


def small() -> list[Work]:
    tiles = ((32, 32, 16),)
    return [
        product_by_views(70, 50, 40, tiles), product_persistent(70, 50, 40, tiles, 3), attention_by_helpers(2, 70, 32, False, ((32, 16),)),
        attention_by_helpers(4, 70, 32, True, ((32, 16),), 2), softmax_by_gathers(9, 100, 4), layer_norm_by_moments(3, 100),
    ]  # fmt: skip


def all_works() -> list[Work]:
    wide = products.WIDE_TILES
    return [
        product_by_views(4096, 4096, 4096, wide), product_persistent(8192, 8192, 8192, wide), attention_by_helpers(32, 8192, 128, False),
        attention_by_helpers(32, 4096, 64, True), softmax_by_gathers(8192, 8192), layer_norm_by_moments(8192, 8192),
    ]  # fmt: skip
