"""Accesses by element whose elements lie over the threads as those of a tile do: `ct.scatter(y, (row, ct.arange(N)), t)`.

Where each axis of the tile counts through one axis of the array and the other indices are scalars, an element is always
met at the same position of the tile, so by the same thread, whatever the scalars are.
"""

from __future__ import annotations

from typing import Any

from tile2cpp import ir
from tile2cpp.types import Tile

RESHAPES = ("reshape", "expand_dims")


def fixed_values(body: tuple) -> dict[str, Any]:
    """The variables of a function that are given one value, at one place."""
    statements = list(ir.statements(body))
    lets = [s for s in statements if isinstance(s, ir.Let)]
    again = {s.name for s in statements if isinstance(s, (ir.Set, ir.Declare))}
    names = [s.name for s in lets]
    return {s.name: s.value for s in lets if s.name not in again and names.count(s.name) == 1}


def form_of(call: ir.Call, values: dict[str, Any]) -> tuple | None:
    """The shape of the tile, and along which of its axes each index counts, and from where; None where that is not known.

    Accesses of one form meet each element at one position.
    """
    indices = dict(call.arguments).get("indices")
    if not isinstance(indices, tuple) or call.op.effect not in ("load", "store"):
        return None
    shape = _shape(indices)
    counted = [None if not i.type.shape else _counts(i, values, len(shape)) or () for i in indices]
    along = [c[0] for c in counted if c]
    if not shape or () in counted or sorted(along) != [axis for axis, extent in enumerate(shape) if extent > 1]:
        return None
    return shape, ("elements", *counted)


def _shape(indices: tuple) -> tuple[int, ...]:
    """The shape that the indices have together."""
    rank = max((len(i.type.shape) for i in indices), default=0)
    padded = [(1,) * (rank - len(i.type.shape)) + tuple(int(e) for e in i.type.shape) for i in indices]
    return tuple(max(extents) for extents in zip(*padded))


def _counts(index: Any, values: dict[str, Any], rank: int) -> tuple[int, Any] | None:
    """The axis along which an index counts up by one, and its first value."""
    shape, start = index.type.shape, None
    while start is None:
        if isinstance(index, ir.Name):
            index = values.get(index.name)
        elif not isinstance(index, ir.Call):
            return None
        elif index.op.name in RESHAPES:
            index = index["x"]
        elif index.op.name == "astype" and _widens(index):
            index = index["x"]
        elif index.op.name == "arange" and all(isinstance(index[n], ir.Literal) for n in ("start", "step")) and index["step"].value == 1:
            start = index["start"].value
        else:
            return None
    axes = [axis for axis, extent in enumerate(shape) if extent > 1]
    return (rank - len(shape) + axes[0], start) if len(axes) == 1 else None


def _widens(cast: ir.Call) -> bool:
    """Whether a cast changes no integer."""
    source, target = cast["x"].type, cast.type
    integers = isinstance(source, Tile) and source.dtype.is_integral and target.dtype.is_integral
    return integers and target.dtype.range()[0] <= source.dtype.range()[0] and source.dtype.range()[1] <= target.dtype.range()[1]
