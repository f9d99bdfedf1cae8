"""From a real argument to what a signature says of it."""

from __future__ import annotations

import re
from typing import Any

from tile2cpp import dtypes
from tile2cpp.annotations import ArrayAnnotation
from tile2cpp.signature import arrays
from tile2cpp.signature.parts import ArgumentOverflowError, ArgumentTypeError, ArgumentValueError, Fixed, Kind, fail
from tile2cpp.signature.rules import FREE, Rule
from tile2cpp.types import Array, ArrayList, Extent, Tile

DIVISORS = (16, 8)  # of extents and strides, which signatures speak of


def kind_of(about: str, value: Any, rule: Rule = FREE) -> Kind:
    """The kind of an argument; `about` is what errors call it, such as "parameter 0 (`x`)"."""
    if rule.conflict:
        raise fail(ArgumentTypeError, f"{about}: {rule.conflict}")
    if isinstance(value, tuple) and type(value) is not tuple:
        name = type(value).__name__
        known_as = f"Invalid {_in_cutile(about)}: '{name}' is a subclass of 'tuple'. Only plain tuples are accepted."
        raise fail(ArgumentTypeError, f"{about} is a `{name}`, and only plain tuples are taken apart", "pass tuple(...) of it", known_as)
    if rule.constant:
        return constant(about, value)
    if rule.items is not None or rule.rest is not None:
        _check_tuple(about, value, rule)
    if type(value) is tuple:
        if rule.int64 or rule.array is not None:
            raise fail(ArgumentTypeError, f"{about} is annotated as {_wanted(rule)}, but a tuple was passed", "annotate its items: tuple[..., ...]")
        return tuple(kind_of(f"{about[:-2]}[{i}]`)" if about.endswith("`)") else f"{about}[{i}]", item, rule.item(i)) for i, item in enumerate(value))
    if type(value) is list:
        return list_type(about, value, rule)
    return run_time(about, value, rule)


def _check_tuple(about: str, value: Any, rule: Rule) -> None:
    wanted = f"a tuple of {len(rule.items)}" if rule.items is not None else "a tuple"
    if type(value) is not tuple:
        raise fail(ArgumentTypeError, f"{about} is {what(value)}, but its annotation says {wanted}")
    if rule.items is not None and len(value) != len(rule.items):
        known_as = f"Received a tuple of length {len(value)} for a parameter annotated as a tuple of length {len(rule.items)}"
        raise fail(ArgumentTypeError, f"{about} is a tuple of {len(value)}, but its annotation says {wanted}", known_as=known_as)


def _in_cutile(about: str) -> str:
    """`kernel argument #2`, or `item #0 of kernel argument #2`, for "parameter 2 (`x[0]`)"."""
    number = re.search(r"\d+", about)
    items = "".join(f"item #{n} of " for n in reversed(re.findall(r"\[(\d+)\]", about)))
    return f"{items}kernel argument #{number[0] if number else '?'}"


def constant(about: str, value: Any) -> Fixed:
    """A compile-time argument: a bool, int, float or tuples of them."""
    for place, item in _leaves(value):
        if type(item) not in (bool, int, float):
            number = arrays.library(item) == "numpy" and not arrays.is_array(item)
            hint = f"pass {'bool' if item.dtype.kind == 'b' else 'float' if item.dtype.kind == 'f' else 'int'}(...)" if number and item.dtype.kind in "biuf" else ""
            raise fail(ArgumentTypeError, f"{about} is a constant: a bool, int, float or tuples of them, but {what(item)} was passed", hint, f"Invalid {_in_cutile(about + place)}: Could not interpret object of type '{type(item).__name__}' as a constant.")
        if type(item) is int and not -(2**63) <= item < 2**64:
            raise fail(ArgumentOverflowError, f"{about}: the constant {item} does not fit into 64 bits")
    return Fixed(value)


def _leaves(value: Any, place: str = ""):
    """The items of nested tuples, each with where it stands: "[0][1]"."""
    if type(value) is tuple:
        for position, item in enumerate(value):
            yield from _leaves(item, f"{place}[{position}]")
    else:
        yield place, value


def run_time(about: str, value: Any, rule: Rule = FREE) -> Array | Tile:
    """The type of a run-time argument: an array or a scalar."""
    if arrays.is_array(value):
        if rule.int64:
            raise fail(ArgumentTypeError, f"{about} is annotated as ct.ScalarInt64, but {what(value)} was passed")
        if not rule.of_list:
            return array_type(about, value, rule)
    if rule.array is not None:
        raise fail(ArgumentTypeError, f"{about} is annotated as {_wanted(rule)}, but {what(value)} was passed")
    if isinstance(value, bool):
        return Tile(dtypes.bool_)
    if isinstance(value, int):
        return Tile(_integer(about, value, rule.int64))
    if isinstance(value, float):
        return Tile(dtypes.float32)
    if arrays.library(value) in ("numpy", "ml_dtypes") and (dtype := dtypes.as_dtype(getattr(value, "dtype", None))):
        return Tile(dtype)
    raise fail(ArgumentTypeError, f"{about} is {what(value)}, but kernels take arrays, bools, ints, floats, and tuples and lists of them")


def _wanted(rule: Rule) -> str:
    return "ct.ScalarInt64" if rule.int64 else "a list of arrays" if rule.of_list else "an array"


def _integer(about: str, value: int, wide: bool) -> dtypes.DType:
    bits = 64 if wide else 32
    if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise fail(ArgumentOverflowError, f"{about}: {value} does not fit into int{bits}", "" if wide else "annotate the parameter with ct.ScalarInt64")
    return dtypes.int64 if wide else dtypes.int32


def list_type(about: str, value: list, rule: Rule) -> ArrayList:
    """A list of arrays, all of one dtype and rank: what holds for each of them."""
    if not value:
        raise fail(ArgumentTypeError, f"{about} is an empty list, which has no dtype", "pass a list of at least one array")
    if rule.array is not None and not rule.of_list:
        raise fail(ArgumentTypeError, f"{about} is annotated as an array, but a list was passed", "annotate it with ct.ListAnnotation")
    kinds = []
    for position, item in enumerate(value):
        if not arrays.is_array(item):
            hint = "scalars go in a tuple" if isinstance(item, (bool, int, float)) else ""
            raise fail(ArgumentTypeError, f"{about} is a list, and lists hold arrays, but its item {position} is {what(item)}", hint)
        kinds.append(array_type(f"{about}, item {position}", item, rule))
        for name in ("dtype", "ndim"):
            first, this = getattr(kinds[0], name), getattr(kinds[-1], name)
            if first != this:
                word = "rank" if name == "ndim" else name
                raise fail(ArgumentTypeError, f"{about}: the arrays of a list have one {word}, but item 0 has {word} {first} and item {position} has {this}")
    return ArrayList(_joint(about, kinds))


def _joint(about: str, kinds: list[Array]) -> Array:
    first, wide = kinds[0], any(k.wide for k in kinds)
    extents = tuple(_common(column) for column in zip(*(k.extents for k in kinds)))
    strides = None
    if any(k.strides is not None for k in kinds):
        strides = tuple(_common(column) for column in zip(*(_strides(k) for k in kinds)))
    return Array(first.dtype, extents, strides, min(k.alignment for k in kinds), wide, any(k.wide_extents for k in kinds))


def _strides(array: Array) -> tuple[Extent, ...]:
    """The strides of an array; those of a contiguous one follow from its extents."""
    if array.strides is not None:
        return array.strides
    inner, found = Extent(1), []
    for extent in reversed(array.extents):
        found.append(inner)
        known = inner.value is not None and extent.value is not None
        inner = Extent(inner.value * extent.value) if known else Extent(divisor=max(e.divisor if e.value is None else divisor(e.value) for e in (inner, extent)))
    return tuple(reversed(found))


def _common(extents: tuple[Extent, ...]) -> Extent:
    """What holds for one extent or stride of every array."""
    if len({e.value for e in extents}) == 1 and extents[0].value is not None:
        return extents[0]
    return Extent(divisor=next((d for d in DIVISORS if all(e.is_multiple_of(d) for e in extents)), 1))


def array_type(about: str, value: Any, rule: Rule = FREE) -> Array:
    """What a signature says of an array: classes of its extents, strides and address."""
    try:
        memory = arrays.memory(value)
    except TypeError as error:
        raise fail(ArgumentTypeError, f"{about}: {error}") from None
    if memory.dtype is None or memory.dtype.bits < 8:
        raise fail(ArgumentTypeError, f"{about}: there are no arrays of {memory.dtype_name} in the tile language", "use bool, an integer, float16, bfloat16, float32, float64 or an 8-bit float")
    return describe(about, memory, rule.array or ArrayAnnotation())


def describe(about: str, memory: arrays.Memory, annotation: ArrayAnnotation = ArrayAnnotation()) -> Array:
    """What a signature says of memory."""
    size, rank = memory.dtype.bytes, len(memory.shape)
    if any(s < 0 for n, s in zip(memory.shape, memory.strides) if n > 1):
        raise fail(ArgumentValueError, f"{about} has a negative stride, which the tile language does not have", "pass a copy")
    if any(s % size for n, s in zip(memory.shape, memory.strides) if n > 1) or memory.address % size:
        raise fail(ArgumentValueError, f"{about}: its elements do not lie at multiples of their size ({size} bytes)", "pass a copy")
    strides = memory.element_strides()
    reach = sum((n - 1) * s for n, s in zip(memory.shape, strides) if n > 1)
    wide_extents = annotation.index_dtype == dtypes.int64 or max(memory.shape, default=0) >= 2**31
    static = _axes(about, "static_shape_dims", annotation.static_shape_dims, rank)
    return Array(
        memory.dtype,
        tuple(Extent(n) if axis in static else Extent(divisor=divisor(n) if n else 1) for axis, n in enumerate(memory.shape)),
        _stride_classes(about, memory, strides, annotation),
        alignment(memory.address),
        wide=wide_extents or reach >= 2**31,
        wide_extents=wide_extents,
    )


def _stride_classes(about: str, memory: arrays.Memory, strides: tuple[int, ...], annotation: ArrayAnnotation) -> tuple[Extent, ...] | None:
    static = _axes(about, "static_stride_dims", annotation.static_stride_dims, len(strides))
    if static:  # the author's word replaces ours: a stride of 1 is no constant then unless it is named
        return tuple(Extent(s) if axis in static else Extent(divisor=divisor(s)) for axis, s in enumerate(strides))
    if arrays.is_row_major(memory, memory.dtype.bytes):
        return None
    return tuple(map(_stride, strides))


def _axes(about: str, name: str, dims: tuple[int, ...], rank: int) -> set[int]:
    """The axes that an annotation names."""
    found: dict[int, int] = {}
    for dim in dims:
        axis = dim + rank if dim < 0 else dim
        if not 0 <= axis < rank:
            raise fail(ArgumentValueError, f"{about}: {name} names axis {dim}, but the array has rank {rank}")
        if axis in found:
            raise fail(ArgumentValueError, f"{about}: {name} names axis {axis} twice, as {found[axis]} and as {dim}")
        found[axis] = dim
    return set(found)


def _stride(stride: int) -> Extent:
    return Extent(1) if stride == 1 else Extent(divisor=divisor(stride))


def divisor(number: int) -> int:
    """What a signature says of a number: whether it is a multiple of 16, or at least of 8, so many elements of two bytes as
    one access moves."""
    return next((d for d in DIVISORS if number % d == 0), 1)


def alignment(address: int) -> int:
    """The largest power of two up to 16 that divides an address."""
    return min(16, address & -address) or 16


def what(value: Any) -> str:
    """A value as an error names it."""
    if value is None:
        return "None"
    if isinstance(value, (str, int, float)) and type(value).__module__ == "builtins":
        return repr(value)
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeiou" else "a"
    return f"{article} {type(value).__module__}.{name}" if type(value).__module__ != "builtins" else f"{article} {name}"
