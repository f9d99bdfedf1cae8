"""Tensors of torch in the C++ way of a launch: how they are asked, and what they are compared with.

torch offers a table of C functions (DLPack's exchange API, since torch 2.10) that describe a
tensor and name the current stream without an object of Python in between. Where there is
none, or where it says of a tensor what its attributes do not, attributes and methods are asked.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_int, c_int64, c_uint32, c_void_p
from typing import Any, Callable

from tile2cpp.launch.entries import ASKED_TENSOR, HANDLES, TENSOR, Argument, World
from tile2cpp.signature import arrays, dlpack

MAJOR = 1  # of DLPack
METHODS = ("stride", "get_device", "data_ptr")
DESCRIBE = ctypes.PYFUNCTYPE(c_int, ctypes.py_object, ctypes.POINTER(dlpack.Tensor))


class Exchange(ctypes.Structure):
    """DLPackExchangeAPI: its version, the table of an older one, its functions."""

    _fields_ = [("major", c_uint32), ("minor", c_uint32), *((name, c_void_p) for name in ("older", "allocate", "export", "take", "describe", "stream_of"))]


def is_known(kind: type) -> bool:
    """Whether tensors of a class are torch's own: other classes may have attributes of their own, which only Python asks."""
    if kind.__module__.partition(".")[0] != "torch":
        return False
    torch = sys.modules["torch"]
    return kind in (torch.Tensor, torch.nn.Parameter)


def argument(tensor: Any, place: int, kept: list) -> Argument | None:
    """What a tensor is compared with; None where another one like it could have a sign that its memory does not have."""
    if arrays.may_wait_for_sign(tensor):
        return None
    memory = arrays.memory(tensor)
    shape, strides = tuple(tensor.shape), tensor.stride()
    common = {"place": place, "ndim": len(shape), "type": id(type(tensor)), "high": memory.address & 15}
    described = _described(tensor, memory, shape, strides)
    if described is None:
        kept += [tensor.dtype, shape, strides]
        return Argument(what=ASKED_TENSOR, expected=id(tensor.dtype), shape=id(shape), strides=id(strides), **common)
    extents = (c_int64 * (2 * len(shape)))(*shape, *strides)
    kept.append(extents)
    return Argument(what=TENSOR, low=described, extents=ctypes.addressof(extents), **common)


def world(function: Any, stream: Callable) -> World | None:
    """How tensors are asked; `stream` gives torch's current stream."""
    kind, found = sys.modules["torch"].Tensor, World(**function.entrances())
    if not (found.can_read("dtype", kind) and found.can_read("shape", kind)):
        return None
    found.tensor_device, found.stream, found.ask_stream = function.device, None, id(stream)
    found.handles = tuple(map(id, reversed(HANDLES)))
    for name in METHODS:
        setattr(found, name, id(getattr(kind, name)))
    found.kept += [stream, [getattr(kind, name) for name in METHODS]]
    table = exchange(kind)
    if table is not None:
        found.describe, found.stream_of = table.describe, table.stream_of
    return found


def exchange(kind: type) -> Exchange | None:
    """The functions that a class of tensors offers, if they are of the DLPack that is known here."""
    address = dlpack.pointer_in(getattr(kind, "__dlpack_c_exchange_api__", None), b"dlpack_exchange_api")
    while address:
        found = Exchange.from_address(address)
        if found.major == MAJOR:
            return found if found.describe and found.stream_of else None
        address = found.older
    return None


def _described(tensor: Any, memory: arrays.Memory, shape: tuple, strides: tuple) -> int | None:
    """DLPack's number of the dtype, if torch's functions say of a tensor what its attributes do."""
    table, said = exchange(sys.modules["torch"].Tensor), dlpack.Tensor()
    try:
        if table is None or DESCRIBE(table.describe)(tensor, said):
            return None
    except Exception:  # what DLPack has no word for
        return None
    rank = len(shape)
    if said.ndim != rank or (rank and not (said.shape and said.strides)):
        return None
    told = ((said.data or 0) + said.byte_offset, said.device_type, said.device_id, *((tuple(said.shape[:rank]), tuple(said.strides[:rank])) if rank else ((), ())))
    return said.code | said.bits << 8 | said.lanes << 16 if told == (memory.address, dlpack.CUDA, memory.device, shape, strides) else None
