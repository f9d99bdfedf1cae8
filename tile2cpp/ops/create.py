"""Tiles made from nothing: constants, ranges and strictly typed scalars."""

from __future__ import annotations

import math

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject, TileValueError
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import POINTER_HINT, dtype_argument, tile_shape
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak


UNSIGNED_FLOATS = ("float8_e8m0fnu", "float8_e5m3fnu")


def _spell_full(call, c) -> Spelled:
    if not call["shape"]:
        return c.spelled(call["fill_value"])
    if _is_plain_zero(call["fill_value"], call.type.dtype):
        return Spelled(f"ct::zeros<{c.tile_type(call.type)}>()")
    return Spelled(f"ct::full<{c.tile_type(call.type)}>({c(call['fill_value'])})")


def _is_plain_zero(value, dtype: dtypes.DType) -> bool:
    """Whether this is the constant 0, not -0.0, of a dtype whose zeros are made without one."""
    number = getattr(value, "value", None)
    return type(number) in (int, float) and not getattr(value, "name", "") and number == 0 and str(number)[0] != "-" and dtype.kind in ("int", "uint", "float")


@op(cpp=_spell_full, numpy=lambda shape, fill_value, result: np.full(shape, fill_value, result.dtype.numpy))
def full(shape: Shape, fill_value: Tile, dtype: Const) -> Tile:
    """A tile of `shape` whose elements all are `fill_value`, converted to `dtype`."""
    dtype = dtype_argument("dtype", dtype)
    if fill_value.shape:
        raise Reject("fill_value", f"`fill_value` must be a scalar, but it is {fill_value}", hint="ct.broadcast_to repeats a tile")
    if isinstance(fill_value, Weak):
        check_constant("fill_value", fill_value, dtype)
    return Typed(Tile(dtype, tile_shape("shape", shape)), {"fill_value": Tile(dtype)})


def _spell_named(function: str, value: int):
    def spell(call, c) -> Spelled:
        if not call["shape"]:
            return Spelled(c.literal(value, call.type.dtype))
        if call.type.dtype.name == "float8_e8m0fnu":  # which has no zero; C++ makes neither of them
            return Spelled(f"ct::full<{c.tile_type(call.type)}>({c.literal(value, call.type.dtype)})")
        return Spelled(f"ct::{function}<{c.tile_type(call.type)}>()")

    return spell


@op(cpp=_spell_named("zeros", 0), numpy=lambda shape, result: np.zeros(shape, result.dtype.numpy))
def zeros(shape: Shape, dtype: Const) -> Tile:
    """A tile of `shape` filled with 0."""
    return Tile(dtype_argument("dtype", dtype), tile_shape("shape", shape))


@op(cpp=_spell_named("ones", 1), numpy=lambda shape, result: np.ones(shape, result.dtype.numpy))
def ones(shape: Shape, dtype: Const) -> Tile:
    """A tile of `shape` filled with 1."""
    return Tile(dtype_argument("dtype", dtype), tile_shape("shape", shape))


def _spell_arange(call, c) -> Spelled:
    from tile2cpp.ops.spelling import ADD, MULTIPLY

    dtype, size = call.type.dtype, call.type.size
    # iota counts in an integer type that can hold the last index.
    counted = dtype if dtype.is_integral and dtype.range()[1] >= size - 1 else dtypes.int32
    text, level = f"ct::iota<{c.tile_type(Tile(counted, call['size']))}>()", 12
    if counted != dtype:
        text = f"ct::element_cast<{dtype.cpp}>({text})"
    start, step = call["start"], call["step"]
    if not c.is_literal(step, 1):
        text, level = f"{text} * {c(step, MULTIPLY + 1)}", MULTIPLY
    if not c.is_literal(start, 0):
        text, level = f"{c(start, ADD)} + {text}", ADD
    return Spelled(text, level)


def _arange(size, start, step, result):
    from tile2cpp.ops.cast import convert

    if not result.dtype.is_arithmetic or result.dtype.kind == "bool":
        return convert(np.arange(size[0]), result.dtype)
    with np.errstate(all="ignore"):
        return (np.arange(size[0]).astype(result.dtype.numpy) * step + start).astype(result.dtype.numpy)


@op(cpp=_spell_arange, numpy=_arange, nonnegative="operands")
def arange(size: Shape, /, *, dtype: Const, start: Tile = 0, step: Tile = 1) -> Tile:
    """The 1-D tile `start, start + step, ...` of `size` elements; `start` and `step` are converted to `dtype` first."""
    dtype = dtype_argument("dtype", dtype)
    if len(size) != 1:
        raise Reject("size", f"`size` must be one extent, not {size}", known_as=f"Expected an integer constant, but given value has type Tuple[{','.join(['Tile[int32,()]'] * len(size))}]")
    for name, value in (("start", start), ("step", step)):
        if value.shape:
            raise Reject(name, f"`{name}` must be a scalar, but it is {value}")
        default = {"start": 0, "step": 1}[name]
        if (dtype.kind in ("restricted", "bool")) and not (isinstance(value, Weak) and value.value == default):
            raise Reject(name, f"{dtype} has no arithmetic, so a range of it counts from 0 by 1", hint="convert it: ct.arange(...).astype(...)")
    return Typed(Tile(dtype, tile_shape("size", size)), {"start": Tile(dtype), "step": Tile(dtype)})


def scalar(dtype: dtypes.DType, value: Tile | Weak) -> Tile:
    """The rule of a dtype called like a function: a strictly typed scalar."""
    if value.shape:
        raise Reject("value", f"{dtype}(...) takes a scalar, but this is {value}", hint="use .astype(...) for tiles")
    if isinstance(value, Tile) and value.dtype.kind == "pointer":
        raise Reject("value", f"{dtype}(...) takes a number, but this is {value}", hint=POINTER_HINT, known_as=f"Expected scalar dtype to satisfy constraint is_numeric, but got Tile[{value.dtype},()]")
    if dtype.kind == "pointer":
        raise Reject("value", f"{dtype} is not made of numbers", hint="an address comes from array.foreign_pointer")
    if isinstance(value, Weak):
        check_constant("value", value, dtype)
    return Tile(dtype)


def check_constant(parameter: str, value: Weak, dtype: dtypes.DType) -> None:
    """Reject a constant that a small float has no element for: a sign that it lacks, or NaN."""
    if math.copysign(1, value.value) < 0 and dtype.name in UNSIGNED_FLOATS:
        known_as = "Negative values cannot be represented in an unsigned float format"
        raise Reject(parameter, f"{dtype} has no sign, so the constant {value.value!r} does not fit into it", kind=TileValueError, known_as=known_as)
    if dtype.name == "float4_e2m1fn" and value.value != value.value:
        known_as = "NaN cannot be represented in a finite-only float format"
        raise Reject(parameter, f"{dtype} has no NaN, only finite numbers", kind=TileValueError, known_as=known_as)


def _nested(value, path: str = "value") -> tuple[tuple[int, ...], list]:
    """The shape and the scalars of nested tuples."""
    if not isinstance(value, tuple):
        if value.shape:
            known_as = f"Expected scalar elements at {path}" if path != "value" else f"Expected a scalar or (possibly nested) tuple of scalars; got value of type Tile[{value.dtype},({','.join(map(str, value.shape))})]"
            raise Reject("value", f"`value` must hold scalars, but it holds {value}", known_as=known_as)
        return (), [value]
    if not value or len(value) & (len(value) - 1):
        near = 1 << max(len(value) - 1, 0).bit_length()
        hint = f"the next ones are {near // 2} and {near}" if value else "a scalar alone needs no tuple"
        raise Reject("value", f"a tile's extents are powers of two, and `{path}` has {len(value)} items", hint=hint, known_as=f"Tuple length {len(value)} at {path} is not a power of 2")
    found = [_nested(item, f"{path}[{position}]") for position, item in enumerate(value)]
    shapes = {s for s, _ in found}
    if len(shapes) != 1:
        raise Reject("value", "the tuples of `value` differ in length", known_as=f"Tuple has non-uniform inner shapes at {path}")
    return (len(value), *shapes.pop()), [scalar for _, scalars in found for scalar in scalars]


def flattened(value) -> list:
    """The scalars of nested tuples, in row-major order."""
    return [inner for item in value for inner in flattened(item)] if isinstance(value, tuple) else [value]


def _spell_astile(call, c) -> Spelled:
    """Single elements, joined two by two."""
    if not call.type.shape:
        return c.spelled(call["value"][0])
    single = c.tile_type(Tile(call.type.dtype, (1,)))
    parts = [f"ct::full<{single}>({c(value)})" for value in call["value"]]
    while len(parts) > 1:
        parts = [f"ct::cat({a}, {b}, 0_ic)" for a, b in zip(parts[::2], parts[1::2])]
    return Spelled(parts[0], shape=(call.type.size,))


def _astile_numpy(value, result):
    return np.array([np.asarray(v) for v in flattened(value)], result.dtype.numpy).reshape(result.shape)


@op(cpp=_spell_astile, numpy=_astile_numpy)
def astile(value: Nested, /, *, dtype: Const) -> Tile:
    """The tile whose elements are the scalars of nested tuples; a scalar alone is converted."""
    dtype = dtype_argument("dtype", dtype)
    shape, scalars = _nested(value)
    for scalar in scalars:
        if isinstance(scalar, Weak):
            check_constant("value", scalar, dtype)
    return Typed(Tile(dtype, tile_shape("value", shape)), {"value": (Tile(dtype),) * len(scalars)})
