"""torch as far as a launch needs it: tensors in host memory that say they are on a GPU, and the table of functions for DLPack."""

import ctypes
from types import ModuleType, SimpleNamespace
from typing import NamedTuple

import numpy as np

from tile2cpp.launch.tensors import Exchange
from tile2cpp.signature import dlpack

CODES = {"i": 0, "u": 1, "f": 2}


class Size(tuple):
    """A shape."""


class Device(NamedTuple):
    type: str
    index: int | None


class TensorBase:
    """The attributes and methods that are asked; each asked one is noted in `asked`."""

    asked: list = []
    has_memory = True

    def __init__(self, array, device=0, requires_grad=False):
        self.array, self.number, self.requires_grad = array, device, requires_grad
        self.extents = (ctypes.c_int64 * array.ndim)(*array.shape)
        self.steps = (ctypes.c_int64 * array.ndim)(*self.stride())

    @property
    def dtype(self):
        self.asked.append("dtype")
        return self.array.dtype

    @property
    def shape(self):
        self.asked.append("shape")
        return Size(self.array.shape)

    @property
    def device(self):
        return Device("cpu", None) if self.number < 0 else Device("cuda", self.number)

    def stride(self):
        return tuple(s // self.array.itemsize for s in self.array.strides)

    def is_neg(self):
        return False

    def get_device(self):
        return self.number

    def data_ptr(self):
        if not self.has_memory:
            raise RuntimeError("a tensor without memory")
        return self.array.ctypes.data

    def element_size(self):
        return self.array.itemsize


def make(streams, with_table):
    """A `torch` module; `streams` are the current ones by device."""

    class Tensor(TensorBase):
        pass

    class Parameter(Tensor):
        pass

    Tensor.__module__ = Parameter.__module__ = "torch"
    module = ModuleType("torch")
    module.Tensor, module.nn = Tensor, SimpleNamespace(Parameter=Parameter)
    module._C = SimpleNamespace(_cuda_getCurrentRawStream=lambda device: streams[device])
    if with_table:
        Tensor.table = table(streams)  # keeps it
        Tensor.__dlpack_c_exchange_api__ = capsule(Tensor.table)
    return module


def table(streams):
    """DLPackExchangeAPI: an old one that nobody knows any more in front of the one that is used."""

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(dlpack.Tensor))
    def describe(tensor, found):
        if not tensor.has_memory:
            return -1
        integers = ctypes.POINTER(ctypes.c_int64)
        shape, strides = ctypes.cast(tensor.extents, integers), ctypes.cast(tensor.steps, integers)
        kind = (dlpack.CPU, 0) if tensor.number < 0 else (dlpack.CUDA, tensor.number)
        dtype = tensor.array.dtype
        found[0] = dlpack.Tensor(tensor.array.ctypes.data - 4, *kind, tensor.array.ndim, CODES[dtype.kind], 8 * dtype.itemsize, 1, shape, strides, 4)
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def stream_of(kind, device, found):
        found[0] = streams.get(device) if kind == dlpack.CUDA else None
        return 0 if device in streams else -1

    address = lambda function: ctypes.cast(function, ctypes.c_void_p).value  # noqa: E731
    known = Exchange(major=1, minor=3, describe=address(describe), stream_of=address(stream_of))
    newer = Exchange(major=2, older=ctypes.addressof(known))
    newer.kept = known, describe, stream_of
    return newer


def capsule(table, name=b"dlpack_exchange_api"):
    new = ctypes.pythonapi.PyCapsule_New
    new.argtypes, new.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
    return new(ctypes.addressof(table), name, None)


def on_gpu(module, array, device=0, **facts):
    return module.Tensor(np.asarray(array), device, **facts)
