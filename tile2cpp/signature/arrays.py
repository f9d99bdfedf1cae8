"""What an array argument is in memory, whichever library it comes from.

NumPy, CuPy and torch arrays are read by their own attributes, everything else through
DLPack or `__cuda_array_interface__`. No array library is imported here: an argument's type already
belongs to one that is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tile2cpp import dtypes
from tile2cpp.dtypes import DType
from tile2cpp.signature.parts import ArgumentTypeError, fail

HOST = "host"
DEVICE = "device"


@dataclass(frozen=True)
class Memory:
    """Where an array lies: `place` is HOST or DEVICE, `strides` count bytes.

    `device` is the number of the GPU, or None where only the driver knows it. `dtype`
    is None for elements that tile2cpp has no type for; `dtype_name` is what they are called.
    """

    dtype: DType | None
    dtype_name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    address: int
    place: str
    device: int | None = None
    writeable: bool = True

    def element_strides(self) -> tuple[int, ...]:
        """Strides in elements; that of an axis of one element means nothing, and counts as 0 unless it is 1."""
        size = self.dtype.bytes
        return tuple(s // size if n > 1 or s == size else 0 for n, s in zip(self.shape, self.strides))


def library(value: Any) -> str:
    """The top-level package of a value's type, such as "numpy"."""
    return type(value).__module__.partition(".")[0]


@lru_cache(maxsize=None)
def kind_of(kind: type) -> str:
    """How arrays of a type are read: "numpy", "cupy", "torch", "interface", "dlpack", or "" when they are none."""
    for base in kind.__mro__:
        if base.__name__ == "ndarray" and base.__module__.partition(".")[0] in ("numpy", "cupy"):
            return base.__module__.partition(".")[0]
    if kind.__module__.partition(".")[0] == "numpy":
        return ""  # its scalars
    # JAX has the CUDA interface on its type even for arrays on the CPU, so DLPack is asked first.
    for name, attribute in (("torch", "data_ptr"), ("dlpack", "__dlpack__"), ("interface", "__cuda_array_interface__")):
        if hasattr(kind, attribute):
            return name
    return ""


def is_array(value: Any) -> bool:
    """Whether `value` is an array of some library; NumPy's scalars are not."""
    return kind_of(type(value)) != ""


def memory(array: Any) -> Memory:
    """Read dtype, shape, strides and address of an array; TypeError when it offers none of the known ways."""
    kind = kind_of(type(array))
    if kind == "numpy":
        return Memory(_known(array.dtype), str(array.dtype), array.shape, array.strides, array.ctypes.data, HOST, None, array.flags.writeable)
    if kind == "cupy":
        return Memory(_known(array.dtype), str(array.dtype), array.shape, array.strides, array.data.ptr, DEVICE, array.data.device_id)
    if kind == "torch":
        return _torch(array)
    if kind == "interface":
        return _interface(array.__cuda_array_interface__)
    if kind == "dlpack":
        from tile2cpp.signature import dlpack

        dtype, name, shape, strides, address, on_gpu, device, writeable = dlpack.read(array)
        return Memory(dtype, name, shape, strides, address, DEVICE if on_gpu else HOST, device, writeable)
    raise TypeError(f"a {type(array).__name__} offers no address")


def row_major(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """The strides, in bytes, of a contiguous array."""
    return tuple(itemsize * math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def is_row_major(memory: Memory, itemsize: int) -> bool:
    """Whether elements follow each other without gaps; strides of size-1 axes mean nothing."""
    if 0 in memory.shape:
        return True
    expected = row_major(memory.shape, itemsize)
    return all(n == 1 or s == e for n, s, e in zip(memory.shape, memory.strides, expected))


def _known(numpy_dtype: Any) -> DType | None:
    """Our dtype of a NumPy dtype; None also for a foreign byte order."""
    return dtypes.as_dtype(numpy_dtype) if numpy_dtype.isnative else None


def may_wait_for_sign(tensor: Any) -> bool:
    """Whether a tensor of torch could stand for the negative of what its memory holds: only imaginary parts of complex numbers do.

    They lie two apart, but for axes of one element, whose steps mean nothing; one alone is the second of its two.
    """
    steps = [step for extent, step in zip(tensor.shape, tensor.stride()) if extent != 1]
    return all(step % 2 == 0 for step in steps) and (bool(steps) or tensor.data_ptr() // tensor.element_size() % 2 == 1)


def _torch(tensor: Any) -> Memory:
    if may_wait_for_sign(tensor) and tensor.is_neg():
        raise fail(ArgumentTypeError, "a tensor of torch whose sign is not in its memory, such as the imaginary part of a conjugate", "pass x.resolve_neg()")
    dtype, size = dtypes.as_dtype(tensor.dtype), tensor.element_size()
    strides = tuple(s * size for s in tensor.stride())
    on_device = tensor.device.type == "cuda"
    return Memory(dtype, str(tensor.dtype), tuple(tensor.shape), strides, tensor.data_ptr(), DEVICE if on_device else HOST, tensor.device.index)


def _interface(interface: dict) -> Memory:
    import numpy

    element = numpy.dtype(interface["typestr"])
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or row_major(shape, element.itemsize)
    address, read_only = interface["data"]
    return Memory(_known(element), str(element), shape, tuple(strides), address, DEVICE, None, not read_only)
