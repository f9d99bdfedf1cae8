"""Running sums and products along an axis."""

from __future__ import annotations

import numpy as np

from tile2cpp import dtypes
from tile2cpp.ops import Typed, directed, op
from tile2cpp.ops.math import IEEE
from tile2cpp.ops.reduce import numeric
from tile2cpp.ops.rules import ROUNDINGS, axis_in, constant_bool, dtype_of, flushing, rounding
from tile2cpp.ops.spelling import Spelled
from tile2cpp.types import Tile


def _spell_scan(name: str):
    def spell(call, c) -> Spelled:
        mode, flush, reverse = call["rounding_mode"], call["flush_to_zero"], call["reverse"]
        tags = ""
        if mode is not None or flush:
            tags = f", ct::{ROUNDINGS[getattr(mode, 'name', mode) or 'RN']}_t{{}}"
            tags += ", ct::round_subnormals_to_zero_t{}" if flush else ", ct::preserve_subnormals_t{}"
        if reverse:
            tags += ", ct::scan_backward_t{}"
        return Spelled(f"ct::{name}({c(call['x'])}, {call['axis']}_ic{tags})")

    return spell


def _scan_numpy(function, step: str):
    def meaning(x, axis, reverse, rounding_mode, flush_to_zero, result):
        plain = not flush_to_zero and directed.mode_name(rounding_mode) == "RN"
        with np.errstate(all="ignore"):
            wide = x.astype(np.float32) if plain and x.dtype.itemsize == 2 and result.dtype.is_float else x
            turned = np.flip(wide, axis) if reverse else wide
            if plain:
                out = function(turned, axis=axis, dtype=wide.dtype)
            else:
                out = directed.folded(step, turned, axis, rounding_mode, flush_to_zero, result.dtype)
            return np.flip(out, axis) if reverse else out

    return meaning


def _scan_rule(x, axis, reverse, rounding_mode, flush_to_zero) -> Typed:
    numeric(x, "prefix scans")
    dtype = dtypes.int32 if dtype_of(x).kind == "bool" else dtype_of(x)
    axis = axis_in("axis", axis, len(x.shape))
    constant_bool("reverse", reverse)
    rounding("rounding_mode", rounding_mode, dtype, IEEE)
    flushing(flush_to_zero, dtype)
    kept = Tile(dtype, x.shape)
    return Typed(kept, {"x": kept}, {"axis": axis})


@op(cpp=_spell_scan("partial_sum"), numpy=_scan_numpy(np.cumsum, "add"))
def cumsum(x: Tile, /, axis: Const = 0, *, reverse: Const = False, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """Running sum along `axis`, each element included; from the end when `reverse`."""
    return _scan_rule(x, axis, reverse, rounding_mode, flush_to_zero)


@op(cpp=_spell_scan("partial_prod"), numpy=_scan_numpy(np.cumprod, "mul"))
def cumprod(x: Tile, /, axis: Const = 0, *, reverse: Const = False, rounding_mode: Const = None, flush_to_zero: Const = False) -> Tile:
    """Running product along `axis`, each element included; from the end when `reverse`."""
    return _scan_rule(x, axis, reverse, rounding_mode, flush_to_zero)
