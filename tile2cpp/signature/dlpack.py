"""Reads arrays that offer DLPack, of any library and element type.

Only the description is read; the capsule is given back at once. What it describes stays
where it is as long as the array that offered it.
"""

from __future__ import annotations

import ctypes
from typing import Any

from tile2cpp import dtypes

CPU, CUDA, PINNED, MANAGED = 1, 2, 3, 13
NAMES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool", 10: "float8_e4m3fn", 12: "float8_e5m2", 14: "float8_e8m0fnu"}
READ_ONLY = 1


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64), ("tensor", Tensor),
    ]  # fmt: skip


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = (ctypes.py_object, ctypes.c_char_p)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p


def pointer_in(capsule: Any, name: bytes) -> int | None:
    """What a capsule of this name holds; None of anything else."""
    return _pointer(capsule, name) if capsule is not None and _is_valid(capsule, name) else None


def read(array: Any) -> tuple[dtypes.DType | None, str, tuple[int, ...], tuple[int, ...], int, bool, int | None, bool]:
    """Dtype and its name, shape, strides in bytes, address, whether it lies on a GPU, which, and whether it may be written."""
    try:
        capsule = array.__dlpack__(max_version=(1, 0))
    except TypeError:  # made before versions were
        capsule = array.__dlpack__()
    writeable = True
    if _is_valid(capsule, b"dltensor_versioned"):
        managed = Versioned.from_address(_pointer(capsule, b"dltensor_versioned"))
        tensor, writeable = managed.tensor, not managed.flags & READ_ONLY
    else:
        tensor = Tensor.from_address(_pointer(capsule, b"dltensor"))
    size = tensor.bits // 8
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(s * size for s in tensor.strides[: tensor.ndim]) if tensor.strides else _row_major(shape, size)
    name = _name(tensor)
    on_gpu = tensor.device_type in (CUDA, MANAGED)
    return dtypes.BY_NAME.get(name), name, shape, strides, (tensor.data or 0) + tensor.byte_offset, on_gpu, tensor.device_id if on_gpu else None, writeable


def _row_major(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    from tile2cpp.signature.arrays import row_major

    return row_major(shape, size)


def _name(tensor: Tensor) -> str:
    name = NAMES.get(tensor.code, f"DLPack type {tensor.code}")
    name += str(tensor.bits) if tensor.code in (0, 1, 2, 4, 5) else ""
    return name if tensor.lanes == 1 else f"{name} with {tensor.lanes} lanes"
