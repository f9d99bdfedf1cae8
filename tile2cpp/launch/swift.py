"""The quick way of a launch in C++: what `quick.py` says as Python, said as data that `cpp/entry.hpp` reads.

Each prepared launch of plain numbers and arrays of CuPy, or tensors of torch, gets an `Entry`: its arguments, the
globals that the kernel reads, where each number goes, what is launched. A kernel has a
`Table` of its latest entries, and two functions made for that table: one makes
`kernel[grid]`, one starts a launch. Both compare the arguments with the entries and go
straight to the driver; whatever is like no entry takes the way through Python. An entry
says nothing that `quick.py` does not: neither decides which launch fits.
"""

from __future__ import annotations

import ctypes
import math
import threading
import weakref
from ctypes import c_int32
from typing import Any, Callable, Sequence

from tile2cpp.emitted import Watched
from tile2cpp.launch import default_backend, library, tensors
from tile2cpp.launch.entries import (
    ARRAY, BOOLEAN, CONSTANT_BOOL, CONSTANT_FLOAT, CONSTANT_INT, INTEGER, MOST_BYTES, MOST_ENTRIES, MOST_MAPS, MOST_PARAMETERS, NATURAL, REAL, SINGLE,
    Argument, Attribute, EntryData, Global, Map, TableData, World, owner_of,
)  # fmt: skip
from tile2cpp.launch.packing import SLOT, Packing
from tile2cpp.signature import Rule, arrays

BITS = {"b": 8, "h": 16, "i": 32, "q": 64, "B": 8, "H": 16, "I": 32, "Q": 64}


class Entry:
    """A prepared launch as data; it keeps all that the data points to."""

    def __init__(self, function: Any, world: World, arguments: list[Argument], watched: list[Global], packing: Packing, kept: list):
        maps = (Map * len(packing.maps))(*(_map(position, encoder) for position, encoder in packing.maps))
        contents, offsets = ctypes.create_string_buffer(packing.contents, len(packing.contents)), (c_int32 * len(packing.offsets))(*packing.offsets)
        described = (Argument * len(arguments))(*arguments), (Global * len(watched))(*watched)
        self._kept = [function, packing, world, maps, contents, offsets, described, kept]
        addresses = map(ctypes.addressof, (world, *described, maps, contents, offsets))
        device = -1 if function.is_alone else function.device
        self._data = EntryData(
            *addresses, id(self), function.handle, len(arguments), len(watched), len(maps), len(packing.contents), len(packing.offsets), function.threads, function.shared, device, function.most_blocks, packing.least_blocks, function.multiprocessors,
        )  # fmt: skip
        self.address = ctypes.addressof(self._data)


def entry(
    function: Any, packing: Packing, stream: Callable | None, args: tuple, rules: Sequence[Rule], watched: Sequence[Watched], backend: str | None,
) -> Entry | None:  # fmt: skip
    """The entry for launches like this one, or None where only Python knows how to compare the arguments.

    `stream` gives torch's current stream, where that counts.
    """
    if not library.is_possible() or not packing.is_plain or len(args) > 64:
        return None
    if len(packing.contents) > MOST_BYTES or len(packing.offsets) > MOST_PARAMETERS or len(packing.maps) > MOST_MAPS:
        return None
    kept: list = [backend, vars(default_backend)]
    found, kinds, formats = [], set(), iter(enumerate(packing.formats))
    for value, rule in zip(args, rules):
        argument = _constant(value, kept) if rule.constant else _number(value, *next(formats)) if type(value) in (int, float, bool) else _array(value, rule, *next(formats), kept)
        if argument is None:
            return None
        if argument.what >= ARRAY:
            kinds.add((type(value), type(value.data)) if argument.what == ARRAY else None)
        found.append(argument)
    if len(kinds) != 1 or any(type(w.mapping) is not dict for w in watched):
        return None
    of_arrays = kinds.pop()
    world = _world(function, *of_arrays) if of_arrays else tensors.world(function, stream)
    if world is None:
        return None
    kept += [(w.mapping, w.key, w.value) for w in watched] + [[type(value) for value in args], "name"]
    globals_ = [Global(id(kept[1]), id(kept[-1]), id(backend)), *(Global(id(w.mapping), id(w.key), id(w.value)) for w in watched)]
    return Entry(function, world, found, globals_, packing, kept)


def _constant(value: Any, kept: list) -> Argument | None:
    kind = type(value)
    kept.append(value)
    common = {"type": id(kind), "expected": id(value)}
    if kind is bool:
        return Argument(what=CONSTANT_BOOL, **common)
    if kind is int and -(2**63) <= value < 2**63:
        return Argument(what=CONSTANT_INT, low=value, **common)
    if kind is float and value and value == value:  # zeros have signs
        return Argument(what=CONSTANT_FLOAT, value=value, **common)
    return None


def _number(value: Any, number: int, form: str) -> Argument | None:
    common = {"type": id(type(value)), "place": SLOT * number}
    if type(value) is float:
        return Argument(what={"f": SINGLE, "d": REAL}[form], **common) if form in "fd" else None
    if form == "?":
        return Argument(what=BOOLEAN, **common) if type(value) is bool else None
    if type(value) is not int or form not in BITS:
        return None
    if form == "Q":
        return Argument(what=NATURAL, **common)
    low, high = (0, 2 ** BITS[form] - 1) if form.isupper() else (-(2 ** (BITS[form] - 1)), 2 ** (BITS[form] - 1) - 1)
    return Argument(what=INTEGER, low=low, high=high, **common)


def _array(value: Any, rule: Rule, number: int, form: str, kept: list) -> Argument | None:
    if rule.array is not None:
        return None
    if tensors.is_known(type(value)):
        return tensors.argument(value, SLOT * number, kept)
    if arrays.kind_of(type(value)) != "cupy":
        return None
    memory = arrays.memory(value)
    dtype, shape, strides = value.dtype, memory.shape, memory.strides
    kept += [type(value), dtype, shape, strides]
    contiguous = bool(getattr(value, "_c_contiguous", False))
    extents = {"low": math.prod(shape), "rows": shape[0]} if _says_extents(type(value), shape) else {"shape": id(shape)}
    return Argument(
        what=ARRAY, place=SLOT * number, ndim=len(shape), contiguous=contiguous, type=id(type(value)), expected=id(dtype), strides=id(strides),
        high=memory.address & 15, **extents,
    )  # fmt: skip


def _says_extents(kind: type, shape: tuple[int, ...]) -> bool:
    """Whether rank, size and length say what the shape is: CuPy has them without making a tuple."""
    return len(shape) == 1 or (len(shape) == 2 and 0 not in shape and owner_of(kind, "__len__") is owner_of(kind, "shape"))


def _map(position: int, encoder: Any) -> Map:
    found = Map(place=SLOT * position, rank=encoder.rank, type=encoder.element, swizzle=encoder.swizzle, promotion=encoder.promotion)
    for name in ("extents", "strides", "box", "steps"):
        setattr(found, name, ctypes.addressof(getattr(encoder, name)))
    return found


def _world(function: Any, kind: type, memory: type) -> World | None:
    """How arrays of CuPy are asked: by the descriptors of their class, where it has all of them."""
    owners, world = {"ptr": memory, "device_id": memory}, World(**function.entrances())
    names = [name for name, kind_of_field in World._fields_ if kind_of_field is Attribute]
    return world if all(world.can_read(name, owners.get(name, kind)) for name in names) else None


class Table:
    """The latest entries of a kernel; `functions` are what its calls use once the library is there."""

    def __init__(self, kernel: Any):
        self._entries: list[Entry] = []  # all that the data points to
        self._lock = threading.Lock()
        self._general = lambda *rest: kernel._start_in_python(*rest)
        self._data = TableData(general=id(self._general), kernel=id(kernel))

    def prefer(self, entry: Entry) -> None:
        """Ask this one first from now on; while another one is made the first, leave it at that."""
        if self._entries[:1] == [entry] or not self._lock.acquire(blocking=False):
            return
        try:
            entries = [entry, *(other for other in self._entries if other is not entry)][:MOST_ENTRIES]
            self._data.count = 0  # nobody looks meanwhile
            for number, one in enumerate(entries):
                self._data.entries[number] = one.address
            self._data.count, self._entries = len(entries), entries
        finally:
            self._lock.release()

    def functions(self, loaded: Any) -> tuple[Any, Any]:
        return loaded.tile2cpp_functions(ctypes.addressof(self._data))


def never(*_: Any) -> None:
    """In place of both functions, while the library is not there."""


def attach(kernel: Any) -> None:
    """Give a kernel its two functions, now or when the library arrives."""
    kernel._launcher_for = kernel._swift = never
    library.loaded()
    weak = weakref.ref(kernel)

    def give(loaded: Any) -> None:
        found = weak()
        if found is not None:
            found._launcher_for, found._swift = found._table.functions(loaded)

    library.when_loaded(give)
