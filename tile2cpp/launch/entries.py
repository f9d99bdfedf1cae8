"""The data that `cpp/entry.hpp` reads, as ctypes structures: what a prepared launch compares its arguments with, and how they are asked."""

from __future__ import annotations

import ctypes
from ctypes import c_double, c_int, c_int32, c_int64, c_ubyte, c_uint64, c_void_p
from typing import Any

MOST_ENTRIES, MOST_BYTES, MOST_PARAMETERS, MOST_MAPS = 4, 1024, 96, 12  # those of entry.hpp
CONSTANT_INT, CONSTANT_BOOL, CONSTANT_FLOAT, INTEGER, NATURAL, BOOLEAN, SINGLE, REAL, ARRAY, TENSOR, ASKED_TENSOR = range(11)
READ_DESCRIPTOR = 54  # CPython's number of the slot tp_descr_get
HANDLES = ("ptr", "cuda_stream")  # the attributes that hold a stream's handle, of CuPy and of torch


class Attribute(ctypes.Structure):
    _fields_ = [("descriptor", c_void_p), ("get", c_void_p)]


class World(ctypes.Structure):
    """How arrays and the driver are asked; `kept` is what it points to."""

    _fields_ = [
        *((name, Attribute) for name in ("dtype", "size", "ndim", "_c_contiguous", "shape", "strides", "data", "ptr", "device_id")),
        *((name, c_void_p) for name in ("launch", "encode", "stream", "current_device", "describe", "stream_of", "stride", "get_device", "data_ptr", "ask_stream", "ask_device")),
        ("handles", c_void_p * 2), ("int_type", c_void_p), ("none", c_void_p), ("tensor_device", c_int),
    ]  # fmt: skip

    def __init__(self, **facts: Any):
        super().__init__(int_type=id(int), none=id(None), handles=tuple(map(id, HANDLES)), **facts)
        self.kept: list = [HANDLES]

    def can_read(self, name: str, kind: type) -> bool:
        """Read an attribute by the descriptor that a class has for it, if it has one."""
        owner = owner_of(kind, name)
        descriptor = vars(owner)[name] if owner is not None else None
        get = _slot(type(descriptor), READ_DESCRIPTOR) if descriptor is not None else None
        if not get:
            return False
        self.kept.append(descriptor)
        setattr(self, name, Attribute(id(descriptor), get))
        return True


class Argument(ctypes.Structure):
    _fields_ = [
        ("what", c_int), ("place", c_int), ("ndim", c_int), ("contiguous", c_int), ("type", c_void_p), ("expected", c_void_p), ("shape", c_void_p), ("strides", c_void_p),
        ("extents", c_void_p), ("low", c_int64), ("high", c_int64), ("rows", c_int64), ("value", c_double),
    ]  # fmt: skip


class Global(ctypes.Structure):
    _fields_ = [("mapping", c_void_p), ("key", c_void_p), ("value", c_void_p)]


class Map(ctypes.Structure):
    _fields_ = [
        *((name, c_int) for name in ("place", "type", "rank", "swizzle", "promotion", "next")), *((name, c_void_p) for name in ("extents", "strides", "box", "steps")),
        ("addresses", c_uint64 * 4), ("made", c_ubyte * 512),
    ]  # fmt: skip


class EntryData(ctypes.Structure):
    _fields_ = [
        *((name, c_void_p) for name in ("around", "arguments", "globals", "maps")), ("contents", c_void_p), ("offsets", c_void_p),
        ("owner", c_void_p), ("handle", c_void_p),
        *((name, c_int32) for name in ("argument_count", "watched_count", "map_count", "bytes", "parameters", "threads", "shared", "device", "most_blocks", "least_blocks", "multiprocessors")),
    ]  # fmt: skip


class TableData(ctypes.Structure):
    _fields_ = [("entries", c_void_p * MOST_ENTRIES), ("general", c_void_p), ("kernel", c_void_p), ("count", c_int)]


_slot = ctypes.pythonapi.PyType_GetSlot
_slot.argtypes, _slot.restype = (ctypes.py_object, c_int), c_void_p


def owner_of(kind: type, name: str) -> type | None:
    """The class that an attribute of `kind` comes from."""
    return next((base for base in kind.__mro__ if name in vars(base)), None)
