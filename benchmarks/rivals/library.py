"""Rivals that torch has: cuBLAS, cuBLASLt, cuDNN, and its own kernels."""

from __future__ import annotations

import math
from typing import Any, Callable

from benchmarks.work import Missing, Task

Run = Callable[[], Any]


def torch_product(task: Task) -> Run:
    """cuBLAS, also for batches; float32 factors are rounded to tf32, as ours are."""
    import torch

    a, b, out = task["A"], task["B"], task["C"]
    if a.dtype != torch.float32:
        return lambda: torch.matmul(a, b, out=out)

    def run() -> None:
        torch.backends.cuda.matmul.allow_tf32 = True
        torch.matmul(a, b, out=out)
        torch.backends.cuda.matmul.allow_tf32 = False

    return run


def torch_8_bit(task: Task) -> Run:
    """cuBLASLt for fp8 and int8."""
    import torch

    a, turned = task["A"], task["BT"].t()
    if a.dtype == torch.int8:
        return lambda: torch._int_mm(a, turned, out=task["C"])
    one = torch.ones((), device=a.device)
    return lambda: torch._scaled_mm(a, turned, scale_a=one, scale_b=one, out_dtype=task["C"].dtype, use_fast_accum=False)


def torch_grouped(task: Task) -> Run:
    """One call where this torch has it, else a call for each group."""
    import torch

    a, b, out = task["A"], task["B"], task["C"]
    ends = task["starts"][1:].contiguous()
    if hasattr(torch, "_grouped_mm"):
        run = lambda: torch._grouped_mm(a, b, offs=ends)  # noqa: E731
        try:
            run()
            return run
        except RuntimeError:  # a layout that its kernel does not take
            pass
    bounds = task["starts"].tolist()
    groups = [(a[first:last], b[g], out[first:last]) for g, (first, last) in enumerate(zip(bounds, bounds[1:]))]

    def each() -> None:
        for rows, factor, part in groups:
            torch.matmul(rows, factor, out=part)

    return each


def torch_attention(task: Task, causal: bool, backend: str) -> Run:
    """Attention of cuDNN, or torch's own."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    from torch.nn.functional import scaled_dot_product_attention

    q, k, v = task["q"], task["k"], task["v"]
    chosen = getattr(SDPBackend, backend)

    def run(k: Any = k, v: Any = v, **options: Any) -> Any:
        with sdpa_kernel(chosen):
            return scaled_dot_product_attention(q, k, v, is_causal=causal, **options)

    if q.shape[1] == k.shape[1]:
        return _tried(run, backend)
    try:
        return _tried(lambda: run(enable_gqa=True), backend)
    except Missing:  # it knows no shared heads: it gets a copy for each
        group = q.shape[1] // k.shape[1]
        wide_k, wide_v = (t.repeat_interleave(group, 1) for t in (k, v))
        return _tried(lambda: run(wide_k, wide_v), backend)


def torch_decode(task: Task) -> Run:
    """The query heads that share keys count as queries of one head, which no mask tells apart."""
    from torch.nn.functional import scaled_dot_product_attention

    q, k, v = task["q"], task["k"], task["v"]
    return lambda: scaled_dot_product_attention(q, k, v, scale=1 / math.sqrt(q.shape[3]))


def _tried(run: Run, name: str) -> Run:
    try:
        run()
    except RuntimeError as error:
        raise Missing(f"{name}: {str(error).splitlines()[0]}") from None
    return run


def torch_flat(task: Task, what: str) -> Run:
    import torch

    x, out = task["x"], task["out"]
    if what == "copy":
        return lambda: out.copy_(x)
    if what == "add":
        return lambda: torch.add(x, task["y"], out=out)
    return lambda: torch.nn.functional.silu(x)


def torch_rows(task: Task, what: str, eps: float) -> Run:
    from torch.nn import functional

    x = task["x"]
    shape = x.shape[1:]
    if what == "softmax":
        return lambda: functional.softmax(x, 1)
    if what == "layer_norm":
        return lambda: functional.layer_norm(x, shape, task["weight"], task["bias"], eps)
    return lambda: functional.rms_norm(x, shape, task["weight"], eps)


def torch_transpose(task: Task) -> Run:
    return lambda: task["y"].copy_(task["x"].t())


def copy_of_same_size(name: str) -> Callable[[Task], Run]:
    """How fast this much memory can be copied."""

    def make(task: Task) -> Run:
        source = task[name]
        target = source.clone()
        return lambda: target.copy_(source)

    return make
