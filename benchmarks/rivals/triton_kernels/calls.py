"""A small Triton kernel, to see what a call costs."""

import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, TILE: tl.constexpr):
    at = tl.program_id(0) * TILE + tl.arange(0, TILE)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=at < count) + tl.load(y_ptr + at, mask=at < count), mask=at < count)
