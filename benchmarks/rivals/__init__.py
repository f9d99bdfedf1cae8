"""What tile2cpp is measured against. Each function takes a task and gives what runs it once; libraries are imported only then."""

from benchmarks.rivals.library import (
    copy_of_same_size,
    torch_8_bit,
    torch_attention,
    torch_decode,
    torch_flat,
    torch_grouped,
    torch_product,
    torch_rows,
    torch_transpose,
)
from benchmarks.rivals.same_text import cutile, launches, vendor
from benchmarks.rivals.simt import simt_product, simt_transpose
from benchmarks.rivals.triton_launches import (
    triton_attention,
    triton_batched,
    triton_grouped,
    triton_product,
    triton_rows,
    triton_split_k,
    triton_turned,
)

__all__ = [
    "copy_of_same_size", "cutile", "launches", "simt_product", "simt_transpose", "torch_8_bit", "torch_attention", "torch_decode", "torch_flat", "torch_grouped",
    "torch_product", "torch_rows", "torch_transpose", "triton_attention", "triton_batched", "triton_grouped", "triton_product", "triton_rows", "triton_split_k",
    "triton_turned", "vendor",
]  # fmt: skip
