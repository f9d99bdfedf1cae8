"""Operations that change a tile's shape."""

from __future__ import annotations

import math

import numpy as np

from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, op
from tile2cpp.ops.rules import axis_in, describe, dtype_of, index_types, tile_shape
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile, Weak, broadcast_shapes


def kept(x: Tile | Weak) -> Tile:
    return Tile(dtype_of(x), x.shape)


def respell(x, shape: tuple[int, ...], c) -> Spelled:
    """`x` with another shape of the same elements; nothing is written where C++ has it already."""
    inner = c.spelled(x)
    spelled = inner.shape if inner.shape is not None else x.type.shape
    if spelled == tuple(shape):
        return Spelled(inner.text, inner.level, tuple(shape))
    if not shape:
        return inner if inner.shape is not None else Spelled(inner.text, inner.level, x.type.shape)
    if not spelled and math.prod(shape) == 1:
        return Spelled(f"ct::full<{c.tile_type(Tile(x.type.dtype, shape))}>({c(x)})")
    return Spelled(f"ct::reshape({inner.text}, {c.shape(shape)})")


def _spell_reshape(call, c) -> Spelled:
    return respell(call["x"], call["shape"], c)


def _reshape_numpy(x, result):
    return x.reshape(result.shape)


@op(cpp=_spell_reshape, numpy=_reshape_numpy, owner="tile", method="reshape", nonnegative="operands", addresses=True)
def reshape(x: Tile, /, shape: Shape) -> Tile:
    """The same elements in row-major order as another shape; one extent may be -1."""
    x = kept(x)
    if shape.count(-1) > 1:
        raise Reject("shape", f"only one extent of {shape} may be -1")
    if -1 in shape:
        known = -math.prod(shape)
        if known == 0 or x.size % known:
            raise Reject("shape", f"{x} does not have a multiple of {known} elements")
        shape = tuple(x.size // known if e == -1 else e for e in shape)
    tile_shape("shape", shape)
    if math.prod(shape) != x.size:
        raise Reject("shape", f"{x} has {x.size} elements, but {shape} has {math.prod(shape)}")
    return Typed(Tile(x.dtype, shape), {"x": x}, {"shape": shape})


@op(cpp=lambda call, c: respell(call["x"], call.type.shape, c), numpy=_reshape_numpy, nonnegative="operands", addresses=True)
def expand_dims(x: Tile, /, axis: Const) -> Tile:
    """`x` with an axis of extent 1 inserted at `axis`."""
    axis = axis_in("axis", axis, len(x.shape) + 1)
    shape = (*x.shape[:axis], 1, *x.shape[axis:])
    return Typed(Tile(dtype_of(x), shape), {"x": kept(x)}, {"axis": axis})


@op(cpp=lambda call, c: respell(call["x"], (), c), numpy=_reshape_numpy, owner="tile", method="item", public=False, nonnegative="operands", addresses=True)
def item(x: Tile, /) -> Tile:
    """The element of a one-element tile, as a scalar."""
    if math.prod(x.shape) != 1:
        raise Reject("x", f"only a tile of one element has an item, but this is {x}", hint="ct.extract(x, index, (1, ...)) takes one element out, a reduction makes one of all")
    return Typed(Tile(dtype_of(x)), {"x": kept(x)})


def _spell_broadcast(call, c) -> Spelled:
    x, shape = call["x"], tuple(call.type.shape)
    inner = c.spelled(x)
    if (inner.shape if inner.shape is not None else x.type.shape) == shape:
        return Spelled(inner.text, inner.level, shape)
    if not x.type.shape:
        return Spelled(f"ct::full<{c.tile_type(call.type)}>({c(x)})")
    return Spelled(f"ct::broadcast({c(x)}, {c.shape(call['shape'])})")


@op(cpp=_spell_broadcast, numpy=lambda x, result: np.broadcast_to(x, result.shape), nonnegative="operands", addresses=True)
def broadcast_to(x: Tile, /, shape: Shape) -> Tile:
    """`x` repeated to `shape` by NumPy's rules."""
    tile_shape("shape", shape)
    if broadcast_shapes(x.shape, shape, "shape") != tuple(shape):
        raise Reject("shape", f"shape {x.shape} does not broadcast to {shape}")
    return Typed(Tile(dtype_of(x), shape), {"x": kept(x)})


def _spell_permute(call, c) -> Spelled:
    axes = call["axes"]
    if axes == tuple(range(len(axes))):
        return c.spelled(call["x"])
    if axes == (1, 0):
        return Spelled(f"ct::transpose({c(call['x'])})")
    numbers = ", ".join(f"{a}_ic" for a in axes)
    return Spelled(f"ct::permute({c(call['x'])}, ct::dimension_map{{{numbers}}})")


@op(cpp=_spell_permute, numpy=lambda x, axes: x.transpose(axes), owner="tile", method="permute", nonnegative="operands", addresses=True)
def permute(x: Tile, /, axes: Const) -> Tile:
    """`x` with its axes reordered: axis k of the result is axis `axes[k]` of `x`."""
    if not isinstance(axes, tuple) or len(axes) != len(x.shape):
        raise Reject("axes", f"`axes` must be a permutation of the {len(x.shape)} axes of {x}, not {describe(axes)}")
    normal = tuple(axis_in("axes", a, len(axes)) for a in axes)
    if sorted(normal) != list(range(len(axes))):
        raise Reject("axes", f"`axes` must name each axis once, but it is {axes}")
    return Typed(Tile(dtype_of(x), tuple(x.shape[a] for a in normal)), {"x": kept(x)}, {"axes": normal})


def _swapped(rank: int, axis0: int, axis1: int) -> tuple[int, ...]:
    axes = list(range(rank))
    axes[axis0], axes[axis1] = axes[axis1], axes[axis0]
    return tuple(axes)


def _spell_transpose(call, c) -> Spelled:
    axes = _swapped(len(call["x"].type.shape), call["axis0"], call["axis1"])
    if axes == tuple(range(len(axes))):
        return c.spelled(call["x"])
    if axes[:2] == (1, 0):
        return Spelled(f"ct::transpose({c(call['x'])})")
    numbers = ", ".join(f"{a}_ic" for a in axes)
    return Spelled(f"ct::permute({c(call['x'])}, ct::dimension_map{{{numbers}}})")


@op(cpp=_spell_transpose, numpy=lambda x, axis0, axis1: x.swapaxes(axis0, axis1), owner="tile", method="transpose", nonnegative="operands", addresses=True)
def transpose(x: Tile, /, axis0: Const = None, axis1: Const = None) -> Tile:
    """`x` with two axes swapped; without axes, `x` must have two."""
    rank = len(x.shape)
    if axis0 is None and axis1 is None:
        if rank != 2:
            hint = "x[:, None] makes a column of it" if rank < 2 else "name the two axes to swap"
            raise Reject("x", f"without axes, a tile of two dimensions is transposed, but this is {x}", hint=hint)
        axis0, axis1 = 0, 1
    elif axis0 is None or axis1 is None:
        raise Reject("axis1" if axis1 is None else "axis0", "give both axes, or neither")
    axis0, axis1 = axis_in("axis0", axis0, rank), axis_in("axis1", axis1, rank)
    shape = tuple(x.shape[a] for a in _swapped(rank, axis0, axis1))
    return Typed(Tile(dtype_of(x), shape), {"x": kept(x)}, {"axis0": axis0, "axis1": axis1})


def _spell_cat(call, c) -> Spelled:
    tiles = call["tiles"]
    if len(tiles) == 1:
        return c.spelled(tiles[0])
    return Spelled(f"ct::cat({c(tiles[0])}, {c(tiles[1])}, {call['axis']}_ic)")


@op(cpp=_spell_cat, numpy=lambda tiles, axis: np.concatenate(tiles, axis), nonnegative="operands", addresses=True)
def cat(tiles: Tiles, /, axis: Const) -> Tile:
    """Two tiles of one shape and dtype joined along `axis`."""
    if len(tiles) not in (1, 2):
        raise Reject("tiles", f"cat joins two tiles, not {len(tiles)}", hint="join the results of two calls; every extent must stay a power of two")
    first = kept(tiles[0])
    axis = axis_in("axis", axis, first.ndim)
    for other in tiles[1:]:
        if kept(other).dtype != first.dtype:
            raise Reject("tiles", f"both tiles must have one dtype, but they are {first.dtype} and {kept(other).dtype}", hint="convert one of them with .astype(...)")
        if kept(other) != first:
            why = "both tiles must have one shape, since the sum of two different powers of two is none" if _differ_along(first.shape, kept(other).shape, axis) else "both tiles must agree along the other axes"
            raise Reject("tiles", f"{why}: they are {first.shape} and {kept(other).shape}")
    shape = (*first.shape[:axis], first.shape[axis] * len(tiles), *first.shape[axis + 1 :])
    tile_shape("tiles", shape)
    return Typed(Tile(first.dtype, shape), {"tiles": tuple(kept(t) for t in tiles)}, {"axis": axis})


def _differ_along(x: tuple, y: tuple, axis: int) -> bool:
    return len(x) == len(y) and all(a == b for i, (a, b) in enumerate(zip(x, y)) if i != axis)


def _spell_extract(call, c) -> Spelled:
    shape = call["shape"] or (1,) * len(call["x"].type.shape)
    index = ", ".join(c(i) for i in call["index"])
    return Spelled(f"ct::extract({c(call['x'])}, {c.shape(shape)}, {index})", shape=tuple(shape))


def _extract_numpy(x, index, shape, result):
    full = shape or (1,) * x.ndim
    part = x[tuple(slice(int(i) * s, int(i) * s + s) for i, s in zip(index, full))]
    return part.reshape(result.shape)


def _check_parts(parameter: str, x: Tile, shape: tuple[int, ...], index: tuple) -> None:
    """Reject parts that do not divide the tile, and constant numbers of parts that do not exist."""
    noun = "result" if parameter == "shape" else "value"
    for axis, (part, whole, i) in enumerate(zip(shape, x.shape, index)):
        if whole % part:
            raise Reject(parameter, f"extent {part} does not divide {whole} along axis {axis} of {x}", hint="parts are at most as large as the tile", known_as=f"Input shape {x.shape} is not divisible by {noun} shape {shape} at dimension #{axis}")
        if isinstance(i, Weak) and not 0 <= i.value < whole // part:
            raise Reject(f"index[{axis}]", f"part {i.value} does not exist: axis {axis} has {whole // part} parts of {part}", hint="the index counts parts, not elements", known_as=f"Index {i.value} out of bounds at dimension #{axis}: valid range is [0, {whole // part}) in tile space (input shape {x.shape}, {noun} shape {shape})")


@op(cpp=_spell_extract, numpy=_extract_numpy, owner="tile", method="extract", nonnegative="operands", addresses=True)
def extract(x: Tile, /, index: Index, shape: Shape) -> Tile:
    """The part number `index` of `x` cut into parts of `shape`: it starts at `index[d] * shape[d]`."""
    x = kept(x)
    full = shape or (1,) * x.ndim
    if len(full) != x.ndim:
        raise Reject("shape", f"`shape` has {len(full)} extents, but {x} has {x.ndim} dimensions", known_as=f"Expected shape length to be {x.ndim}, got {len(full)}")
    tile_shape("shape", full)
    types = index_types("index", index, x.ndim, str(x))
    _check_parts("shape", x, full, index)
    return Typed(Tile(x.dtype, shape), {"x": x, "index": types})


def _insert_numpy(x, index, value):
    changed = x.copy()
    changed[tuple(slice(int(i) * e, int(i) * e + e) for i, e in zip(index, value.shape))] = value
    return changed


def _spell_insert(call, c) -> Spelled:
    index = ", ".join(c(i) for i in call["index"])
    return Spelled(f"ct::insert({c(call['x'])}, {c(call['value'])}, {index})")


@op(cpp=_spell_insert, numpy=_insert_numpy, owner="tile", method="insert", nonnegative="operands", addresses=True)
def insert(x: Tile, /, index: Index, value: Tile) -> Tile:
    """`x` with the part number `index`, of the shape of `value`, replaced by `value`; a scalar is one element."""
    x = kept(x)
    if dtype_of(value) != x.dtype:
        raise Reject("value", f"`value` must be {x.dtype} like the tile, but it is {value if isinstance(value, Tile) else describe(dtype_of(value))}", hint=f"write ct.{x.dtype.name}(...) or .astype(ct.{x.dtype.name})", known_as=f"Cannot insert a tile of dtype {dtype_of(value)} into a tile of dtype {x.dtype}")
    shape = value.shape or (1,) * x.ndim
    if len(shape) != x.ndim:
        raise Reject("value", f"`value` has {len(shape)} dimensions, but {x} has {x.ndim}", known_as=f"Value rank {len(shape)} does not match the tile rank {x.ndim}")
    types = index_types("index", index, x.ndim, str(x))
    _check_parts("value", x, shape, index)
    return Typed(x, {"x": x, "index": types, "value": Tile(x.dtype, shape)})
