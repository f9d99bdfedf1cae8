"""Descriptors of arrays for the copy engine of a GPU (compute capability 9.0), made by the driver.

A descriptor holds the address, extents and strides of an array and the box that is copied at a
time. For arrays of one shape only the address changes from call to call.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any, Callable

from tile2cpp.emitted import SWIZZLED_BYTES, TensorMap
from tile2cpp.launch.packing import MAP_BYTES
from tile2cpp.signature.arrays import Memory

# CUtensorMapDataType by dtype; elements without an arithmetic of their own there are copied as bytes.
# Single precision is copied for products only, which want it rounded to tfloat32.
ELEMENTS = {"float16": 6, "float32": 11, "float64": 8, "bfloat16": 9, "tfloat32": 7}
UINT8 = 0
SWIZZLES = {32: 1, 64: 2, SWIZZLED_BYTES: 3}  # CUtensorMapSwizzle by the bytes of a row
L2_128_BYTES = 2  # CUtensorMapL2promotion
LEAST_STRIDE = 16  # bytes
# A part of an array is seen as the last elements of an axis with END of them, so that it ends where the descriptor does. Two more axes lead to where
# it lies: one in steps of 16 bytes, and one whose element END is END strides back. END * WRAPPING is 2^64, so addresses begin anew there.
END, WRAPPING, MOST = 1 << 30, 1 << 34, 0x7FFF0000


class Encoder:
    """Writes the descriptor for an array like `memory` at an address to a place in memory.

    Where there can be none, because the array is empty or its strides do not suit, `rank`
    is 0; it then writes zeros, and the kernel fetches in another way.
    """

    promotion = L2_128_BYTES

    def __init__(self, tensor_map: TensorMap, memory: Memory, encode: Callable | None = None):
        dtype, order = tensor_map.array.dtype, tensor_map.order
        axes = [tensor_map.column, tensor_map.row]
        axes += [axis for axis in reversed(range(len(order))) if axis not in axes]
        extents = [memory.shape[order[axis]] for axis in axes]
        strides = [_stride(memory, order[axis], dtype.bytes) for axis in axes[1:]]
        columns, rows = tensor_map.box
        suits = all(extents) and max(extents) <= 1 << 32
        if tensor_map.part is not None:
            cut = axes.index(order.index(tensor_map.part))
            stride = strides[cut - 1] = _true_stride(tensor_map, memory, tensor_map.part)
            suits = suits and extents[cut] <= END and 0 < stride < WRAPPING and extents[cut] * stride < MOST * LEAST_STRIDE
            extents[cut] = END
            extents, strides, axes = [*extents, MOST, MOST], [*strides, LEAST_STRIDE, WRAPPING - stride], [*axes, None, None]
        suits = suits and not any(s % LEAST_STRIDE or s >= 1 << 40 for s in strides)
        self.rank = len(axes) if suits else 0
        self.extents, self.strides = (ctypes.c_uint64 * len(axes))(*extents), (ctypes.c_uint64 * len(strides))(*strides)
        self.box, self.steps = (ctypes.c_uint32 * len(axes))(columns, rows, *[1] * (len(axes) - 2)), (ctypes.c_uint32 * len(axes))(*[1] * len(axes))
        self.element, self.swizzle = ELEMENTS.get(dtype.name, UINT8), SWIZZLES[columns * dtype.bytes]
        self._encode = (encode or _driver_encode()) if suits else None

    def __call__(self, address: int, place: int) -> None:
        if self._encode is None or self._encode(
            place, self.element, self.rank, address, self.extents, self.strides, self.box, self.steps, 0, self.swizzle, self.promotion, 0
        ):  # fmt: skip
            ctypes.memset(place, 0, MAP_BYTES)


def _stride(memory: Memory, axis: int, size: int) -> int:
    """Bytes between neighbours along an axis; for an axis of one element any number will do."""
    if memory.shape[axis] == 1:
        return max(LEAST_STRIDE, math.ceil(size / LEAST_STRIDE) * LEAST_STRIDE)
    return memory.strides[axis]


def _true_stride(tensor_map: TensorMap, memory: Memory, axis: int) -> int:
    """Bytes between neighbours as the kernel computes them."""
    if tensor_map.array.strides is None:
        return math.prod(memory.shape[axis + 1 :]) * tensor_map.array.dtype.bytes
    return memory.strides[axis]


def _driver_encode() -> Any:
    from tile2cpp.launch.cupy import driver

    function = driver().cuTensorMapEncodeTiled
    function.argtypes = (
        ctypes.c_void_p, ctypes.c_int, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
        ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int,
    )  # fmt: skip
    return function
