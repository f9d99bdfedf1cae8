"""How the arguments of a launch become the C++ parameters of a kernel."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import Any, Callable, Sequence

from tile2cpp import dtypes
from tile2cpp.emitted import Parameter, TensorMap
from tile2cpp.signature import ArgumentValueError, Signature, arrays, at, fail, leaves, named, run_time
from tile2cpp.signature.arrays import Memory
from tile2cpp.signature.rules import Rule
from tile2cpp.types import Array, ArrayList, Tile

# How struct writes a value; elements that it has no letter for are passed as their bits.
FORMATS = {
    "bool_": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I", "uint64": "Q",
    "float16": "e", "bfloat16": "H", "float32": "f", "float64": "d", "tfloat32": "f", "float8_e4m3fn": "B", "float8_e5m2": "B", "float8_e8m0fnu": "B",
}  # fmt: skip
SLOT = 8  # bytes; no parameter is larger
MOST_BLOCKS = 2**31 - 1  # along axis 0; the hardware's limit
MAP_BYTES = 128  # of a descriptor, and its alignment


@dataclass(frozen=True)
class Leaf:
    """One thing that is passed at run time: the way to it, what the author calls it, and where its memory lies.

    `memory` is one `Memory` for an array, a tuple of them for a list, None for a scalar.
    """

    argument: int
    path: tuple[int, ...]
    name: str
    kind: Array | ArrayList | Tile
    memory: Any

    @property
    def memories(self) -> tuple[Memory, ...]:
        return self.memory if isinstance(self.memory, tuple) else () if self.memory is None else (self.memory,)


def leaves_of(signature: Signature, args: tuple) -> list[Leaf]:
    """The leaves of a call, in the order in which their numbers are read."""
    found = []
    for argument, (name, kind, value) in enumerate(zip(signature.names, signature.types, args)):
        for path, leaf in leaves(kind):
            item = at(value, path)
            memory = arrays.memory(item) if isinstance(leaf, Array) else tuple(map(arrays.memory, item)) if isinstance(leaf, ArrayList) else None
            found.append(Leaf(argument, path, named(name, path), leaf, memory))
    return found


class Slot:
    """Memory for the parameters of one launch, and the addresses of each. What it keeps alive, and `config`, belong to the backend."""

    __slots__ = ("address", "buffer", "config", "config_address", "grid", "kept", "mapped", "maps", "pointers", "_extents", "_room")

    def __init__(self, contents: bytes, offsets: list[int], maps: int = 0, walks: bool = False):
        self.buffer = ctypes.create_string_buffer(contents, len(contents))
        start = ctypes.addressof(self.buffer)
        self._room = ctypes.create_string_buffer((maps + 1) * MAP_BYTES)
        first = -(-ctypes.addressof(self._room) // MAP_BYTES) * MAP_BYTES
        self.maps = [first + MAP_BYTES * number for number in range(maps)]
        self._extents, self.grid = (ctypes.c_uint32 * 3)(), None  # of the grid, where the kernel walks over it
        last = [ctypes.addressof(self._extents)] if walks else []
        self.pointers = (ctypes.c_void_p * max(1, len(offsets) + maps + walks))(*(start + offset for offset in offsets), *self.maps, *last)
        self.address = ctypes.addressof(self.pointers)
        self.config = self.kept = None
        self.mapped = [0] * maps  # the addresses that the descriptors are for

    def walk(self, grid: tuple[int, int, int]) -> None:
        """Brings the extents of the grid up to date."""
        self._extents[:] = grid
        self.grid = grid


class Table:
    """The columns of a list parameter in one block of memory: addresses first, which change from call to call."""

    def __init__(self, leaf: Leaf, columns: list[Parameter]):
        self.count = len(leaf.memory)
        self._addresses = struct.Struct(f"<{self.count}Q").pack
        self._rest, self._offsets = b"", []
        for column in columns:
            if column.role == "pointers":
                self._offsets.append(0)
                continue
            self._offsets.append(SLOT * self.count + len(self._rest))
            numbers = [_extent(column, memory) for memory in leaf.memory]
            packed = struct.pack(f"<{self.count}{FORMATS[column.dtype.name]}", *numbers)
            self._rest += packed + bytes(-len(packed) % SLOT)

    def contents(self, addresses: Sequence[int]) -> bytes:
        return self._addresses(*addresses) + self._rest

    def columns(self, block: int) -> list[int]:
        return [block + offset for offset in self._offsets]


def _pieces(rows: tuple, found: list[Leaf]) -> int:
    """The blocks that can have something to do, as `Schedule.rows` says; 0 where that does not say it."""
    name, axis, each = rows or ("", 0, 1)
    memory = next((leaf.memory for leaf in found if leaf.name == name and isinstance(leaf.memory, Memory)), None)
    return min(-(-memory.shape[axis] // each), MOST_BLOCKS) if memory is not None and axis < len(memory.shape) else 0


class Packing:
    """Where each C++ parameter comes from, for arrays of certain shapes.

    The numbers of a call (addresses and scalars) come first in a slot; extents and
    strides stand behind them and never change. `maps` are descriptors, which follow the
    parameters, each with the function that writes it for an address; where the kernel `walks`, the extents of the
    grid come last. `least_blocks` along axis 0: fewer of a grid would deal rows out beforehand. `place` puts the table of a list where
    the kernel can read it, and returns its address and what keeps it there.
    """

    refused = (struct.error, OverflowError)  # by `write`: a number that does not fit

    def __init__(
        self, parameters: Sequence[Parameter], found: list[Leaf], rules: Sequence[Rule], place: Callable[[bytes, Any], tuple[int, Any]],
        maps: Sequence[tuple[TensorMap, Callable]] = (), walks: bool = False, rows: tuple = (),
    ):  # fmt: skip
        self.walks, self.least_blocks = walks, _pieces(rows, found)
        self._leaves, self._rules, self._place = found, rules, place
        self._tables: list[tuple[int, Table]] = []
        by_leaf: dict[tuple, list[Parameter]] = {}
        for parameter in parameters:
            by_leaf.setdefault((parameter.argument, parameter.path), []).append(parameter)
        codes: list[str] = []
        offsets: dict[tuple, int] = {}
        for number, leaf in enumerate(found):
            for parameter in self._changing(number, leaf, by_leaf.get((leaf.argument, leaf.path), [])):
                offsets[id(parameter)] = SLOT * len(codes)
                code = "Q" if parameter.is_memory else FORMATS[parameter.dtype.name]
                codes.append(code + "x" * (SLOT - struct.calcsize(f"<{code}")))
        self.write = struct.Struct("<" + "".join(codes)).pack_into
        contents, self.offsets = bytearray(SLOT * len(codes)), []
        memories = {(leaf.argument, leaf.path): leaf.memory for leaf in found}
        for parameter in parameters:
            if id(parameter) not in offsets:
                memory = memories[parameter.argument, parameter.path]
                offsets[id(parameter)] = len(contents)
                contents += struct.pack("<q", len(memory) if parameter.role == "length" else _extent(parameter, memory))
            self.offsets.append(offsets[id(parameter)])
        self.contents, self.formats, self.free = bytes(contents), [code.strip("x") for code in codes], []
        pointers = {(p.argument, p.path): offsets[id(p)] // SLOT for p in parameters if p.role == "pointer"}
        self.maps = [(pointers[m.argument, m.path], write) for m, write in maps]
        self.give_back = self.free.append
        self.is_plain = not self._tables  # every number stands in a slot as it was read

    def _changing(self, number: int, leaf: Leaf, parameters: list[Parameter]) -> list[Parameter]:
        """The parameters of a leaf whose numbers every call brings anew."""
        if isinstance(leaf.kind, ArrayList):
            columns = [p for p in parameters if p.is_memory]
            self._tables.append((number, Table(leaf, columns)))
            return columns
        return [p for p in parameters if p.role in ("pointer", "scalar")]

    def take(self, values: list, stream: Any = None) -> Slot:
        """A slot with `values` in it; threads that launch at the same time get different ones."""
        try:
            slot = self.free.pop()
        except IndexError:
            slot = self.make()
        if self._tables:
            values, slot.kept = self._with_tables(values, stream)
        try:
            self.write(slot.buffer, 0, *values)
        except self.refused:
            self.write(slot.buffer, 0, *self._fitted(values))
        if self.maps:
            self.map(slot, values)
        return slot

    def map(self, slot: Slot, values: Sequence) -> None:
        """Brings the descriptors of a slot up to date."""
        for number, (position, write) in enumerate(self.maps):
            address = values[position]
            if slot.mapped[number] != address:
                write(address, slot.maps[number])
                slot.mapped[number] = address

    def make(self) -> Slot:
        """A new slot, with what never changes in it."""
        return Slot(self.contents, self.offsets, len(self.maps), self.walks)

    def _with_tables(self, values: list, stream: Any) -> tuple[list, list]:
        values, kept = list(values), []
        for number, table in reversed(self._tables):
            block, keeper = self._place(table.contents(values[number]), stream)
            kept.append(keeper)
            values[number : number + 1] = table.columns(block)
        return values, kept

    def _fitted(self, values: list) -> list:
        """Floats too large for their width become infinite; integers are refused by name."""
        import numpy

        position = 0
        for leaf in self._leaves:
            if isinstance(leaf.kind, Tile):
                dtype = leaf.kind.dtype
                if dtype.is_float and dtype.bits < 64 and dtype is not dtypes.bfloat16:
                    with numpy.errstate(over="ignore"):
                        values[position] = float(numpy.asarray(values[position]).astype(dtype.numpy))
                else:
                    rule = self._rules[leaf.argument]
                    for step in leaf.path:
                        rule = rule.item(step)
                    run_time(f"parameter {leaf.argument} (`{leaf.name}`)", values[position], rule)
            position += 1 + sum(len(t._offsets) - 1 for n, t in self._tables if self._leaves[n] is leaf)
        return values


def in_host_memory(contents: bytes, stream: Any) -> tuple[int, Any]:
    """A table for kernels that run on the CPU."""
    buffer = ctypes.create_string_buffer(contents, len(contents))
    return ctypes.addressof(buffer), buffer


def _extent(parameter: Parameter, memory: Memory) -> int:
    if parameter.role in ("extent", "extents"):
        return memory.shape[parameter.axis]
    return memory.element_strides()[parameter.axis]


def check_written(parameters: Sequence[Parameter], found: list[Leaf]) -> None:
    """Refuse read-only arrays for parameters that the kernel writes to."""
    by_place = {(leaf.argument, leaf.path): leaf for leaf in found}
    for parameter in parameters:
        if parameter.role not in ("pointer", "pointers") or "const*" in parameter.cpp.removesuffix(" const*" if parameter.role == "pointers" else ""):
            continue
        leaf = by_place[parameter.argument, parameter.path]
        if not all(memory.writeable for memory in leaf.memories):
            what = "an array of this list" if isinstance(leaf.kind, ArrayList) else "this array"
            raise fail(ArgumentValueError, f"the kernel writes to parameter {leaf.argument} (`{leaf.name}`), but {what} is read-only", "pass a copy")

