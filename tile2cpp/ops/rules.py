"""Checks and type rules that several op families share."""

from __future__ import annotations

import enum
from typing import Any

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed
from tile2cpp.types import Tile, Weak, broadcast_shapes, own_dtype, promote


# Said where an address stands in place of a number.
POINTER_HINT = "ct.Array.from_foreign(pointer, shape, strides) makes an array of it"


def dtype_of(x: Tile | Weak):
    return own_dtype(x.value) if isinstance(x, Weak) else x.dtype


def describe(x: Any) -> str:
    if isinstance(x, enum.Enum):
        return x.name
    return str(x) if isinstance(x, (Tile, Weak)) else repr(x)


def expected(what: str, value: Any) -> str:
    """cuTile's words for an argument of another type, or for one that is no constant."""
    if isinstance(value, Tile):
        return f"Expected {what}, but given value is not constant"
    return f"Expected {what}, but given value has type {_type_name(value)}"


def is_restricted(x: Tile | Weak) -> bool:
    return isinstance(x, Tile) and x.dtype.kind == "restricted"


def arithmetic(*operands: tuple[str, Tile | Weak]) -> None:
    """Reject restricted floats, which only load, store, convert and multiply as matrices."""
    for parameter, x in operands:
        if is_restricted(x):
            raise Reject(parameter, f"{x.dtype} has no arithmetic", hint="convert it first, for example with .astype(ct.float32)")


def integral(parameter: str, x: Tile | Weak, known_as: str = "") -> None:
    if dtype_of(x).kind not in ("int", "uint"):
        raise Reject(parameter, f"`{parameter}` must be an integer, but it is {describe(x)}", hint="convert it with .astype(ct.int32)", known_as=known_as)


def floating(parameter: str, x: Tile | Weak) -> None:
    if not dtype_of(x).is_float:
        raise Reject(parameter, f"`{parameter}` must be a float, but it is {describe(x)}", hint="convert it with .astype(ct.float32)")


def pair(x: Tile | Weak, y: Tile | Weak, dtype=None, names: tuple[str, str] = ("x", "y")) -> tuple[Tile, dict]:
    """The common type of two operands, and what each of them is converted to (shapes stay)."""
    common = dtype or promote(x, y, names)
    shape = broadcast_shapes(x.shape, y.shape, names[1])
    return Tile(common, shape), {names[0]: Tile(common, x.shape), names[1]: Tile(common, y.shape)}


def binary(x: Tile | Weak, y: Tile | Weak) -> Typed:
    """Arithmetic of two operands in their common dtype."""
    arithmetic(("x", x), ("y", y))
    result, operands = pair(x, y)
    return Typed(result, operands)


def as_float(x: Tile | Weak, parameter: str = "x") -> Typed:
    """Elementwise mathematics: floats keep their dtype, integers and bools become float32."""
    arithmetic((parameter, x))
    dtype = dtype_of(x)
    kept = Tile(dtype if dtype.is_float else dtypes.float32, x.shape)
    return Typed(kept, {parameter: kept})


def tile_shape(parameter: str, shape: tuple) -> tuple[int, ...]:
    """Extents of a tile: positive powers of two, at most 2^24 elements."""
    size = 1
    for position, extent in enumerate(shape):
        place = f"{parameter}[{position}]" if len(shape) > 1 or parameter != "size" else parameter
        if isinstance(extent, bool) or not isinstance(extent, int):
            raise Reject(place, f"a tile's extents must be integers known at compile time, not {describe(extent)}", known_as=f"Expected a tuple of integers, but element #{position} has type {_type_name(extent)}")
        if extent <= 0:
            known_as = f"Dimension #{position} of shape {tuple(map(int, shape))} is not positive"
            raise Reject(place, f"a tile has at least one element along each axis, not {extent}", hint="use a power of two: 1, 2, 4, ...", known_as=known_as)
        if extent & (extent - 1):
            near = 1 << (extent - 1).bit_length()
            known_as = f"Result tile shape must be power of 2, got {int(extent)}" if parameter == "size" else f"Dimension #{position} of shape {tuple(map(int, shape))} is not a power of two"
            raise Reject(place, f"a tile's extents are powers of two, and {extent} is none", hint=f"the next ones are {near // 2} and {near}; what lies outside of an array is masked, see padding_mode=", known_as=known_as)
        size *= extent
    if size > 2**24:
        raise Reject(parameter, f"a tile of shape {tuple(shape)} has {size} elements; the most is 2**24")
    return tuple(shape)


def _type_name(value: Any) -> str:
    """What cuTile's messages call the type of a constant."""
    return f"Tile[{own_dtype(value)},()]" if isinstance(value, (bool, int, float)) else type(value).__name__


def axis_in(parameter: str, axis: Any, rank: int, what: str = "a tile") -> int:
    """A constant axis, negative ones counted from the end."""
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise Reject(parameter, f"`{parameter}` must be a constant integer, not {describe(axis)}")
    if not -rank <= axis < rank:
        raise Reject(parameter, f"axis {axis} does not exist in {what} of {rank} dimension{'s' * (rank != 1)}", hint=f"the axes are numbered from 0 to {rank - 1}" if rank else "", known_as=f"Axis {axis} is out of range for rank {rank}'")
    return axis % rank


def constant_bool(parameter: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Reject(parameter, f"`{parameter}` must be True or False, not {describe(value)}", known_as=expected("a boolean constant", value))
    return value


def dtype_argument(parameter: str, value: Any, of_pointers: str = "") -> dtypes.DType:
    """The dtype that an argument names; `of_pointers` is what cuTile says of one of addresses."""
    dtype = dtypes.as_dtype(value)
    if dtype is None:
        named = dtypes.BY_NAME.get(value) if isinstance(value, str) else None
        raise Reject(parameter, f"`{parameter}` must be a dtype such as ct.float32, not {describe(value)}", hint=f"write ct.{named.name}" if named else "", known_as=expected("a dtype constant", value))
    if dtype.kind == "pointer":
        raise Reject(parameter, f"`{parameter}` must be the dtype of numbers, but {dtype} is one of addresses", hint="an address comes from array.foreign_pointer", known_as=of_pointers or f"Expected dtype to satisfy constraint is_numeric, but got {dtype}")
    return dtype


def index_types(parameter: str, index: tuple, rank: int, what: str) -> tuple[Tile, ...]:
    """Tile-space indices: one signed scalar per dimension."""
    if len(index) != rank:
        raise Reject(parameter, f"`{parameter}` has {len(index)} item{'s' * (len(index) != 1)}, but {what} has {rank} dimension{'s' * (rank != 1)}", hint="give one index for each dimension", known_as=f"Index size {len(index)} does not match the {'tile' if 'tile of' in what else what.split()[-1]} rank {rank}")
    types = []
    for position, item in enumerate(index):
        if item.shape:
            raise Reject(
                f"{parameter}[{position}]",
                f"item {position} of `{parameter}` must be a scalar, but it is {item}",
                hint="an index counts tiles; ct.gather takes the positions of elements, and .item() the element of a one-element tile",
            )
        dtype = dtype_of(item)
        if dtype.kind != "int":
            hint = "use // or ct.cdiv to divide integers, or convert it with .astype(ct.int32)" if dtype.is_float else "convert it with .astype(ct.int32)"
            raise Reject(f"{parameter}[{position}]", f"item {position} of `{parameter}` must be a signed integer, but it is {describe(item)}", hint=hint)
        types.append(Tile(dtypes.int64 if dtype.bits > 32 else dtypes.int32))
    return tuple(types)


def implicit(parameter: str, value: Tile | Weak, dtype) -> None:
    """Reject a value that does not convert to `dtype` on writing."""
    from tile2cpp.types import category, fit, is_implicit

    if isinstance(value, Weak):
        if category(value) > {"bool": 0, "int": 1, "uint": 1}.get(dtype.kind, 2) and not (dtype.kind == "bool" and value.value in (0, 1)):
            known_as = _autocast(value.value, own_dtype(value.value), dtype)
            raise Reject(parameter, f"the constant {value.value!r} does not convert to {dtype} on its own", hint="write the constant in the array's dtype", known_as=known_as)
        fit(value.value, dtype, parameter)
    elif not is_implicit(value.dtype, dtype):
        raise Reject(parameter, f"{value.dtype} does not convert to {dtype} on its own", hint=f"write .astype({dtype_name(dtype)})", known_as=_autocast(value.dtype, value.dtype, dtype))


def _autocast(value: Any, source, target) -> str:
    """What cuTile says now, and what it said before."""
    return f"cannot implicitly cast {value} to {target}. Autocast from value of type {source} to {target} is not allowed. Please perform explicit cast using `astype`."


def dtype_name(dtype) -> str:
    return f"ct.{dtype.name}"


ROUNDINGS = {
    "RN": "round_ties_to_even", "RZ": "round_toward_zero", "RM": "round_toward_negative", "RP": "round_toward_positive",
    "RA": "round_ties_to_away", "FULL": "round_full", "APPROX": "round_approximate",
}  # fmt: skip


def member(parameter: str, value: Any, choices, known_as: str = "") -> str:
    """The name of an enum member, given as the member or as its name."""
    name = getattr(value, "name", value)
    if name not in choices:
        hint = f"the name is {value.upper()}" if isinstance(value, str) and value.upper() in choices else ""
        raise Reject(parameter, f"`{parameter}` must be one of {', '.join(choices)}, not {describe(value)}", hint=hint, known_as=known_as)
    return name


def rounding(parameter: str, mode: Any, dtype, allowed: tuple[str, ...]) -> None:
    """Reject a rounding mode that the operation or the dtype does not have."""
    if mode is None:
        return
    unsupported = f"Rounding mode {_known_rounding(mode)} is not supported"
    name = member(parameter, mode, ROUNDINGS, unsupported)
    if name not in allowed:
        raise Reject(parameter, f"rounding mode {name} is not available here", hint="use one of " + ", ".join(allowed), known_as=unsupported)
    if not dtype.is_float:
        raise Reject(parameter, f"rounding modes are for floats, but the operands are {dtype}", known_as=f"Rounding mode can only be used for unrestricted float types, but got {dtype}")
    if name in ("FULL", "APPROX") and dtype != dtypes.float32:
        raise Reject(parameter, f"rounding mode {name} is for float32 only, but the operands are {dtype}", known_as=f"Rounding mode {_known_rounding(mode)} can only be used for float32 type, but got {dtype}")


def _known_rounding(mode: Any) -> str:
    """What cuTile's messages call a rounding mode."""
    return getattr(mode, "value", str(mode))


def flushing(flag: Any, dtype) -> None:
    if constant_bool("flush_to_zero", flag) and dtype != dtypes.float32:
        raise Reject("flush_to_zero", f"flush_to_zero is for float32 only, but the operands are {dtype}", known_as=f"Flush to zero can only be used for float32 type, but got {dtype}")
