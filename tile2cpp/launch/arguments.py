"""Arguments of a launch: what is refused, which machine they belong to, and how they become C++ parameters.

A warm call reads each argument once: `Readers` gives the part of it that decides which
prepared launch fits, and the number to hand over. Only a call that finds nothing
prepared comes to the slower functions here.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any, Callable

from tile2cpp import dtypes
from tile2cpp.emitted import Parameter
from tile2cpp.signature import ArgumentOverflowError, ArgumentTypeError, ArgumentValueError, arrays, fail, run_time
from tile2cpp.signature.arrays import DEVICE, HOST, Memory

LARGEST_GRID = 2**24 - 1
# How struct writes a value; elements that it has no letter for are passed as their bits.
FORMATS = {
    "bool_": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q",
    "float16": "e", "bfloat16": "H", "float32": "f", "float64": "d", "tfloat32": "f", "float8_e4m3fn": "B", "float8_e5m2": "B",
}  # fmt: skip
SLOT = 8  # bytes; no parameter is larger


def check_grid(grid: Any) -> tuple[int, int, int]:
    """A grid as three numbers."""
    if type(grid) is tuple and len(grid) == 1:  # the usual one, on every launch
        (blocks,) = grid
        if type(blocks) is int and 0 <= blocks <= LARGEST_GRID:
            return blocks, 1, 1
    elif type(grid) is tuple and len(grid) <= 3:
        for blocks in grid:
            if type(blocks) is not int or not 0 <= blocks <= LARGEST_GRID:
                break
        else:
            return grid if len(grid) == 3 else (*grid, 1, 1, 1)[:3]
    return _refuse_grid(grid)


def _refuse_grid(grid: Any) -> tuple[int, int, int]:
    """The error that fits; NumPy's integers are accepted after all."""
    if not isinstance(grid, tuple):
        hint = f"write ({grid},)" if isinstance(grid, int) else f"write {tuple(grid)!r}" if isinstance(grid, list) else "such as (16,) or (16, 16)"
        raise fail(ArgumentTypeError, f"the grid must be a tuple of up to three ints, not {grid!r}", hint)
    if len(grid) > 3:
        raise fail(ArgumentValueError, f"a grid has at most three dimensions, and {grid!r} has {len(grid)}")
    whole = []
    for axis, blocks in enumerate(grid):
        if isinstance(blocks, float) or not hasattr(blocks, "__index__"):
            raise fail(ArgumentTypeError, f"grid axis {axis} must be an int, not {blocks!r}", "ct.cdiv(n, tile) is the number of tiles that cover n elements")
        number = blocks.__index__()
        if number < 0:
            raise fail(ArgumentOverflowError, f"grid axis {axis} must not be negative, but it is {number}")
        if number > LARGEST_GRID:
            raise fail(ArgumentValueError, f"grid axis {axis} is {number}, and the largest grid axis is {LARGEST_GRID}")
        whole.append(number)
    return (*whole, 1, 1, 1)[:3]


def check_count(name: str, names: tuple[str, ...], given: int) -> None:
    if given != len(names):
        listed = f"{name}({', '.join(names)})"
        hint = "defaults do not apply at the launch" if given < len(names) else ""
        raise fail(ArgumentTypeError, f"{listed} takes {len(names)} argument{'s' * (len(names) != 1)}, but {given} {'was' if given == 1 else 'were'} passed", hint)


# --- reading arguments ---------------------------------------------------------------


class Readers(dict):
    """By type: a function from an argument to (what decides the prepared launch, the number to pass)."""

    def __missing__(self, kind: type) -> Callable:
        self[kind] = found = {
            "numpy": _read_numpy, "cupy": _read_cupy, "torch": _read_torch, "interface": _read_interface, "dlpack": _read_dlpack,
        }.get(arrays.kind_of(kind)) or (_read_bits if kind.__module__.partition(".")[0] == "ml_dtypes" else _read_scalar)  # fmt: skip
        return found


def _read_scalar(value):
    return type(value), value


def _read_bits(value):
    import numpy

    raw = numpy.asarray(value)
    return type(value), int(raw.view(f"u{raw.itemsize}"))


def _read_numpy(array):
    address = array.__array_interface__["data"][0]
    return (array.dtype, array.shape, array.strides, array.flags.writeable, address & 15), address


def _read_cupy(array):
    data = array.data
    address = data.ptr
    return (array.dtype, array.shape, array.strides, data.device_id, address & 15), address


def _read_torch(tensor):
    address = tensor.data_ptr()
    return (tensor.dtype, tensor.shape, tensor.stride(), tensor.device, tensor.requires_grad, address & 15), address


def _read_interface(array):
    memory = arrays.memory(array)
    return (memory.dtype, memory.shape, memory.strides, _device_of(memory.address), memory.writeable, memory.address & 15), memory.address


def _read_dlpack(array):
    return readers[type(plain := as_plain(array))](plain)


readers = Readers()


def as_plain(array: Any) -> Any:
    """An array that only offers DLPack, as a CuPy or NumPy array over the same memory."""
    if arrays.kind_of(type(array)) != "dlpack":
        return array
    if array.__dlpack_device__()[0] == 1:  # the CPU
        import numpy

        return numpy.from_dlpack(array)
    from tile2cpp.launch import cupy

    return cupy.from_dlpack(array)


def _device_of(address: int) -> int:
    from tile2cpp.launch import cupy

    return cupy.device_of(address)


def constant_key(value: Any) -> Any:
    """What tells constants apart: 1, True and 1.0 differ, and so do 0.0 and -0.0."""
    return (int, value) if type(value) is int else (type(value), repr(value))


# --- which machine -------------------------------------------------------------------


def place_of(names: tuple[str, ...], memories: list[Memory | None]) -> tuple[str | None, int | None]:
    """Where all arrays lie: (HOST, None), (DEVICE, number), or (None, None) when there are none."""
    first = None
    for position, memory in enumerate(memories):
        if memory is None:
            continue
        if memory.place == DEVICE and memory.device is None:
            memory = _with_device(memory)
        here = (memory.place, memory.device)
        if first is None:
            first, first_name = here, names[position]
        elif here != first:
            raise fail(
                ArgumentValueError,
                f"all arrays of a launch must lie on one device, but parameter `{first_name}` is on {_named(*first)} and parameter {position} (`{names[position]}`) on {_named(*here)}",
                "move one of them: cupy.asarray(x) or x.get()" if HOST in (here[0], first[0]) else "",
            )  # fmt: skip
    return first or (None, None)


def _with_device(memory: Memory) -> Memory:
    from dataclasses import replace

    return replace(memory, device=_device_of(memory.address))


def _named(place: str, device: int | None) -> str:
    return "the CPU" if place == HOST else f"GPU {device}"


# --- C++ parameters ------------------------------------------------------------------


class Slot:
    """Memory for the parameters of one launch, and the addresses of each. `config` belongs to the backend."""

    __slots__ = ("address", "buffer", "config", "config_address", "pointers")

    def __init__(self, contents: bytes, offsets: list[int]):
        self.buffer = ctypes.create_string_buffer(contents, len(contents))
        start = ctypes.addressof(self.buffer)
        self.pointers = (ctypes.c_void_p * max(1, len(offsets)))(*(start + offset for offset in offsets))
        self.address = ctypes.addressof(self.pointers)
        self.config = None


class Packing:
    """Where each C++ parameter comes from, for arrays of certain shapes.

    The numbers of a call (addresses and scalars, in the order of the Python arguments)
    come first in a slot; extents and strides stand behind them and never change.
    """

    def __init__(self, parameters: tuple[Parameter, ...], names: tuple[str, ...], fixed: tuple[bool, ...], memories: list[Memory | None]):
        self.names, self.dtypes = [n for n, f in zip(names, fixed) if not f], []
        place, codes, scalars = {}, [], {p.argument: p.dtype for p in parameters if p.role == "scalar"}
        for position, is_fixed in enumerate(fixed):
            if is_fixed:
                continue
            place[position] = SLOT * len(codes)
            dtype = None if memories[position] else scalars.get(position)
            code = "Q" if memories[position] else FORMATS[dtype.name] if dtype else f"{SLOT}x"
            self.dtypes.append(dtype)
            codes.append(code + "x" * (SLOT - struct.calcsize(f"<{code}")))
        self.unused = [i for i, code in enumerate(codes) if code == f"{SLOT}x"]
        self._write = struct.Struct("<" + "".join(codes)).pack_into
        contents, self._offsets = bytearray(SLOT * len(codes)), []
        for parameter in parameters:
            if parameter.role in ("pointer", "scalar"):
                self._offsets.append(place[parameter.argument])
                continue
            self._offsets.append(len(contents))
            contents += struct.pack("<q", _extent(parameter, memories[parameter.argument]))
        self._contents, self._free = bytes(contents), []
        self.give_back = self._free.append

    def take(self, values: list) -> Slot:
        """A slot with `values` in it; threads that launch at the same time get different ones."""
        try:
            slot = self._free.pop()
        except IndexError:
            slot = Slot(self._contents, self._offsets)
        if self.unused:
            values = [v for i, v in enumerate(values) if i not in self.unused]
        try:
            self._write(slot.buffer, 0, *values)
        except (struct.error, OverflowError):
            self._write(slot.buffer, 0, *self._fitted(values))
        return slot

    def _fitted(self, values: list) -> list:
        """Floats too large for their width become infinite; integers are refused by name."""
        import numpy

        known = [(n, d) for i, (n, d) in enumerate(zip(self.names, self.dtypes)) if i not in self.unused]
        for number, (name, dtype) in enumerate(known):
            if dtype is not None and dtype.is_float and dtype.bits < 64 and dtype is not dtypes.bfloat16:
                with numpy.errstate(over="ignore"):
                    values[number] = float(numpy.asarray(values[number]).astype(dtype.numpy))
            elif dtype is not None:
                run_time(f"parameter `{name}`", values[number])
        return values


def _extent(parameter: Parameter, memory: Memory) -> int:
    if parameter.role == "extent":
        return memory.shape[parameter.axis]
    return memory.strides[parameter.axis] // memory.dtype.bytes


def check_written(parameters: tuple[Parameter, ...], names: tuple[str, ...], memories: list[Memory | None]) -> None:
    """Refuse read-only arrays for parameters that the kernel writes to."""
    for parameter in parameters:
        memory = memories[parameter.argument]
        if parameter.role == "pointer" and "const" not in parameter.cpp and not memory.writeable:
            raise fail(ArgumentValueError, f"the kernel writes to parameter {parameter.argument} (`{names[parameter.argument]}`), but this array is read-only", "pass a copy")
