"""Accesses by element whose elements lie over the threads as those of a tile do: `ct.scatter(y, (row, ct.arange(N)), t)`.

Where each axis of the tile counts through one axis of the array and the other indices are scalars, an element is always
met at the same position of the tile, so by the same thread, whatever the scalars are. An axis may count from a multiple of its
own extent on, as in `ct.bid(0) * N + ct.arange(N)`: then the position is the index modulo the extent.
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
    arguments = dict(call.arguments)
    indices = (arguments["offset"],) if "offset" in arguments else arguments.get("indices")
    if not isinstance(indices, tuple) or call.op.effect not in ("load", "store"):
        return None
    shape = _shape(indices)
    counted = [None if not i.type.shape else _counts(i, values, len(shape)) or () for i in indices]
    along = [c[0] for c in counted if c]
    if not shape or () in counted or sorted(along) != [axis for axis, extent in enumerate(shape) if extent > 1]:
        return None
    return shape, ("offsets" if "offset" in arguments else "elements", *counted)


def _shape(indices: tuple) -> tuple[int, ...]:
    """The shape that the indices have together."""
    rank = max((len(i.type.shape) for i in indices), default=0)
    padded = [(1,) * (rank - len(i.type.shape)) + tuple(int(e) for e in i.type.shape) for i in indices]
    return tuple(max(extents) for extents in zip(*padded))


def _counts(index: Any, values: dict[str, Any], rank: int) -> tuple[int, Any] | None:
    """The axis along which an index counts up by one, and its first value, or what it differs by from a multiple of the extent."""
    shape, start, counted, moves = index.type.shape, None, None, []
    while start is None:
        if isinstance(index, ir.Name):
            index = values.get(index.name)
        elif not isinstance(index, ir.Call):
            return None
        elif index.op.name in RESHAPES:
            index = index["x"]
        elif index.op.name == "astype" and _widens(index):
            index = index["x"]
        elif index.op.name == "add" and (parts := _scalar_first(index)):
            moves.append(parts[0])
            index = parts[1]
        elif index.op.name == "arange" and all(isinstance(index[n], ir.Literal) for n in ("start", "step")) and index["step"].value == 1:
            start, counted = index["start"].value, index.type.dtype
        else:
            return None
    axes = [axis for axis, extent in enumerate(shape) if extent > 1]
    # Where it is counted in too few bits, one number comes several times.
    if len(axes) != 1 or shape[axes[0]] > 1 << counted.bits or not all(_is_multiple(by, int(shape[axes[0]]), values) for by in moves):
        return None
    return rank - len(shape) + axes[0], start


def _scalar_first(add: ir.Call) -> tuple[Any, Any] | None:
    """The scalar and the tile that are added."""
    one, other = add["x"], add["y"]
    if bool(one.type.shape) == bool(other.type.shape):
        return None
    return (other, one) if one.type.shape else (one, other)


def _is_multiple(number: Any, extent: int, values: dict[str, Any]) -> bool:
    """Whether an integer is known to be a multiple of a tile's extent, a power of two; it stays one where it wraps around."""
    if isinstance(number, ir.Literal):
        return number.value % extent == 0
    if isinstance(number, ir.Name):
        return number.name in values and _is_multiple(values[number.name], extent, values)
    if not isinstance(number, ir.Call):
        return False
    if number.op.name == "astype":
        return _widens(number) and _is_multiple(number["x"], extent, values)
    if number.op.name not in ("add", "mul") or not number.type.dtype.is_integral:
        return False
    parts = [_is_multiple(number[n], extent, values) for n in ("x", "y")]
    return all(parts) if number.op.name == "add" else any(parts)


def _widens(cast: ir.Call) -> bool:
    """Whether a cast changes no integer."""
    source, target = cast["x"].type, cast.type
    integers = isinstance(source, Tile) and source.dtype.is_integral and target.dtype.is_integral
    return integers and target.dtype.range()[0] <= source.dtype.range()[0] and source.dtype.range()[1] <= target.dtype.range()[1]
