"""Arguments of a launch: what is refused, and which machine they belong to."""

from __future__ import annotations

import ctypes
from typing import Any

from tile2cpp.launch.packing import Leaf
from tile2cpp.signature import ArgumentOverflowError, ArgumentTypeError, ArgumentValueError, arrays, fail
from tile2cpp.signature.arrays import DEVICE, HOST, Memory

LARGEST_GRID = 2**24 - 1


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
            known_as = f"Grid[{axis}] exceeds 24-bit limit: max={LARGEST_GRID}, got={number}. Use multiple kernel launches for larger workloads."
            raise fail(ArgumentValueError, f"grid axis {axis} is {number}, and the largest grid axis is {LARGEST_GRID}", known_as=known_as)
        whole.append(number)
    return (*whole, 1, 1, 1)[:3]


def check_count(name: str, names: tuple[str, ...], given: int) -> None:
    if given != len(names):
        listed = f"{name}({', '.join(names)})"
        hint = "defaults do not apply at the launch" if given < len(names) else ""
        known_as = f"Kernel expects {len(names)} argument{'s' * (len(names) != 1)} but {given} {'was' if given == 1 else 'were'} given"
        raise fail(ArgumentTypeError, f"{listed} takes {len(names)} argument{'s' * (len(names) != 1)}, but {given} {'was' if given == 1 else 'were'} passed", hint, known_as)


# --- which machine -------------------------------------------------------------------


def as_plain(value: Any) -> Any:
    """Arguments with the arrays on the CPU that only offer DLPack as NumPy arrays over the same memory."""
    if type(value) in (tuple, list):
        return type(value)(map(as_plain, value))
    if arrays.kind_of(type(value)) != "dlpack" or value.__dlpack_device__()[0] not in (1, 3):
        return value
    import numpy

    memory = arrays.memory(value)
    if memory.dtype is None:
        return numpy.from_dlpack(value)
    if 0 in memory.shape:
        return numpy.empty(memory.shape, memory.dtype.numpy)
    # As integers first, since NumPy itself does not know all element types.
    first = numpy.frombuffer((ctypes.c_char * memory.dtype.bytes).from_address(memory.address), f"u{memory.dtype.bytes}")
    return numpy.lib.stride_tricks.as_strided(first, memory.shape, memory.strides, writeable=memory.writeable).view(memory.dtype.numpy)


def place_of(found: list[Leaf]) -> tuple[str | None, int | None]:
    """Where all arrays lie: (HOST, None), (DEVICE, number), or (None, None) when there are none."""
    first = None
    for leaf in found:
        for memory in leaf.memories:
            if memory.place == DEVICE and memory.device is None:
                memory = _with_device(memory)
            here = (memory.place, memory.device)
            if first is None:
                first, first_name = here, leaf.name
            elif here != first:
                raise fail(
                    ArgumentValueError,
                    f"all arrays of a launch must lie on one device, but parameter `{first_name}` is on {_named(*first)} and parameter {leaf.argument} (`{leaf.name}`) on {_named(*here)}",
                    "move one of them: cupy.asarray(x) or x.get()" if HOST in (here[0], first[0]) else "",
                )  # fmt: skip
    return first or (None, None)


def _with_device(memory: Memory) -> Memory:
    from dataclasses import replace

    from tile2cpp.launch import cupy

    return replace(memory, device=cupy.device_of(memory.address))


def _named(place: str, device: int | None) -> str:
    return "the CPU" if place == HOST else f"GPU {device}"
