"""The C++ parameters of arrays and lists, and what the signature promises of them."""

from __future__ import annotations

from dataclasses import replace

from tile2cpp import dtypes
from tile2cpp.emitted import Parameter
from tile2cpp.lower.names import extent_name, length_name, pointer_name, stride_name
from tile2cpp.types import Array, ArrayList


def guarantees(name: str, array: Array) -> list[str]:
    """What the signature promises about an array, said to the compiler."""
    lines = [f"{pointer_name(name)} = ct::assume_aligned({pointer_name(name)}, {array.alignment}_ic);"] if array.alignment > array.dtype.bytes else []
    for axis, extent in enumerate(array.extents):
        if extent.value is None:
            lines.append(assumption(extent_name(name, axis), extent.divisor))
    for axis, stride in enumerate(array.strides or ()):
        if stride.value is None:
            lines.append(assumption(stride_name(name, axis), stride.divisor))
    return lines


def assumption(name: str, divisor: int) -> str:
    inner = f"ct::assume_divisible({name}, {divisor}_ic)" if divisor > 1 else name
    return f"{name} = ct::assume_bounded_below({inner}, 0_ic);"


def array_parameters(name: str, array: Array, position: int, written: bool) -> list[Parameter]:
    """Pointer, run-time extents and run-time strides of an array."""
    pointer = f"{array.dtype.cpp}*" if written else f"{array.dtype.cpp} const*"
    parameters = [Parameter(pointer_name(name), pointer, "pointer", position, array.dtype)]
    for axis, extent in enumerate(array.extents):
        if extent.value is None:
            parameters.append(Parameter(extent_name(name, axis), array.index_dtype.cpp, "extent", position, array.index_dtype, axis))
    for axis, stride in enumerate(array.strides or ()):
        if stride.value is None:
            parameters.append(Parameter(stride_name(name, axis), array.stride_dtype.cpp, "stride", position, array.stride_dtype, axis))
    return parameters


def list_parameters(name: str, arrays: ArrayList, position: int, written: bool) -> list[Parameter]:
    """Tables with one entry for each array of a list, for what an array has parameters for; then their length."""
    columns = [replace(p, cpp=f"{p.cpp} const*", role=f"{p.role}s") for p in array_parameters(name, arrays.element, position, written)]
    return [*columns, Parameter(length_name(name), "int", "length", position, dtypes.int32)]
