"""Reductions along axes. C++ keeps a reduced axis with extent 1, Python drops it."""

from __future__ import annotations

import math

import numpy as np

from tile2cpp import dtypes
from tile2cpp.errors import Reject
from tile2cpp.ops import Typed, directed, op
from tile2cpp.ops.math import IEEE, options
from tile2cpp.ops.rules import axis_in, constant_bool, dtype_of, flushing, is_restricted, rounding
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile


def reduced(x, axis, keepdims) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes to reduce, in increasing order, and the shape that is left."""
    rank = len(x.shape)
    chosen = tuple(range(rank)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(axis_in("axis", a, rank) for a in chosen)
    twice = [a for i, a in enumerate(axes) if a in axes[:i]]
    if twice:
        raise Reject("axis", f"`axis` names an axis twice: {axis}", known_as=f"Repeated reduction axis {twice[0]}")
    axes = tuple(sorted(axes))
    if constant_bool("keepdims", keepdims):
        return axes, tuple(1 if i in axes else e for i, e in enumerate(x.shape))
    return axes, tuple(e for i, e in enumerate(x.shape) if i not in axes)


def fold(name: str, tags):
    """`ct::name(ct::name(x, 1_ic), 0_ic)`, innermost the last axis."""

    def spell(call, c) -> Spelled:
        x = call["x"]
        if not call["axis"]:
            return c.spelled(x)
        text = c(x)
        for axis in reversed(call["axis"]):
            text = f"ct::{name}({text}, {axis}_ic{tags(call)})"
        shape = tuple(1 if i in call["axis"] else e for i, e in enumerate(x.type.shape))
        return Spelled(text, shape=shape)

    return spell


def numeric(x, use: str) -> None:
    """Reject formats that only store; `use` is cuTile's word for what is done."""
    if is_restricted(x):
        raise Reject("x", f"{x.dtype} has no arithmetic", hint="convert it first, for example with .astype(ct.float32)", known_as=f"Non-arithmetic dtype {x.dtype} is unsupported for {use}")


def summing_rule(x, axis, keepdims, rounding_mode, flush_to_zero) -> Typed:
    numeric(x, "reduction")
    dtype = dtypes.int32 if dtype_of(x).kind == "bool" else dtype_of(x)
    axes, shape = reduced(x, axis, keepdims)
    rounding("rounding_mode", rounding_mode, dtype, IEEE)
    flushing(flush_to_zero, dtype)
    return Typed(Tile(dtype, shape), {"x": Tile(dtype, x.shape)}, {"axis": axes})


def accumulate(function, step: str):
    """Sums and products in the tile's own dtype; 16-bit floats are summed wider and rounded once."""

    def meaning(x, axis, rounding_mode, flush_to_zero, result):
        if flush_to_zero or directed.mode_name(rounding_mode) != "RN":
            for one in axis:
                x = directed.folded(step, x, one, rounding_mode, flush_to_zero, result.dtype).take([-1], one)
            return x.reshape(result.shape)
        with np.errstate(all="ignore"):
            wide = x.astype(np.float32) if x.dtype.itemsize == 2 and result.dtype.is_float else x
            return function(wide, axis=axis, dtype=wide.dtype).reshape(result.shape) if axis else x

    return meaning


@op(cpp=fold("sum", options), numpy=accumulate(np.sum, "add"))
def sum(x: Tile, /, axis: Const = None, *, keepdims: Const = False, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """Sum of the elements along `axis` (an int, a tuple, or None for all), in the dtype of `x`."""
    return summing_rule(x, axis, keepdims, rounding_mode, flush_to_zero)


@op(cpp=fold("prod", options), numpy=accumulate(np.prod, "mul"))
def prod(x: Tile, /, axis: Const = None, *, keepdims: Const = False, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """Product of the elements along `axis` (an int, a tuple, or None for all), in the dtype of `x`."""
    return summing_rule(x, axis, keepdims, rounding_mode, flush_to_zero)


def _extreme_rule(x, axis, keepdims, flush_to_zero, propagate_nan) -> Typed:
    numeric(x, "reduction")
    dtype = dtypes.int32 if dtype_of(x).kind == "bool" else dtype_of(x)
    axes, shape = reduced(x, axis, keepdims)
    flushing(flush_to_zero, dtype)
    constant_bool("propagate_nan", propagate_nan)
    return Typed(Tile(dtype, shape), {"x": Tile(dtype, x.shape)}, {"axis": axes})


def _extreme_numpy(skipping, propagating):
    """A zero that is largest is +0 where there is one, as GPUs have it, and one that is smallest -0."""
    negative = skipping is np.fmin

    def meaning(x, axis, flush_to_zero, propagate_nan, result):
        with np.errstate(all="ignore"):
            if not axis:
                return x
            x = directed.flushed(x, flush_to_zero)
            x = x * x.dtype.type(1) if result.dtype.is_float else x  # NumPy's fmax.reduce keeps signalling NaNs
            made = (propagating if propagate_nan else skipping).reduce(x, axis=axis)
            if result.dtype.is_float:
                wanted = ((x == 0) & (np.signbit(x) == negative)).any(axis=axis)
                made = np.where((made == 0) & wanted, x.dtype.type(-0.0 if negative else 0.0), made)
            return made.reshape(result.shape)

    return meaning


def _nan_tags(call) -> str:
    return options(call, nan=True)


@op(cpp=fold("reduce_max", _nan_tags), numpy=_extreme_numpy(np.fmax, np.maximum), nonnegative="operands")
def max(x: Tile, /, axis: Const = None, *, keepdims: Const = False, flush_to_zero: Const = False, propagate_nan: Const = False) -> Tile:
    """Largest element along `axis` (an int, a tuple, or None for all); NaN is ignored unless `propagate_nan`."""
    return _extreme_rule(x, axis, keepdims, flush_to_zero, propagate_nan)


@op(cpp=fold("reduce_min", _nan_tags), numpy=_extreme_numpy(np.fmin, np.minimum), nonnegative="operands")
def min(x: Tile, /, axis: Const = None, *, keepdims: Const = False, flush_to_zero: Const = False, propagate_nan: Const = False) -> Tile:
    """Smallest element along `axis` (an int, a tuple, or None for all); NaN is ignored unless `propagate_nan`."""
    return _extreme_rule(x, axis, keepdims, flush_to_zero, propagate_nan)


POSITION = """\
// The position of the first {word} element along an axis. NaN is ignored; where there is nothing else, the position is 0.
template <class X, class Index, class Axis>
__tile__ auto {{name}}(X x, Index along, Axis axis) {{{{
  auto beyond = ct::full<ct::tile<int, ct::tile_shape_t<X>>>(1 << 30);
  auto index = ct::broadcast(along, ct::tile_shape_t<X>{{{{}}}});
  auto first = ct::reduce_min(ct::select(x == ct::{function}(x, axis), index, beyond), axis);
  return ct::select(first < (1 << 30), first, ct::zeros<decltype(first)>());
}}}}"""

POSITION_OR_NAN = """\
// The position of the first NaN along an axis or, where there is none, of the first {word} element.
template <class X, class Index, class Axis>
__tile__ auto {{name}}(X x, Index along, Axis axis) {{{{
  auto beyond = ct::full<ct::tile<int, ct::tile_shape_t<X>>>(1 << 30);
  auto index = ct::broadcast(along, ct::tile_shape_t<X>{{{{}}}});
  auto first = ct::reduce_min(ct::select(x == ct::{function}(x, axis), index, beyond), axis);
  auto first_nan = ct::reduce_min(ct::select(ct::isnan(x), index, beyond), axis);
  return ct::select(first_nan < (1 << 30), first_nan, first);
}}}}"""


def _spell_position(function: str, word: str):
    """C++ has positions of integers, in unsigned; of floats with their NaN they are put together. Over all axes they are those of the flattened tile."""

    def spell(call, c) -> Spelled:
        from tile2cpp.ops.shape import respell

        x, axis = call["x"], call["axis"]
        flat = (math.prod(x.type.shape),)
        text, at, shape = (c(x), axis, x.type.shape) if axis is not None else (respell(x, flat, c).text, 0, flat)
        kept = tuple(1 if i == at else e for i, e in enumerate(shape))
        if not x.type.dtype.is_float:
            return Spelled(f"ct::element_cast<int>(ct::{function}_element({text}, {at}_ic))", shape=kept)
        text_of = POSITION_OR_NAN if call["propagate_nan"] else POSITION
        name = f"position_of_{word}_or_nan" if call["propagate_nan"] else f"position_of_{word}"
        c.snippet(name, text_of.format(word=word, function=f"reduce_{function}"))
        along = tuple(e if i == at else 1 for i, e in enumerate(shape))
        return Spelled(f"{name}({text}, ct::iota<{c.tile_type(Tile(dtypes.int32, along))}>(), {at}_ic)", shape=kept)

    return spell


def _position_rule(x, axis, keepdims, propagate_nan) -> Typed:
    numeric(x, "reduction")
    dtype = dtypes.int32 if dtype_of(x).kind == "bool" else dtype_of(x)
    if isinstance(axis, tuple):
        raise Reject("axis", "`axis` must be one axis, or None for the position in the flattened tile")
    if not x.shape:
        raise Reject("x", "a scalar has no axis to search")
    axes, shape = reduced(x, axis, keepdims)
    constant_bool("propagate_nan", propagate_nan)
    return Typed(Tile(dtypes.int32, shape), {"x": Tile(dtype, x.shape)}, {"axis": None if axis is None else axes[0]})


def _position_numpy(skipping):
    def meaning(x, axis, propagate_nan, result):
        if axis is None:
            x, axis = x.reshape(-1), 0
        with np.errstate(all="ignore"):
            best = skipping.reduce(x, axis=axis, keepdims=True)
            found = np.argmax(x == best, axis)
            if propagate_nan:
                found = np.where(np.isnan(x).any(axis), np.argmax(np.isnan(x), axis), found)
        return found.reshape(result.shape)

    return meaning


@op(cpp=_spell_position("max", "largest"), numpy=_position_numpy(np.fmax), nonnegative="always")
def argmax(x: Tile, /, axis: Const = None, *, keepdims: Const = False, propagate_nan: Const = False) -> Tile:
    """Position of the largest element along `axis` (None: in the flattened tile), the first of equals; NaN is ignored unless `propagate_nan`."""
    return _position_rule(x, axis, keepdims, propagate_nan)


@op(cpp=_spell_position("min", "smallest"), numpy=_position_numpy(np.fmin), nonnegative="always")
def argmin(x: Tile, /, axis: Const = None, *, keepdims: Const = False, propagate_nan: Const = False) -> Tile:
    """Position of the smallest element along `axis` (None: in the flattened tile), the first of equals; NaN is ignored unless `propagate_nan`."""
    return _position_rule(x, axis, keepdims, propagate_nan)
