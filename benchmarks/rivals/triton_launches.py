"""How the Triton kernels are launched, each with a few configurations of which the quickest counts.

The configurations are those that Triton's tutorials find best on Hopper.
"""

from __future__ import annotations

import math
from typing import Any, Callable

from benchmarks.rivals.same_text import best_of
from benchmarks.work import Task

Run = Callable[[], Any]

# Tile, warps, stages.
PRODUCTS = (((128, 256, 64), 8, 3), ((128, 256, 64), 8, 4), ((128, 128, 64), 4, 4), ((128, 128, 64), 8, 3))
SMALL_PRODUCTS = (((128, 128, 64), 8, 3), ((64, 128, 64), 4, 4), ((128, 64, 64), 4, 4), ((64, 64, 64), 4, 4))
BYTES = (((128, 256, 128), 8, 3), ((128, 128, 128), 8, 3), ((128, 128, 128), 4, 4))
FLOATS = (((128, 128, 32), 8, 3), ((128, 256, 32), 8, 3), ((128, 128, 32), 4, 4))
ATTENTION = {
    64: (((128, 64), 4, 3), ((128, 128), 8, 3), ((128, 128), 4, 3)),
    128: (((128, 128), 8, 3), ((128, 64), 8, 3), ((128, 128), 8, 2)),
    256: (((128, 64), 8, 2), ((64, 64), 4, 2)),
}
SMALL = 2048 * 2048  # elements of a result that few tiles cover
LONGEST_ROW = 16384


def cdiv(a: int, b: int) -> int:
    return -(-a // b)


def _product(task: Task, b: Any, strides: Callable, configs: tuple, acc: str = "float32") -> Run:
    import torch
    import triton.language as tl

    from benchmarks.rivals.triton_kernels.products import product

    a, c = task["A"], task["C"]
    (m, k), n = a.shape[-2:], c.shape[-1]
    batch = a.shape[0] if a.dim() == 3 else 1
    if m * n * batch <= SMALL:
        configs = SMALL_PRODUCTS

    def run(tiles: tuple, warps: int, stages: int) -> None:
        grid = cdiv(m, tiles[0]) * cdiv(n, tiles[1]), batch
        product[grid](a, b, c, m, n, k, *strides(a), *strides(b), *strides(c), *tiles, getattr(tl, acc), a.dtype == torch.float32, num_warps=warps, num_stages=stages)

    return best_of({str(config): lambda config=config: run(*config) for config in configs})


def _flat(t: Any) -> tuple[int, int, int]:
    return 0, t.stride(0), t.stride(1)


def triton_product(task: Task) -> Run:
    import torch

    return _product(task, task["B"], _flat, FLOATS if task["A"].dtype == torch.float32 else PRODUCTS)


def triton_batched(task: Task) -> Run:
    return _product(task, task["B"], lambda t: t.stride(), PRODUCTS)


def triton_turned(task: Task) -> Run:
    import torch

    return _product(task, task["BT"].t(), _flat, BYTES, "int32" if task["A"].dtype == torch.int8 else "float32")


def triton_grouped(task: Task) -> Run:
    import torch

    from benchmarks.rivals.triton_kernels.products import product_grouped

    a, b, c, starts = task["A"], task["B"], task["C"], task["starts"]
    n, k = b.shape[2], b.shape[1]
    bounds = starts.tolist()

    def form(tiles: tuple, warps: int, stages: int) -> Run:
        places = [(g, i) for g, (first, last) in enumerate(zip(bounds, bounds[1:])) for i in range(cdiv(last - first, tiles[0]))]
        groups, rows = (torch.tensor(column, dtype=torch.int32, device=a.device) for column in zip(*places))
        grid = cdiv(n, tiles[1]), len(places)
        strides = a.stride(0), b.stride(0), b.stride(1), c.stride(0)

        def run() -> None:  # a launch gives back the kernel, which is no result
            product_grouped[grid](a, b, c, starts, groups, rows, n, k, *strides, *tiles, num_warps=warps, num_stages=stages)

        return run

    return best_of({str(config): form(*config) for config in PRODUCTS})


def triton_split_k(task: Task) -> Run:
    """The sums need zeros first, and are in float32: both steps count."""
    import torch

    from benchmarks.rivals.triton_kernels.products import product_split

    a, b, c = task["A"], task["B"], task["C"]
    (m, k), n = a.shape, b.shape[1]
    sums = torch.empty((m, n), dtype=torch.float32, device=a.device)

    def run(tiles: tuple, warps: int, stages: int, splits: int) -> None:
        sums.zero_()
        product_split[cdiv(m, tiles[0]) * cdiv(n, tiles[1]), splits](a, b, sums, m, n, k, *tiles, splits, num_warps=warps, num_stages=stages)
        c.copy_(sums)

    configs = [(*config, splits) for config in (SMALL_PRODUCTS[0], SMALL_PRODUCTS[1]) for splits in (8, 16)]
    return best_of({str(config): lambda config=config: run(*config) for config in configs})


def triton_attention(task: Task, causal: bool) -> Run:
    from benchmarks.rivals.triton_kernels.attention import attention

    q, k, v, out = task["q"], task["k"], task["v"], task["out"]
    batch, heads, length, d = q.shape

    def run(tiles: tuple, warps: int, stages: int) -> None:
        grid = cdiv(length, tiles[0]), batch * heads
        attention[grid](q, k, v, out, length, k.shape[2], 1 / math.sqrt(d), heads, heads // k.shape[1], d, *tiles, causal, num_warps=warps, num_stages=stages)

    return best_of({str(config): lambda config=config: run(*config) for config in ATTENTION[d]})


def triton_rows(task: Task, what: str, eps: float) -> Run:
    from benchmarks.rivals.triton_kernels import rows as kernels

    x, y = task["x"], task["y"]
    count, length = x.shape
    is_long = length > LONGEST_ROW
    tile = 8192 if is_long else 1 << (length - 1).bit_length()

    def run(warps: int) -> None:
        if what == "softmax":
            (kernels.softmax_long if is_long else kernels.softmax)[(count,)](x, y, length, tile, num_warps=warps)
            return
        weight = task["weight"]
        bias = task["bias"] if what == "layer_norm" else weight
        (kernels.norm_long if is_long else kernels.norm)[(count,)](x, weight, bias, y, length, eps, tile, what == "layer_norm", num_warps=warps)

    choices = (1, 2, 4) if tile <= 1024 else (4, 8, 16)
    return best_of({f"{warps} warps": lambda warps=warps: run(warps) for warps in choices})
